#include "capture/cdp/protocol/browser.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::browser {

std::string GetVersion::Params() const { return "{}"; }

Result<GetVersion::Reply> GetVersion::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.product = fields.String("product"),
                             .user_agent = fields.String("userAgent"),
                             .revision = fields.String("revision"),
                             .js_version = fields.String("jsVersion")});
}

std::string Close::Params() const { return "{}"; }

std::string GrantPermissions::Params() const {
  std::vector<std::string> quoted;
  for (const std::string& permission : permissions) quoted.push_back(QuoteJson(permission));
  return ObjectWriter()
      .RawArray("permissions", quoted)
      .Optional("browserContextId", browser_context_id)
      .Take();
}

std::string SetDownloadBehavior::Params() const {
  return ObjectWriter()
      .String("behavior", behavior)
      .Optional("browserContextId", browser_context_id)
      .Optional("downloadPath", download_path)
      .Flag("eventsEnabled", events_enabled)
      .Take();
}

Result<DownloadWillBegin> DownloadWillBegin::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(DownloadWillBegin{.frame_id = fields.String("frameId"),
                                         .guid = fields.String("guid"),
                                         .url = fields.String("url"),
                                         .suggested_filename = fields.String("suggestedFilename")});
}

}  // namespace topodb::capture::cdp::browser
