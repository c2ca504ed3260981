#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::accessibility {

// Keeps the accessibility context of every document of the page alive: computedRole and
// computedName are fast while it lives. Never disabled.
struct Enable {
  static constexpr std::string_view kMethod = "Accessibility.enable";
  std::string Params() const;
  using Reply = Empty;
};

struct GetRootAxNode {
  static constexpr std::string_view kMethod = "Accessibility.getRootAXNode";
  std::optional<std::string> frame_id = std::nullopt;  // absent: the main frame
  std::string Params() const;
  struct Reply {
    std::string node_json;  // Accessibility.AXNode, raw
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct AxNodesReply {
  std::string nodes_json;  // array of Accessibility.AXNode, raw
  bool operator==(const AxNodesReply&) const = default;
};

struct GetFullAxTree {
  static constexpr std::string_view kMethod = "Accessibility.getFullAXTree";
  std::optional<std::string> frame_id = std::nullopt;
  std::string Params() const;
  using Reply = AxNodesReply;
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct GetPartialAxTree {
  static constexpr std::string_view kMethod = "Accessibility.getPartialAXTree";
  std::optional<int64_t> backend_node_id = std::nullopt;  // one of the two
  std::optional<std::string> object_id = std::nullopt;
  bool fetch_relatives = false;
  std::string Params() const;
  using Reply = AxNodesReply;
  static Result<Reply> ParseReply(std::string_view result_json);
};

}  // namespace topodb::capture::cdp::accessibility
