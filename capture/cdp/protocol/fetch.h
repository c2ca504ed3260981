#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/cdp/command.h"
#include "capture/cdp/protocol/network.h"

namespace topodb::capture::cdp::fetch {

struct RequestPattern {
  std::string url_pattern = "*";  // '*' and '?' are wildcards
  std::optional<std::string> resource_type = std::nullopt;
  std::optional<std::string> request_stage = std::nullopt;  // Request (default) | Response
};

struct Enable {
  static constexpr std::string_view kMethod = "Fetch.enable";
  std::vector<RequestPattern> patterns = {};  // empty: everything
  bool handle_auth_requests = false;
  std::string Params() const;
  using Reply = Empty;
};

struct ContinueRequest {
  static constexpr std::string_view kMethod = "Fetch.continueRequest";
  std::string request_id;
  // When given, replaces all headers of the request.
  std::optional<std::vector<std::pair<std::string, std::string>>> headers = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

// Of a request that waits at the response stage.
struct GetResponseBody {
  static constexpr std::string_view kMethod = "Fetch.getResponseBody";
  std::string request_id;
  std::string Params() const;
  struct Reply {
    std::string body_base64;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

// Answers in the place of the server.
struct FulfillRequest {
  static constexpr std::string_view kMethod = "Fetch.fulfillRequest";
  std::string request_id;
  int64_t response_code = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body_base64;
  std::string Params() const;
  using Reply = Empty;
};

struct FailRequest {
  static constexpr std::string_view kMethod = "Fetch.failRequest";
  std::string request_id;
  std::string error_reason = "BlockedByClient";
  std::string Params() const;
  using Reply = Empty;
};

struct ContinueWithAuth {
  static constexpr std::string_view kMethod = "Fetch.continueWithAuth";
  std::string request_id;
  std::string response = "CancelAuth";  // Default | CancelAuth | ProvideCredentials
  std::optional<std::string> username = std::nullopt;
  std::optional<std::string> password = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

// The request waits until it is continued or failed.
struct RequestPaused {
  static constexpr std::string_view kMethod = "Fetch.requestPaused";
  std::string request_id;
  network::Request request;
  std::string frame_id;
  std::string resource_type;
  std::string network_id;             // RequestWillBeSent::request_id, when known
  std::string redirected_request_id;  // the paused request that was redirected to this one
  std::optional<int64_t> response_status_code = std::nullopt;  // set at the response stage
  std::vector<std::pair<std::string, std::string>> response_headers = {};
  bool operator==(const RequestPaused&) const = default;
  static Result<RequestPaused> Parse(std::string_view params_json);
};

struct AuthRequired {
  static constexpr std::string_view kMethod = "Fetch.authRequired";
  std::string request_id;
  network::Request request;
  std::string source;  // Server | Proxy
  std::string origin;
  std::string scheme;
  std::string realm;
  bool operator==(const AuthRequired&) const = default;
  static Result<AuthRequired> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::fetch
