#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"

// The cookie commands are for the root session.
namespace topodb::capture::cdp::storage {

struct Cookie {
  std::string name;
  std::string value;
  std::string domain;
  std::string path;
  double expires = -1;  // seconds since 1970; -1: with the session
  bool http_only = false;
  bool secure = false;
  std::string same_site;           // Strict | Lax | None | empty
  std::string partition_key_json;  // raw, or empty: not partitioned
  bool operator==(const Cookie&) const = default;
};

struct GetCookies {
  static constexpr std::string_view kMethod = "Storage.getCookies";
  std::optional<std::string> browser_context_id = std::nullopt;
  std::string Params() const;
  struct Reply {
    std::vector<Cookie> cookies;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct SetCookies {
  static constexpr std::string_view kMethod = "Storage.setCookies";
  std::vector<Cookie> cookies = {};
  std::optional<std::string> browser_context_id = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

struct ClearCookies {
  static constexpr std::string_view kMethod = "Storage.clearCookies";
  std::optional<std::string> browser_context_id = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

// In the storage of the target whose session it is sent on.
struct ClearDataForOrigin {
  static constexpr std::string_view kMethod = "Storage.clearDataForOrigin";
  std::string origin;
  std::string storage_types = "all";  // comma separated
  std::string Params() const;
  using Reply = Empty;
};

}  // namespace topodb::capture::cdp::storage
