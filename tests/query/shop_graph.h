#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "query/diff.h"
#include "query/diff_text.h"
#include "schema/fingerprint.h"
#include "store/graph_writer.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"
#include "tests/support/run_graph.h"

// The graph that the tests of diff change.
namespace topodb::query {

// Ids and anchors follow from what the records say now.
inline void Reidentify(RunGraph& graph) {
  std::map<std::pair<StateId, AnchorKey>, uint32_t> equal;
  std::map<ElementId, ElementId> elements;
  for (Element& element : graph.elements) {
    const ElementId old = element.id;
    element.anchor_key = ComputeAnchorKey(element);
    element.id = ComputeElementId(element.state_id, element,
                                  equal[{element.state_id, element.anchor_key}]++);
    elements[old] = element.id;
  }
  const auto renew = [&](ElementId& id) {
    if (const auto found = elements.find(id); found != elements.end()) id = found->second;
  };
  std::map<EdgeId, EdgeId> edges;
  for (ActionEdge& edge : graph.edges) {
    renew(edge.element_id);
    const EdgeId old = edge.id;
    edge.id =
        ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, edge.action_params);
    edges[old] = edge.id;
  }
  for (State& state : graph.states) {
    if (!state.opened_by_edge_id) continue;
    if (const auto found = edges.find(*state.opened_by_edge_id); found != edges.end()) {
      state.opened_by_edge_id = found->second;
    }
  }
  for (SkippedAction& skip : graph.skips) {
    renew(skip.element_id);
    skip.id = ComputeSkipId(skip.state_id, skip.element_id, skip.action_type, skip.reason);
  }
  for (FailedObservation& failure : graph.failures) {
    if (failure.element_id) renew(*failure.element_id);
    failure.id =
        ComputeFailureId(failure.state_id, failure.element_id, failure.action_type, failure.reason);
  }
}

inline Element& Find(RunGraph& graph, std::string_view name, size_t state = 0) {
  const auto found = std::ranges::find_if(graph.elements, [&](const Element& element) {
    return element.accessible_name == name && element.state_id == graph.states.at(state).id;
  });
  EXPECT_NE(graph.elements.end(), found) << name;
  return *found;
}

inline void Remove(RunGraph& graph, const Element& element) {
  const ElementId id = element.id;
  const auto about = [&](const auto& record) { return record.element_id == id; };
  std::erase_if(graph.elements, [&](const Element& e) { return e.id == id; });
  std::erase_if(graph.edges, about);
  std::erase_if(graph.skips, about);
  std::erase_if(graph.failures, about);
}

inline void SetAttribute(Element& element, std::string name, std::string value) {
  std::erase_if(element.attributes, [&](const NameValue& pair) { return pair.first == name; });
  element.attributes.emplace_back(std::move(name), std::move(value));
  std::ranges::sort(element.attributes);
}

inline void Add(RunGraph& graph, const StateBundle& bundle) {
  graph.states.push_back(bundle.state);
  graph.elements.insert(graph.elements.end(), bundle.elements.begin(), bundle.elements.end());
}

// Home (with a table of two customers), Docs and Cart; both open from home.
inline RunGraph Shop() {
  StateBundle home = testing::BuildState("/", {{"link", "Docs", "a"},
                                               {"link", "Cart", "a"},
                                               {"button", "Edit", "button"},
                                               {"textbox", "Search", "input"},
                                               {"button", "Delete account", "button"},
                                               {"button", "Later", "button"}});
  SetAttribute(home.elements[0], "href", "/docs");
  SetAttribute(home.elements[1], "href", "https://shop.test/cart");
  home.elements[2].context = {{ContextKind::kRow, "row", "Acme Co 12", std::nullopt, "Acme Co"}};
  SetAttribute(home.elements[2], "data-testid", "edit-acme");
  home.elements[3].parameter_surface = ParameterSurface{.name = "q", .input_type = "text"};
  home.elements[5].interactability.enabled = false;
  const StateBundle docs = testing::BuildState("/docs", {{"link", "Cart", "a"}});
  const StateBundle cart = testing::BuildState("/cart", {{"button", "Later", "button"}});
  RunGraph graph;
  graph.run = testing::BuildRun("shop");
  graph.run.budgets = {{"max-actions", 50, false}, {"max-depth", 1, true}};
  for (const StateBundle& bundle : {home, docs, cart}) Add(graph, bundle);
  graph.edges = {testing::BuildEdge(home, 0, docs.state.id),
                 testing::BuildEdge(home, 1, cart.state.id)};
  graph.states[1].opened_by_edge_id = graph.edges[0].id;
  graph.states[2].opened_by_edge_id = graph.edges[1].id;
  graph.skips = {testing::BuildSkip(home.elements[4])};
  graph.failures = {testing::BuildFailure(home.elements[5]),
                    testing::BuildEarlyFailure(FailureReason::kNetworkError)};
  Reidentify(graph);
  return graph;
}

// The diff of two graphs, each stored in a database of its own.
inline Result<Diff> DiffGraphs(const RunGraph& before, const RunGraph& after,
                               const DiffOptions& options) {
  testing::MemKv kv_before, kv_after;
  const auto store = [](testing::MemKv& kv, const RunGraph& graph) {
    store::GraphWriter writer(kv, store::Durability::kProcess);
    return WriteRunGraph(writer, graph);
  };
  TOPODB_TRY_VOID(store(kv_before, before));
  TOPODB_TRY_VOID(store(kv_after, after));
  const store::GraphReader was(kv_before), is(kv_after);
  TOPODB_TRY(const store::StoredRun run_was, was.FindRun("latest"));
  TOPODB_TRY(const store::StoredRun run_is, is.FindRun("latest"));
  return DiffRuns(was, run_was, is, run_is, options);
}

inline std::vector<std::string> Lines(const RunGraph& before, const RunGraph& after,
                                      const DiffOptions& options = {}) {
  const auto diff = DiffGraphs(before, after, options);
  EXPECT_TRUE(diff) << diff.error().message;
  std::vector<std::string> lines;
  for (const DiffLine& line : DescribeDiff(*diff)) lines.push_back(line.text);
  return lines;
}

}  // namespace topodb::query
