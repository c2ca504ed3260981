#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::network {

struct Request {
  std::string url;           // without fragment
  std::string url_fragment;  // with '#', or empty
  std::string method;
  std::string headers_json;  // object of strings, raw
  std::string post_data;     // as far as the browser gives it; bytes
  bool has_post_data = false;
  bool operator==(const Request&) const = default;
};

struct Response {
  std::string url;
  int64_t status = 0;
  std::string mime_type;
  std::string headers_json;
  bool from_service_worker = false;
  bool operator==(const Response&) const = default;
};

struct Enable {
  static constexpr std::string_view kMethod = "Network.enable";
  std::optional<int64_t> max_post_data_size = std::nullopt;
  std::optional<int64_t> max_total_buffer_size = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

struct SetUserAgentOverride {
  static constexpr std::string_view kMethod = "Network.setUserAgentOverride";
  std::string user_agent;
  std::optional<std::string> accept_language = std::nullopt;
  std::optional<std::string> platform = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

struct SetExtraHttpHeaders {
  static constexpr std::string_view kMethod = "Network.setExtraHTTPHeaders";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string Params() const;
  using Reply = Empty;
};

// Takes the network away from what matches: the only rule that also stops WebSockets. Patterns are
// URLPattern texts; without a port they mean the scheme's own: all sockets are "ws://*:*".
struct EmulateNetworkConditionsByRule {
  static constexpr std::string_view kMethod = "Network.emulateNetworkConditionsByRule";
  std::vector<std::string> online_url_patterns = {};  // these go first: they stay as they are
  std::vector<std::string> offline_url_patterns = {};
  std::string Params() const;
  using Reply = Empty;
};

struct RequestWillBeSent {
  static constexpr std::string_view kMethod = "Network.requestWillBeSent";
  std::string request_id;  // kept through redirects
  std::string loader_id;
  std::string document_url;
  Request request;
  std::string type;  // Document | Fetch | XHR | Script | …
  std::string frame_id;
  std::string initiator_type;
  std::optional<Response> redirect_response = std::nullopt;
  bool operator==(const RequestWillBeSent&) const = default;
  static Result<RequestWillBeSent> Parse(std::string_view params_json);
};

struct ResponseReceived {
  static constexpr std::string_view kMethod = "Network.responseReceived";
  std::string request_id;
  std::string loader_id;
  std::string type;
  std::string frame_id;
  Response response;
  bool operator==(const ResponseReceived&) const = default;
  static Result<ResponseReceived> Parse(std::string_view params_json);
};

struct LoadingFinished {
  static constexpr std::string_view kMethod = "Network.loadingFinished";
  std::string request_id;
  bool operator==(const LoadingFinished&) const = default;
  static Result<LoadingFinished> Parse(std::string_view params_json);
};

struct LoadingFailed {
  static constexpr std::string_view kMethod = "Network.loadingFailed";
  std::string request_id;
  std::string type;
  std::string error_text;
  std::string blocked_reason;
  bool canceled = false;
  bool operator==(const LoadingFailed&) const = default;
  static Result<LoadingFailed> Parse(std::string_view params_json);
};

struct WebSocketCreated {
  static constexpr std::string_view kMethod = "Network.webSocketCreated";
  std::string request_id;
  std::string url;
  bool operator==(const WebSocketCreated&) const = default;
  static Result<WebSocketCreated> Parse(std::string_view params_json);
};

struct WebTransportCreated {
  static constexpr std::string_view kMethod = "Network.webTransportCreated";
  std::string transport_id;
  std::string url;
  bool operator==(const WebTransportCreated&) const = default;
  static Result<WebTransportCreated> Parse(std::string_view params_json);
};

struct WebSocketFrameReceived {
  static constexpr std::string_view kMethod = "Network.webSocketFrameReceived";
  std::string request_id;
  bool operator==(const WebSocketFrameReceived&) const = default;
  static Result<WebSocketFrameReceived> Parse(std::string_view params_json);
};

struct WebSocketClosed {
  static constexpr std::string_view kMethod = "Network.webSocketClosed";
  std::string request_id;
  bool operator==(const WebSocketClosed&) const = default;
  static Result<WebSocketClosed> Parse(std::string_view params_json);
};

struct EventSourceMessageReceived {
  static constexpr std::string_view kMethod = "Network.eventSourceMessageReceived";
  std::string request_id;
  bool operator==(const EventSourceMessageReceived&) const = default;
  static Result<EventSourceMessageReceived> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::network
