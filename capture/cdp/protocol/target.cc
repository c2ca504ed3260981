#include "capture/cdp/protocol/target.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::target {
namespace {

TargetInfo ReadTargetInfo(Fields fields) {
  return TargetInfo{.target_id = fields.String("targetId"),
                    .type = fields.String("type"),
                    .title = fields.String("title"),
                    .url = fields.String("url"),
                    .attached = fields.Bool("attached"),
                    .opener_id = fields.OptionalString("openerId"),
                    .opener_frame_id = fields.OptionalString("openerFrameId"),
                    .parent_frame_id = fields.OptionalString("parentFrameId"),
                    .browser_context_id = fields.OptionalString("browserContextId"),
                    .subtype = fields.OptionalString("subtype")};
}

void WriteFilter(ObjectWriter& writer, const std::vector<FilterEntry>& filter) {
  if (filter.empty()) return;
  std::vector<std::string> entries;
  for (const auto& entry : filter) {
    entries.push_back(
        ObjectWriter().Optional("type", entry.type).Bool("exclude", entry.exclude).Take());
  }
  writer.RawArray("filter", entries);
}

}  // namespace

std::string CreateTarget::Params() const {
  return ObjectWriter()
      .String("url", url)
      .Optional("browserContextId", browser_context_id)
      .Optional("width", width)
      .Optional("height", height)
      .Flag("newWindow", new_window)
      .Flag("background", background)
      .Take();
}

Result<CreateTarget::Reply> CreateTarget::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.target_id = fields.String("targetId")});
}

std::string CloseTarget::Params() const {
  return ObjectWriter().String("targetId", target_id).Take();
}

std::string CreateBrowserContext::Params() const {
  return ObjectWriter().Flag("disposeOnDetach", dispose_on_detach).Take();
}

Result<CreateBrowserContext::Reply> CreateBrowserContext::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.browser_context_id = fields.String("browserContextId")});
}

std::string DisposeBrowserContext::Params() const {
  return ObjectWriter().String("browserContextId", browser_context_id).Take();
}

std::string AttachToTarget::Params() const {
  return ObjectWriter().String("targetId", target_id).Bool("flatten", true).Take();
}

Result<AttachToTarget::Reply> AttachToTarget::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.session_id = fields.String("sessionId")});
}

std::string DetachFromTarget::Params() const {
  return ObjectWriter().String("sessionId", session_id).Take();
}

std::string SetAutoAttach::Params() const {
  ObjectWriter writer;
  writer.Bool("autoAttach", auto_attach)
      .Bool("waitForDebuggerOnStart", wait_for_debugger_on_start)
      .Bool("flatten", true);
  WriteFilter(writer, filter);
  return writer.Take();
}

std::string SetDiscoverTargets::Params() const {
  ObjectWriter writer;
  writer.Bool("discover", discover);
  WriteFilter(writer, filter);
  return writer.Take();
}

Result<AttachedToTarget> AttachedToTarget::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(AttachedToTarget{.session_id = fields.String("sessionId"),
                                        .target_info = ReadTargetInfo(fields.Object("targetInfo")),
                                        .waiting_for_debugger = fields.Bool("waitingForDebugger")});
}

Result<DetachedFromTarget> DetachedFromTarget::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(DetachedFromTarget{.session_id = fields.String("sessionId")});
}

Result<TargetCreated> TargetCreated::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(TargetCreated{.target_info = ReadTargetInfo(fields.Object("targetInfo"))});
}

Result<TargetInfoChanged> TargetInfoChanged::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      TargetInfoChanged{.target_info = ReadTargetInfo(fields.Object("targetInfo"))});
}

Result<TargetDestroyed> TargetDestroyed::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(TargetDestroyed{.target_id = fields.String("targetId")});
}

Result<TargetCrashed> TargetCrashed::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(TargetCrashed{.target_id = fields.String("targetId"),
                                     .status = fields.String("status"),
                                     .error_code = fields.Int("errorCode")});
}

}  // namespace topodb::capture::cdp::target
