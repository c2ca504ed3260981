#pragma once

#include <map>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::query {

// All records of one run in memory, each list in stored order.
struct RunGraph {
  Run run;
  std::vector<State> states;
  std::vector<Element> elements;
  std::vector<ActionEdge> edges;
  std::vector<SkippedAction> skips;
  std::vector<FailedObservation> failures;
  std::vector<CompletionObservation> observations;
  std::map<IdBytes, std::string> foreign_ids;  // imported runs: what their ids were called
};

Result<RunGraph> LoadRunGraph(const store::GraphReader& reader, const store::StoredRun& run);

// Begins, fills and publishes a run; foreign ids are left out.
Status WriteRunGraph(GraphSink& sink, const RunGraph& graph);

}  // namespace topodb::query
