#include "capture/cdp/protocol/fetch.h"

#include "capture/cdp/protocol/network_request.h"

namespace topodb::capture::cdp::fetch {

std::string Enable::Params() const {
  ObjectWriter writer;
  if (!patterns.empty()) {
    std::vector<std::string> written;
    for (const auto& pattern : patterns) {
      written.push_back(ObjectWriter()
                            .String("urlPattern", pattern.url_pattern)
                            .Optional("resourceType", pattern.resource_type)
                            .Optional("requestStage", pattern.request_stage)
                            .Take());
    }
    writer.RawArray("patterns", written);
  }
  return writer.Flag("handleAuthRequests", handle_auth_requests).Take();
}

std::string ContinueRequest::Params() const {
  ObjectWriter writer;
  writer.String("requestId", request_id);
  if (headers) {
    std::vector<std::string> written;
    for (const auto& [name, value] : *headers) {
      written.push_back(ObjectWriter().String("name", name).String("value", value).Take());
    }
    writer.RawArray("headers", written);
  }
  return writer.Take();
}

std::string FailRequest::Params() const {
  return ObjectWriter().String("requestId", request_id).String("errorReason", error_reason).Take();
}

std::string ContinueWithAuth::Params() const {
  const auto answer = ObjectWriter()
                          .String("response", response)
                          .Optional("username", username)
                          .Optional("password", password)
                          .Take();
  return ObjectWriter().String("requestId", request_id).Raw("authChallengeResponse", answer).Take();
}

Result<RequestPaused> RequestPaused::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      RequestPaused{.request_id = fields.String("requestId"),
                    .request = network::ReadRequest(fields.Object("request")),
                    .frame_id = fields.String("frameId"),
                    .resource_type = fields.String("resourceType"),
                    .network_id = fields.OptionalString("networkId"),
                    .redirected_request_id = fields.OptionalString("redirectedRequestId"),
                    .response_status_code = fields.OptionalInt("responseStatusCode")});
}

Result<AuthRequired> AuthRequired::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  auto challenge = fields.Object("authChallenge");
  return fields.Finish(AuthRequired{.request_id = fields.String("requestId"),
                                    .request = network::ReadRequest(fields.Object("request")),
                                    .source = challenge.OptionalString("source"),
                                    .origin = challenge.String("origin"),
                                    .scheme = challenge.String("scheme"),
                                    .realm = challenge.String("realm")});
}

}  // namespace topodb::capture::cdp::fetch
