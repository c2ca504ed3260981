#include "capture/cdp/protocol/page.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::page {
namespace {

Frame ReadFrame(Fields fields) {
  return Frame{.id = fields.String("id"),
               .parent_id = fields.OptionalString("parentId"),
               .loader_id = fields.String("loaderId"),
               .name = fields.OptionalString("name"),
               .url = fields.String("url"),
               .url_fragment = fields.OptionalString("urlFragment"),
               .security_origin = fields.String("securityOrigin"),
               .mime_type = fields.String("mimeType"),
               .unreachable_url = fields.OptionalString("unreachableUrl")};
}

// The browser bounds the depth: it refuses to nest frames without end.
FrameTree ReadFrameTree(Fields fields) {
  FrameTree tree{.frame = ReadFrame(fields.Object("frame")), .children = {}};
  for (auto& child : fields.OptionalObjects("childFrames")) {
    tree.children.push_back(ReadFrameTree(std::move(child)));
  }
  return tree;
}

}  // namespace

std::string Enable::Params() const { return "{}"; }

std::string Navigate::Params() const {
  return ObjectWriter()
      .String("url", url)
      .Optional("referrer", referrer)
      .Optional("frameId", frame_id)
      .Take();
}

Result<Navigate::Reply> Navigate::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.frame_id = fields.String("frameId"),
                             .loader_id = fields.OptionalString("loaderId"),
                             .error_text = fields.OptionalString("errorText"),
                             .is_download = fields.OptionalBool("isDownload")});
}

std::string AddScriptToEvaluateOnNewDocument::Params() const {
  return ObjectWriter()
      .String("source", source)
      .Optional("worldName", world_name)
      .Flag("runImmediately", run_immediately)
      .Take();
}

Result<AddScriptToEvaluateOnNewDocument::Reply> AddScriptToEvaluateOnNewDocument::ParseReply(
    std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.identifier = fields.String("identifier")});
}

std::string RemoveScriptToEvaluateOnNewDocument::Params() const {
  return ObjectWriter().String("identifier", identifier).Take();
}

std::string GetFrameTree::Params() const { return "{}"; }

Result<GetFrameTree::Reply> GetFrameTree::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.frame_tree = ReadFrameTree(fields.Object("frameTree"))});
}

std::string HandleJavaScriptDialog::Params() const {
  return ObjectWriter().Bool("accept", accept).Optional("promptText", prompt_text).Take();
}

std::string SetInterceptFileChooserDialog::Params() const {
  return ObjectWriter().Bool("enabled", enabled).Flag("cancel", cancel).Take();
}

std::string Crash::Params() const { return "{}"; }

std::string CreateIsolatedWorld::Params() const {
  return ObjectWriter().String("frameId", frame_id).String("worldName", world_name).Take();
}

Result<CreateIsolatedWorld::Reply> CreateIsolatedWorld::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.execution_context_id = fields.Int("executionContextId")});
}

std::string StopLoading::Params() const { return "{}"; }

std::string BringToFront::Params() const { return "{}"; }

Result<FrameNavigated> FrameNavigated::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      FrameNavigated{.frame = ReadFrame(fields.Object("frame")), .type = fields.String("type")});
}

Result<NavigatedWithinDocument> NavigatedWithinDocument::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(NavigatedWithinDocument{.frame_id = fields.String("frameId"),
                                               .url = fields.String("url"),
                                               .navigation_type = fields.String("navigationType")});
}

Result<FrameAttached> FrameAttached::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(FrameAttached{.frame_id = fields.String("frameId"),
                                     .parent_frame_id = fields.String("parentFrameId")});
}

Result<FrameDetached> FrameDetached::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      FrameDetached{.frame_id = fields.String("frameId"), .reason = fields.String("reason")});
}

Result<JavascriptDialogOpening> JavascriptDialogOpening::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      JavascriptDialogOpening{.url = fields.String("url"),
                              .frame_id = fields.OptionalString("frameId"),
                              .message = fields.String("message"),
                              .type = fields.String("type"),
                              .default_prompt = fields.OptionalString("defaultPrompt")});
}

Result<FileChooserOpened> FileChooserOpened::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(FileChooserOpened{.frame_id = fields.String("frameId"),
                                         .mode = fields.String("mode"),
                                         .backend_node_id = fields.OptionalInt("backendNodeId")});
}

Result<WindowOpen> WindowOpen::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(WindowOpen{.url = fields.String("url"),
                                  .window_name = fields.String("windowName"),
                                  .user_gesture = fields.Bool("userGesture")});
}

}  // namespace topodb::capture::cdp::page
