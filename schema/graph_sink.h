#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb {

// A state with everything that is known the moment it is first seen. Stored as one atomic batch.
struct StateBundle {
  State state;
  std::vector<Element> elements;  // document order
  std::vector<Landmark> landmarks;
  std::vector<SkippedAction> skips;
  std::vector<FailedObservation> failures;
  bool operator==(const StateBundle&) const = default;
};

// An action edge, with its destination when that state is new.
struct Transition {
  ActionEdge edge;
  std::optional<StateBundle> new_state;
  bool operator==(const Transition&) const = default;
};

// A state was observed again: what differed, and whether its identity held.
struct StateObservation {
  StateId state_id;
  Lifecycle lifecycle = Lifecycle::kFingerprinted;
  std::vector<UnstablePart> unstable_parts;
};

// The text of an imported id, by the bytes that stand for it in the records.
using ForeignId = std::pair<IdBytes, std::string>;

// Write-only graph. Every call is all-or-nothing: after an error nothing of that call is stored.
// Calls come from one thread at a time: BeginRun first, EndRun or DiscardRun last. Records of one
// call are visible to readers only after EndRun returned.
//
// Every state, element and edge that a record refers to is added before it or with it; in a run of
// IdScheme::kForeign dangling references are kept as they are. Ids are unique per kind and run: a
// state, element or landmark seen twice is kInvalidArgument; a skip or failure seen twice is one
// fact and stays as first recorded; for edges see AddTransition.
class GraphSink {
 public:
  virtual ~GraphSink() = default;

  // kInvalidArgument when the run's name or id is taken; kIo, kLocked.
  virtual Status BeginRun(const Run& run) = 0;
  // The records of a bundle belong to its state; in a foreign run they may name another one.
  virtual Status AddState(const StateBundle& bundle) = 0;
  // A known edge id seen with another destination becomes conflicted and lists both; seen with the
  // same destination it stays as first recorded.
  virtual Status AddTransition(const Transition& transition) = 0;
  virtual Status AddFailure(const FailedObservation& failure) = 0;
  // Seen twice, it stays as first recorded.
  virtual Status AddCompletion(const CompletionObservation& observation) = 0;
  // Updates lifecycle and unstable parts of a state added before; never its id.
  virtual Status AddObservation(const StateObservation& observation) = 0;
  // Foreign runs only: what the ids of its records were called. Before or after the records.
  virtual Status AddForeignIds(const std::vector<ForeignId>& ids) = 0;
  // Publishes: `run` with its final status; the sink fills in counts. Durable when it returns.
  virtual Status EndRun(const Run& run) = 0;
  // Ends the run without publishing it: nothing of it remains.
  virtual Status DiscardRun() = 0;
};

}  // namespace topodb
