#include "capture/cdp/protocol/network.h"

#include "capture/cdp/protocol/network_request.h"

namespace topodb::capture::cdp::network {
namespace {

Response ReadResponse(Fields fields) {
  return Response{.url = fields.String("url"),
                  .status = fields.Int("status"),
                  .mime_type = fields.String("mimeType"),
                  .headers_json = std::string(fields.Raw("headers")),
                  .from_service_worker = fields.OptionalBool("fromServiceWorker")};
}

}  // namespace

Request ReadRequest(Fields fields) {
  return Request{.url = fields.String("url"),
                 .url_fragment = fields.OptionalString("urlFragment"),
                 .method = fields.String("method"),
                 .headers_json = std::string(fields.Raw("headers")),
                 .post_data = fields.OptionalString("postData"),
                 .has_post_data = fields.OptionalBool("hasPostData")};
}

std::string Enable::Params() const {
  return ObjectWriter()
      .Optional("maxPostDataSize", max_post_data_size)
      .Optional("maxTotalBufferSize", max_total_buffer_size)
      .Take();
}

std::string SetUserAgentOverride::Params() const {
  return ObjectWriter()
      .String("userAgent", user_agent)
      .Optional("acceptLanguage", accept_language)
      .Optional("platform", platform)
      .Take();
}

std::string SetExtraHttpHeaders::Params() const {
  ObjectWriter written;
  for (const auto& [name, value] : headers) written.String(name, value);
  return ObjectWriter().Raw("headers", written.Take()).Take();
}

std::string EmulateNetworkConditionsByRule::Params() const {
  std::vector<std::string> rules;
  const auto add = [&](const std::vector<std::string>& patterns, bool offline) {
    for (const auto& pattern : patterns) {
      rules.push_back(ObjectWriter()
                          .String("urlPattern", pattern)
                          .Int("latency", 0)
                          .Int("downloadThroughput", -1)
                          .Int("uploadThroughput", -1)
                          .Bool("offline", offline)
                          .Take());
    }
  };
  add(online_url_patterns, false);
  add(offline_url_patterns, true);
  return ObjectWriter().RawArray("matchedNetworkConditions", rules).Take();
}

Result<RequestWillBeSent> RequestWillBeSent::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  RequestWillBeSent event{.request_id = fields.String("requestId"),
                          .loader_id = fields.String("loaderId"),
                          .document_url = fields.String("documentURL"),
                          .request = ReadRequest(fields.Object("request")),
                          .type = fields.OptionalString("type"),
                          .frame_id = fields.OptionalString("frameId"),
                          .initiator_type = fields.Object("initiator").String("type")};
  if (auto response = fields.OptionalObject("redirectResponse")) {
    event.redirect_response = ReadResponse(std::move(*response));
  }
  return fields.Finish(std::move(event));
}

Result<ResponseReceived> ResponseReceived::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(ResponseReceived{.request_id = fields.String("requestId"),
                                        .loader_id = fields.String("loaderId"),
                                        .type = fields.String("type"),
                                        .frame_id = fields.OptionalString("frameId"),
                                        .response = ReadResponse(fields.Object("response"))});
}

Result<LoadingFinished> LoadingFinished::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(LoadingFinished{.request_id = fields.String("requestId")});
}

Result<LoadingFailed> LoadingFailed::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(LoadingFailed{.request_id = fields.String("requestId"),
                                     .type = fields.String("type"),
                                     .error_text = fields.String("errorText"),
                                     .blocked_reason = fields.OptionalString("blockedReason"),
                                     .canceled = fields.OptionalBool("canceled")});
}

Result<WebSocketCreated> WebSocketCreated::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      WebSocketCreated{.request_id = fields.String("requestId"), .url = fields.String("url")});
}

Result<WebTransportCreated> WebTransportCreated::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(WebTransportCreated{.transport_id = fields.String("transportId"),
                                           .url = fields.String("url")});
}

Result<WebSocketFrameReceived> WebSocketFrameReceived::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(WebSocketFrameReceived{.request_id = fields.String("requestId")});
}

Result<WebSocketClosed> WebSocketClosed::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(WebSocketClosed{.request_id = fields.String("requestId")});
}

Result<EventSourceMessageReceived> EventSourceMessageReceived::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(EventSourceMessageReceived{.request_id = fields.String("requestId")});
}

}  // namespace topodb::capture::cdp::network
