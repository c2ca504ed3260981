#pragma once

#include <optional>
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

// Write-only graph. Every call is all-or-nothing: after an error nothing of that call is stored.
// Calls come from one thread at a time, BeginRun first, EndRun last. Records of one call are
// visible to readers only after EndRun returned.
class GraphSink {
 public:
  virtual ~GraphSink() = default;

  // kInvalidArgument when the run's name is taken; kIo, kLocked.
  virtual Status BeginRun(const Run& run) = 0;
  virtual Status AddState(const StateBundle& bundle) = 0;
  // The edge's source state must have been added before. A known edge id seen with another
  // destination becomes conflicted and lists both.
  virtual Status AddTransition(const Transition& transition) = 0;
  virtual Status AddFailure(const FailedObservation& failure) = 0;
  // Updates lifecycle and unstable parts of a state added before; never its id.
  virtual Status AddObservation(const StateObservation& observation) = 0;
  // Publishes: `run` with its final status; the sink fills in counts. Durable when it returns.
  virtual Status EndRun(const Run& run) = 0;
};

}  // namespace topodb
