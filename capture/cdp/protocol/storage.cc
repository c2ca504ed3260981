#include "capture/cdp/protocol/storage.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::storage {
namespace {

Cookie ReadCookie(Fields fields) {
  return Cookie{.name = fields.String("name"),
                .value = fields.String("value"),
                .domain = fields.String("domain"),
                .path = fields.String("path"),
                .expires = fields.Double("expires"),
                .http_only = fields.Bool("httpOnly"),
                .secure = fields.Bool("secure"),
                .same_site = fields.OptionalString("sameSite"),
                .partition_key_json = std::string(fields.OptionalRaw("partitionKey"))};
}

std::string WriteCookie(const Cookie& cookie) {
  ObjectWriter writer;
  writer.String("name", cookie.name)
      .String("value", cookie.value)
      .String("domain", cookie.domain)
      .String("path", cookie.path)
      .Bool("httpOnly", cookie.http_only)
      .Bool("secure", cookie.secure);
  if (cookie.expires >= 0) writer.Double("expires", cookie.expires);
  if (!cookie.same_site.empty()) writer.String("sameSite", cookie.same_site);
  if (!cookie.partition_key_json.empty()) writer.Raw("partitionKey", cookie.partition_key_json);
  return writer.Take();
}

}  // namespace

std::string GetCookies::Params() const {
  return ObjectWriter().Optional("browserContextId", browser_context_id).Take();
}

Result<GetCookies::Reply> GetCookies::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  Reply reply;
  for (auto& cookie : fields.Objects("cookies")) {
    reply.cookies.push_back(ReadCookie(std::move(cookie)));
  }
  return fields.Finish(std::move(reply));
}

std::string SetCookies::Params() const {
  std::vector<std::string> written;
  for (const auto& cookie : cookies) written.push_back(WriteCookie(cookie));
  return ObjectWriter()
      .RawArray("cookies", written)
      .Optional("browserContextId", browser_context_id)
      .Take();
}

std::string ClearCookies::Params() const {
  return ObjectWriter().Optional("browserContextId", browser_context_id).Take();
}

std::string ClearDataForOrigin::Params() const {
  return ObjectWriter().String("origin", origin).String("storageTypes", storage_types).Take();
}

}  // namespace topodb::capture::cdp::storage
