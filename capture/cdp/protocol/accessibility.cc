#include "capture/cdp/protocol/accessibility.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::accessibility {
namespace {

Result<AxNodesReply> ReadNodes(std::string_view result_json, std::string_view method) {
  Fields fields(result_json, method);
  return fields.Finish(AxNodesReply{.nodes_json = std::string(fields.Raw("nodes"))});
}

}  // namespace

std::string Enable::Params() const { return "{}"; }

std::string GetRootAxNode::Params() const {
  return ObjectWriter().Optional("frameId", frame_id).Take();
}

Result<GetRootAxNode::Reply> GetRootAxNode::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.node_json = std::string(fields.Raw("node"))});
}

std::string GetFullAxTree::Params() const {
  return ObjectWriter().Optional("frameId", frame_id).Take();
}

Result<AxNodesReply> GetFullAxTree::ParseReply(std::string_view result_json) {
  return ReadNodes(result_json, kMethod);
}

std::string GetPartialAxTree::Params() const {
  return ObjectWriter()
      .Optional("backendNodeId", backend_node_id)
      .Optional("objectId", object_id)
      .Bool("fetchRelatives", fetch_relatives)
      .Take();
}

Result<AxNodesReply> GetPartialAxTree::ParseReply(std::string_view result_json) {
  return ReadNodes(result_json, kMethod);
}

}  // namespace topodb::capture::cdp::accessibility
