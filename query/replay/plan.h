#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

// Which recorded edges a replay performs, and how it gets to each.
namespace topodb::replay {

// One run, as far as replaying needs it in memory.
class RecordedRun {
 public:
  // kNotFound when there is no such run, or it has no state.
  static Result<RecordedRun> Load(const store::GraphReader& reader, store::RunNumber number);

  const Run& run() const { return run_; }
  const State& entry() const { return states_.front(); }
  const State* FindState(const StateId& id) const;
  const std::vector<ActionEdge>& edges() const { return edges_; }

  // Indices into edges() of the shortest recorded path; the first in stored order among equals.
  // Empty when the states are one; nullopt when no path was recorded.
  std::optional<std::vector<size_t>> ShortestPath(const StateId& from, const StateId& to) const;

 private:
  Run run_;
  std::vector<State> states_;      // stored order, the entry first
  std::vector<ActionEdge> edges_;  // stored order
  std::map<StateId, size_t> state_numbers_;
  std::map<StateId, std::vector<size_t>> leaving_;
};

struct Selection {
  std::vector<EdgeId> edges = {};    // empty: by `from` and `to`
  std::optional<StateId> from = {};  // alone: every edge that leaves it
  std::optional<StateId> to = {};    // the shortest path to it, from `from` or the entry
};

// Indices into run.edges(); nothing selected: all, in stored order. kNotFound for an edge or state
// that the run does not have, and for a path that was not recorded.
Result<std::vector<size_t>> SelectEdges(const RecordedRun& run, const Selection& selection);

}  // namespace topodb::replay
