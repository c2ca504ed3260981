#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/base/result.h"
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

// Lookups over a RunGraph, which must outlive it and stay as it is.
class GraphIndex {
 public:
  explicit GraphIndex(const RunGraph& graph);

  const RunGraph& graph() const { return graph_; }

  // Null when the run has no such record.
  const State* Find(const StateId& id) const;
  const Element* Find(const ElementId& id) const;
  const ActionEdge* Find(const EdgeId& id) const;

  // What belongs to a state, in stored order.
  const std::vector<const Element*>& ElementsOf(const StateId& id) const;
  const std::vector<const ActionEdge*>& EdgesFrom(const StateId& id) const;

  // Edges on the shortest way from the first state; nullopt when no edge leads there.
  std::optional<uint32_t> DepthOf(const StateId& id) const;

  // The id as the run spells it.
  template <class Tag>
  std::string TextOf(const Id<Tag>& id) const {
    const auto foreign = graph_.foreign_ids.find(id.bytes);
    return foreign == graph_.foreign_ids.end() ? id.ToString() : foreign->second;
  }

 private:
  void MeasureDepths();

  const RunGraph& graph_;
  std::unordered_map<StateId, const State*> states_;
  std::unordered_map<ElementId, const Element*> elements_;
  std::unordered_map<EdgeId, const ActionEdge*> edges_;
  std::unordered_map<StateId, std::vector<const Element*>> elements_of_;
  std::unordered_map<StateId, std::vector<const ActionEdge*>> edges_from_;
  std::unordered_map<StateId, uint32_t> depths_;
};

}  // namespace topodb::query
