#include "capture/browser/shadow_roots.h"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "capture/cdp/protocol/dom.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {
namespace {

namespace dom = cdp::dom;
namespace runtime = cdp::runtime;

std::optional<int64_t> ClosedRootOf(const dom::DescribeNode::Reply& host) {
  for (const dom::ShadowRoot& root : host.shadow_roots) {
    if (root.type == "closed") return root.backend_node_id;
  }
  return std::nullopt;
}

}  // namespace

Result<bool> OpenShadowRoots(const FrameWorld& world, uint32_t count, Millis timeout) {
  cdp::Session& session = *world.session;
  std::vector<cdp::Pending<runtime::Evaluate>> asked;
  for (uint32_t i = 0; i < count; ++i) {
    asked.push_back(
        session.Start(runtime::Evaluate{.expression = fmt::format("topodb.unopened[{}]", i),
                                        .unique_context_id = world.context_id}));
  }
  std::vector<cdp::Pending<dom::DescribeNode>> described;
  for (auto& pending : asked) {
    TOPODB_TRY(const auto host, pending.Await(timeout));
    described.push_back(
        session.Start(dom::DescribeNode{.object_id = host.result.object_id, .depth = 0}));
  }
  std::vector<std::optional<cdp::Pending<dom::ResolveNode>>> resolved;
  bool any = false;
  for (auto& pending : described) {
    TOPODB_TRY(const auto host, pending.Await(timeout));
    const auto root = ClosedRootOf(host);
    resolved.emplace_back();
    if (!root) continue;
    any = true;
    resolved.back().emplace(session.Start(dom::ResolveNode{
        .backend_node_id = *root, .execution_context_id = world.short_context_id}));
  }
  std::vector<runtime::CallArgument> roots;
  for (auto& pending : resolved) {
    if (!pending) {
      roots.push_back({.value_json = "null"});
      continue;
    }
    TOPODB_TRY(const auto root, pending->Await(timeout));
    roots.push_back({.object_id = root.object.object_id});
  }
  TOPODB_TRY_VOID(
      session.Call(runtime::CallFunctionOn{.function_declaration =
                                               "function(...roots) { topodb.open(...roots); }",
                                           .unique_context_id = world.context_id,
                                           .arguments = std::move(roots)},
                   timeout));
  return any;
}

}  // namespace topodb::capture
