#pragma once

#include <optional>
#include <vector>

#include "capture/explore/explorer.h"
#include "capture/explore/judgement.h"
#include "capture/risk/risk_policy.h"
#include "schema/graph_sink.h"
#include "schema/snapshot.h"

// Snapshot -> the records of one state. Pure.
namespace topodb::capture {

// State (lifecycle kFingerprinted), elements with their locators, landmarks, and the failures of
// looking (frames and shadow roots that could not be entered). No skips: whether there are any is
// exploring's business.
StateBundle DescribeState(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable,
                          Timestamp now);

// What exploring makes of a state's elements.
struct ElementVerdicts {
  std::vector<SkippedAction> skips;
  std::vector<FailedObservation>
      refusals;                       // elements that cannot be tried; if the state is explored
  std::vector<Candidate> candidates;  // document order; `state` is left to the caller
};

// `elements` are those of `snapshot`, in the same order.
ElementVerdicts AssessElements(const PageSnapshot& snapshot, const std::vector<Element>& elements,
                               const RiskPolicy& policy, const ExploreOptions& options,
                               Timestamp now);

// A failure with its id; `element` and `action` absent for one that concerns the whole state.
FailedObservation MakeFailure(const StateId& state, const std::optional<ElementId>& element,
                              const std::optional<ActionType>& action, const Refusal& refusal,
                              Timestamp now);

}  // namespace topodb::capture
