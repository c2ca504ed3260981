#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::dom_debugger {

struct GetEventListeners {
  static constexpr std::string_view kMethod = "DOMDebugger.getEventListeners";
  std::string object_id;
  int depth = 1;  // -1: the whole subtree
  bool pierce = false;
  std::string Params() const;
  struct Reply {
    std::string listeners_json;  // array of DOMDebugger.EventListener, raw
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

}  // namespace topodb::capture::cdp::dom_debugger
