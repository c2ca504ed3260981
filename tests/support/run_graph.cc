#include "tests/support/run_graph.h"

#include <optional>

#include "store/keys.h"

namespace topodb::query {

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

Status WriteRunGraph(GraphSink& sink, const RunGraph& graph) {
  TOPODB_TRY_VOID(sink.BeginRun(graph.run));
  for (const State& state : graph.states) {
    StateBundle bundle;
    bundle.state = state;
    const auto take = [&](const auto& records, auto& taken) {
      for (const auto& record : records) {
        if (record.state_id == state.id) taken.push_back(record);
      }
    };
    take(graph.elements, bundle.elements);
    take(graph.skips, bundle.skips);
    take(graph.failures, bundle.failures);
    TOPODB_TRY_VOID(sink.AddState(bundle));
  }
  for (const ActionEdge& edge : graph.edges) {
    TOPODB_TRY_VOID(sink.AddTransition({.edge = edge, .new_state = std::nullopt}));
  }
  for (const FailedObservation& failure : graph.failures) {
    if (!failure.state_id) TOPODB_TRY_VOID(sink.AddFailure(failure));
  }
  return sink.EndRun(graph.run);
}

}  // namespace topodb::query
