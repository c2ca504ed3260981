#include "capture/browser/page_frames.h"

#include <map>
#include <memory>
#include <utility>

#include <simdjson.h>

#include "capture/cdp/protocol/dom.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {
namespace {

using cdp::page::FrameTree;

}  // namespace

Result<std::vector<PageFrame>> ListFrames(cdp::Session& page, const TargetWatch& watch,
                                          Millis timeout) {
  const auto sessions = watch.FrameSessions();
  auto main = page.Start(cdp::page::GetFrameTree{});
  std::vector<cdp::Pending<cdp::page::GetFrameTree>> asked;
  for (const auto& session : sessions) asked.push_back(session->Start(cdp::page::GetFrameTree{}));
  TOPODB_TRY(const auto reply, main.Await(timeout));
  std::vector<cdp::page::GetFrameTree::Reply> elsewhere;
  for (auto& pending : asked) {
    auto tree = pending.Await(timeout);
    if (tree) elsewhere.push_back(*std::move(tree));  // otherwise it has just gone
  }
  std::multimap<std::string, const FrameTree*> by_parent;
  for (const auto& tree : elsewhere) {
    by_parent.emplace(tree.frame_tree.frame.parent_id, &tree.frame_tree);
  }

  std::vector<PageFrame> frames;
  std::vector<const FrameTree*> trees = {&reply.frame_tree};
  frames.push_back({.id = reply.frame_tree.frame.id, .url = reply.frame_tree.frame.url});
  for (size_t i = 0; i < frames.size(); ++i) {
    const auto [first, last] = by_parent.equal_range(frames[i].id);
    const auto add = [&](const FrameTree& tree, std::optional<uint32_t> child) {
      frames.push_back({.id = tree.frame.id, .url = tree.frame.url, .parent = i, .child = child});
      trees.push_back(&tree);
    };
    uint32_t child = 0;
    for (const FrameTree& tree : trees[i]->children) {
      add(tree, first == last ? std::optional(child++) : std::nullopt);
    }
    for (auto remote = first; remote != last; ++remote) add(*remote->second, std::nullopt);
  }
  return frames;
}

Result<std::string> FindOwner(PageFrame& frame, const PageFrame& parent, const TargetWatch& watch,
                              Millis timeout) {
  const auto world = watch.WorldOf(parent.id);
  if (!world)
    return Error{ErrorCode::kProtocol, "its parent has no document that can be asked", ""};
  cdp::Session& session = *world->session;
  TOPODB_TRY(const auto owner,
             session.Call(cdp::dom::GetFrameOwner{.frame_id = frame.id}, timeout));
  TOPODB_TRY(const auto element,
             session.Call(cdp::dom::ResolveNode{.backend_node_id = owner.backend_node_id,
                                                .execution_context_id = world->short_context_id},
                          timeout));
  TOPODB_TRY(
      auto place,
      session.Call(cdp::runtime::CallFunctionOn{.function_declaration =
                                                    "function() { return topodb.placeOf(this); }",
                                                .object_id = element.object.object_id,
                                                .return_by_value = true},
                   timeout));
  if (place.exception) {
    return Error{ErrorCode::kProtocol,
                 "looking for its place failed: " + place.exception->description, ""};
  }
  simdjson::dom::parser parser;
  int64_t index = 0;
  if (parser.parse(place.result.value_json)["owner"].get(index) != simdjson::SUCCESS) {
    return Error{ErrorCode::kProtocol, "the page's answer is no JSON", ""};
  }
  frame.owner = static_cast<uint32_t>(index);
  return std::move(place.result.value_json);
}

}  // namespace topodb::capture
