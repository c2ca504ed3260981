#include "capture/cdp/protocol/dom.h"

#include <utility>
#include <vector>

#include "capture/cdp/protocol/remote_object.h"

namespace topodb::capture::cdp::dom {

std::string GetDocument::Params() const {
  return ObjectWriter().Int("depth", depth).Flag("pierce", pierce).Take();
}

Result<GetDocument::Reply> GetDocument::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.root_json = std::string(fields.Raw("root"))});
}

std::string ResolveNode::Params() const {
  return ObjectWriter()
      .Int("backendNodeId", backend_node_id)
      .Optional("executionContextId", execution_context_id)
      .Optional("objectGroup", object_group)
      .Take();
}

Result<ResolveNode::Reply> ResolveNode::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.object = runtime::ReadRemoteObject(fields.Object("object"))});
}

std::string DescribeNode::Params() const {
  return ObjectWriter()
      .Optional("objectId", object_id)
      .Optional("backendNodeId", backend_node_id)
      .Int("depth", depth)
      .Flag("pierce", pierce)
      .Take();
}

Result<DescribeNode::Reply> DescribeNode::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  auto node = fields.Object("node");
  std::vector<ShadowRoot> roots;
  for (Fields& root : node.OptionalObjects("shadowRoots")) {
    roots.push_back({root.Int("backendNodeId"), root.OptionalString("shadowRootType")});
  }
  return fields.Finish(Reply{.backend_node_id = node.Int("backendNodeId"),
                             .node_name = node.String("nodeName"),
                             .frame_id = node.OptionalString("frameId"),
                             .shadow_roots = std::move(roots),
                             .node_json = std::string(fields.Raw("node"))});
}

std::string SetFileInputFiles::Params() const {
  std::vector<std::string> quoted;
  for (const std::string& file : files) quoted.push_back(QuoteJson(file));
  return ObjectWriter().RawArray("files", quoted).String("objectId", object_id).Take();
}

std::string GetFrameOwner::Params() const {
  return ObjectWriter().String("frameId", frame_id).Take();
}

Result<GetFrameOwner::Reply> GetFrameOwner::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.backend_node_id = fields.Int("backendNodeId")});
}

}  // namespace topodb::capture::cdp::dom
