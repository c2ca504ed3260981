#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"

// Sessions are always flattened: one connection, a session id in every message.
namespace topodb::capture::cdp::target {

struct TargetInfo {
  std::string target_id;
  std::string type;  // page | iframe | worker | shared_worker | service_worker | …
  std::string title;
  std::string url;
  bool attached = false;
  std::string opener_id;
  std::string opener_frame_id;
  std::string parent_frame_id;  // of an out-of-process frame
  std::string browser_context_id;
  std::string subtype;  // "prerender", …
  bool operator==(const TargetInfo&) const = default;
};

// The first entry that matches a target decides; an entry without a type matches all.
struct FilterEntry {
  std::optional<std::string> type = std::nullopt;
  bool exclude = false;
};

struct CreateTarget {
  static constexpr std::string_view kMethod = "Target.createTarget";
  std::string url = "about:blank";
  std::optional<std::string> browser_context_id = std::nullopt;
  std::optional<int> width = std::nullopt;
  std::optional<int> height = std::nullopt;
  bool new_window = false;
  bool background = false;
  std::string Params() const;
  struct Reply {
    std::string target_id;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct CloseTarget {
  static constexpr std::string_view kMethod = "Target.closeTarget";
  std::string target_id;
  std::string Params() const;
  using Reply = Empty;
};

struct CreateBrowserContext {
  static constexpr std::string_view kMethod = "Target.createBrowserContext";
  bool dispose_on_detach = false;
  std::string Params() const;
  struct Reply {
    std::string browser_context_id;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct DisposeBrowserContext {
  static constexpr std::string_view kMethod = "Target.disposeBrowserContext";
  std::string browser_context_id;
  std::string Params() const;
  using Reply = Empty;
};

struct AttachToTarget {
  static constexpr std::string_view kMethod = "Target.attachToTarget";
  std::string target_id;
  std::string Params() const;
  struct Reply {
    std::string session_id;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct DetachFromTarget {
  static constexpr std::string_view kMethod = "Target.detachFromTarget";
  std::string session_id;
  std::string Params() const;
  using Reply = Empty;
};

struct SetAutoAttach {
  static constexpr std::string_view kMethod = "Target.setAutoAttach";
  bool auto_attach = true;
  bool wait_for_debugger_on_start = true;
  std::vector<FilterEntry> filter = {};  // empty: the browser's own default
  std::string Params() const;
  using Reply = Empty;
};

struct SetDiscoverTargets {
  static constexpr std::string_view kMethod = "Target.setDiscoverTargets";
  bool discover = true;
  std::vector<FilterEntry> filter = {};
  std::string Params() const;
  using Reply = Empty;
};

struct AttachedToTarget {
  static constexpr std::string_view kMethod = "Target.attachedToTarget";
  std::string session_id;
  TargetInfo target_info;
  bool waiting_for_debugger = false;
  bool operator==(const AttachedToTarget&) const = default;
  static Result<AttachedToTarget> Parse(std::string_view params_json);
};

struct DetachedFromTarget {
  static constexpr std::string_view kMethod = "Target.detachedFromTarget";
  std::string session_id;
  bool operator==(const DetachedFromTarget&) const = default;
  static Result<DetachedFromTarget> Parse(std::string_view params_json);
};

struct TargetCreated {
  static constexpr std::string_view kMethod = "Target.targetCreated";
  TargetInfo target_info;
  bool operator==(const TargetCreated&) const = default;
  static Result<TargetCreated> Parse(std::string_view params_json);
};

struct TargetInfoChanged {
  static constexpr std::string_view kMethod = "Target.targetInfoChanged";
  TargetInfo target_info;
  bool operator==(const TargetInfoChanged&) const = default;
  static Result<TargetInfoChanged> Parse(std::string_view params_json);
};

struct TargetDestroyed {
  static constexpr std::string_view kMethod = "Target.targetDestroyed";
  std::string target_id;
  bool operator==(const TargetDestroyed&) const = default;
  static Result<TargetDestroyed> Parse(std::string_view params_json);
};

struct TargetCrashed {
  static constexpr std::string_view kMethod = "Target.targetCrashed";
  std::string target_id;
  std::string status;
  int64_t error_code = 0;
  bool operator==(const TargetCrashed&) const = default;
  static Result<TargetCrashed> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::target
