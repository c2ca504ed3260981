#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "schema/model.h"
#include "store/kv.h"
#include "store/rows.h"
#include "store/values.h"

namespace topodb::store {

// Where the next record of each kind in a state goes.
struct StateSlots {
  StateOrdinal ordinal = 0;
  uint32_t elements = 0, skips = 0, failures = 0, landmarks = 0, observations = 0;
};

// What the writer knows of the rows of its run so far.
struct RunProgress {
  RunNumber number = 0;
  IdScheme id_scheme = IdScheme::kTopodb1;
  std::unordered_map<StateId, StateSlots> states;
  StateSlots no_state{.ordinal = kNoState};
  StateOrdinal next_state = 0;
  uint32_t next_edge = 0;
  Totals totals;
};

// One call of the sink in the making: gathers rows against a run's progress, then writes them as
// one batch. Nothing is stored and no progress made until Apply succeeds; after an error of Add the
// change is good for nothing but being dropped.
class RunChange {
 public:
  // Both must outlive the change.
  RunChange(Kv& kv, RunProgress& progress);

  Status Add(const StateBundle& bundle);
  Status Add(const Transition& transition);
  Status Add(const FailedObservation& failure);
  Status Add(const CompletionObservation& observation);
  Status Add(const StateObservation& observation);
  Status Add(const std::vector<ForeignId>& ids);

  Status Apply(Durability durability) &&;

 private:
  Status AddState(const State& state);
  Status AddElement(const Element& element);
  Status AddLandmark(const Landmark& landmark);
  Status AddSkip(const SkippedAction& skip);
  Status AddNewEdge(const ActionEdge& edge);
  // Lets a stored edge list the destination of `again`, which has the same id.
  Status AddDestination(const IdentityRow& stored, const ActionEdge& again);

  // The ordinals of those destinations that are states of the run; in a run of our own, all must
  // be.
  Result<std::vector<StateOrdinal>> OrdinalsOf(const std::vector<StateId>& destinations);
  // The slots of a state, to be changed; of no state when a foreign run has no such state.
  Result<StateSlots*> SlotsOf(const StateId& id);
  // Whether a record of that kind and id is stored or part of this change; then remembers it.
  Result<bool> SeenBefore(RecordKind kind, const IdBytes& id);

  void Insert(std::vector<Row> rows);
  // Rewrites rows that keep their keys; the first one is the record's own.
  void Rewrite(std::vector<Row> rows, const std::string& old_record);

  Kv& kv_;
  RunProgress& progress_;
  Batch batch_;
  Totals totals_;
  StateOrdinal next_state_;
  uint32_t next_edge_;
  StateSlots no_state_;
  std::unordered_map<StateId, StateSlots> touched_;
  std::set<std::pair<RecordKind, IdBytes>> ids_;
};

}  // namespace topodb::store
