#include "query/run_graph.h"

#include <deque>

#include "store/keys.h"

namespace topodb::query {
namespace {

template <class Key, class Value>
const Value* FindIn(const std::unordered_map<Key, const Value*>& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

template <class Value>
const std::vector<const Value*>& ListIn(
    const std::unordered_map<StateId, std::vector<const Value*>>& map, const StateId& key) {
  static const std::vector<const Value*> kNone;
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}

}  // namespace

Result<RunGraph> LoadRunGraph(const store::GraphReader& reader, const store::StoredRun& run) {
  RunGraph graph;
  graph.run = run.run;
  TOPODB_TRY(graph.states, reader.States(run.number));
  TOPODB_TRY(graph.elements, reader.Elements(run.number));
  TOPODB_TRY(graph.edges, reader.Edges(run.number));
  TOPODB_TRY(graph.skips, reader.Skips(run.number));
  TOPODB_TRY(graph.failures, reader.Failures(run.number));
  TOPODB_TRY(graph.observations, reader.Observations(run.number));
  const store::KeyRange range = store::RangeOf(store::Kind::kForeignId, run.number);
  const auto row = reader.kv().Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
    graph.foreign_ids.emplace(key.id, row->value());
  }
  TOPODB_TRY_VOID(row->status());
  return graph;
}

GraphIndex::GraphIndex(const RunGraph& graph) : graph_(graph) {
  for (const State& state : graph.states) states_.emplace(state.id, &state);
  for (const Element& element : graph.elements) {
    elements_.emplace(element.id, &element);
    elements_of_[element.state_id].push_back(&element);
  }
  for (const ActionEdge& edge : graph.edges) {
    edges_.emplace(edge.id, &edge);
    edges_from_[edge.from_state_id].push_back(&edge);
  }
  MeasureDepths();
}

const State* GraphIndex::Find(const StateId& id) const { return FindIn(states_, id); }
const Element* GraphIndex::Find(const ElementId& id) const { return FindIn(elements_, id); }
const ActionEdge* GraphIndex::Find(const EdgeId& id) const { return FindIn(edges_, id); }

const std::vector<const Element*>& GraphIndex::ElementsOf(const StateId& id) const {
  return ListIn(elements_of_, id);
}

const std::vector<const ActionEdge*>& GraphIndex::EdgesFrom(const StateId& id) const {
  return ListIn(edges_from_, id);
}

std::optional<uint32_t> GraphIndex::DepthOf(const StateId& id) const {
  const auto found = depths_.find(id);
  if (found == depths_.end()) return std::nullopt;
  return found->second;
}

void GraphIndex::MeasureDepths() {
  if (graph_.states.empty()) return;
  std::deque<StateId> open = {graph_.states.front().id};
  depths_[open.front()] = 0;
  while (!open.empty()) {
    const StateId state = open.front();
    open.pop_front();
    for (const ActionEdge* edge : EdgesFrom(state)) {
      if (!edge->to_state_id) continue;
      const bool is_new = depths_.emplace(*edge->to_state_id, depths_[state] + 1).second;
      if (is_new) open.push_back(*edge->to_state_id);
    }
  }
}

}  // namespace topodb::query
