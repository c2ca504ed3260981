#include "capture/cdp/protocol/fetch.h"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

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

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> WriteHeaders(const Headers& headers) {
  std::vector<std::string> written;
  for (const auto& [name, value] : headers) {
    written.push_back(ObjectWriter().String("name", name).String("value", value).Take());
  }
  return written;
}

Headers ReadHeaders(std::vector<Fields> entries) {
  Headers headers;
  for (Fields& entry : entries) {
    std::string name = entry.String("name");
    headers.emplace_back(std::move(name), entry.String("value"));
  }
  return headers;
}

std::string ToBase64(std::string_view bytes) {
  using namespace boost::archive::iterators;  // NOLINT(google-build-using-namespace)
  using Encoder = base64_from_binary<transform_width<std::string_view::const_iterator, 6, 8>>;
  std::string text(Encoder(bytes.begin()), Encoder(bytes.end()));
  text.append((3 - bytes.size() % 3) % 3, '=');
  return text;
}

}  // namespace

std::string ContinueRequest::Params() const {
  ObjectWriter writer;
  writer.String("requestId", request_id);
  if (headers) writer.RawArray("headers", WriteHeaders(*headers));
  return writer.Take();
}

std::string GetResponseBody::Params() const {
  return ObjectWriter().String("requestId", request_id).Take();
}

Result<GetResponseBody::Reply> GetResponseBody::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  std::string body = fields.String("body");
  if (!fields.OptionalBool("base64Encoded")) body = ToBase64(body);
  return fields.Finish(Reply{.body_base64 = std::move(body)});
}

std::string FulfillRequest::Params() const {
  return ObjectWriter()
      .String("requestId", request_id)
      .Int("responseCode", response_code)
      .RawArray("responseHeaders", WriteHeaders(headers))
      .String("body", body_base64)
      .Take();
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
                    .response_status_code = fields.OptionalInt("responseStatusCode"),
                    .response_headers = ReadHeaders(fields.OptionalObjects("responseHeaders"))});
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
