#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::browser {

struct GetVersion {
  static constexpr std::string_view kMethod = "Browser.getVersion";
  std::string Params() const;
  struct Reply {
    std::string product;  // "Chrome/156.0.8078.114"
    std::string user_agent;
    std::string revision;
    std::string js_version;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct Close {
  static constexpr std::string_view kMethod = "Browser.close";
  std::string Params() const;
  using Reply = Empty;
};

// All others are denied without asking.
struct GrantPermissions {
  static constexpr std::string_view kMethod = "Browser.grantPermissions";
  std::vector<std::string> permissions = {};
  std::optional<std::string> browser_context_id = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

struct SetDownloadBehavior {
  static constexpr std::string_view kMethod = "Browser.setDownloadBehavior";
  std::string behavior = "deny";  // deny | allow | allowAndName | default
  std::optional<std::string> browser_context_id = std::nullopt;
  std::optional<std::string> download_path = std::nullopt;
  bool events_enabled = false;
  std::string Params() const;
  using Reply = Empty;
};

struct DownloadWillBegin {
  static constexpr std::string_view kMethod = "Browser.downloadWillBegin";
  std::string frame_id;
  std::string guid;
  std::string url;
  std::string suggested_filename;
  bool operator==(const DownloadWillBegin&) const = default;
  static Result<DownloadWillBegin> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::browser
