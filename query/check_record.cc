#include "query/check_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/fingerprint.h"
#include "schema/names.h"

namespace topodb::query {
namespace {

class Problems {
 public:
  explicit Problems(IdScheme scheme) : own_(scheme == IdScheme::kTopodb1) {}

  // Whether our own recipes apply.
  bool own() const { return own_; }

  void Add(Invariant invariant, std::string message) {
    problems_.push_back({invariant, std::move(message)});
  }

  template <class Tag>
  void RequireId(const Id<Tag>& stored, const Id<Tag>& computed, std::string_view what) {
    if (!own_ || stored == computed) return;
    Add(Invariant::kIdDerived,
        fmt::format("{} is made of what gives {}", what, computed.ToString()));
  }

  void RequireEvidence(const std::vector<Evidence>& evidence, std::string_view of) {
    if (own_ && evidence.empty()) {
      Add(Invariant::kEvidence, fmt::format("{} has no evidence", of));
    }
    const bool anonymous = std::any_of(evidence.begin(), evidence.end(),
                                       [](const Evidence& piece) { return piece.source.empty(); });
    if (anonymous) Add(Invariant::kEvidence, fmt::format("evidence of {} names no source", of));
  }

  std::vector<RecordProblem> Take() { return std::move(problems_); }

 private:
  bool own_;
  std::vector<RecordProblem> problems_;
};

}  // namespace

std::vector<RecordProblem> ProblemsOf(const State& state, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(state.id, ComputeStateId(state.identity_parts), "the state");
  problems.RequireEvidence(state.evidence, "the state");
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const Element& element, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(element.anchor_key, ComputeAnchorKey(element), "the anchor key");
  problems.RequireEvidence(element.evidence, "the element");
  for (const Locator& locator : element.locators) {
    problems.RequireId(locator.id, ComputeLocatorId(element.id, locator.expression),
                       "locator " + locator.id.ToString());
    problems.RequireEvidence(locator.evidence, "locator " + locator.id.ToString());
  }
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const ActionEdge& edge, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(
      edge.id,
      ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, edge.action_params),
      "the edge");
  problems.RequireEvidence(edge.evidence, "the edge");
  if (!problems.own()) return problems.Take();
  if (!edge.to_state_id) problems.Add(Invariant::kEdgeEnds, "the edge leads nowhere");
  const bool conflicted = edge.lifecycle == Lifecycle::kConflicted;
  if (!edge.other_to_state_ids.empty() && !conflicted) {
    problems.Add(Invariant::kEdgeEnds, "the edge leads to several states and is not conflicted");
  }
  if (edge.effects.empty()) problems.Add(Invariant::kEdgeEffect, "the edge had no effect");
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const SkippedAction& skip, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(skip.id,
                     ComputeSkipId(skip.state_id, skip.element_id, skip.action_type, skip.reason),
                     "the skip");
  problems.RequireEvidence(skip.evidence, "the skip");
  const std::string reason = fmt::format("blocked:{}", ToString(skip.risk_category));
  if (skip.reason != reason) {
    problems.Add(Invariant::kSkipReason,
                 fmt::format("the reason is \"{}\", not \"{}\"", skip.reason, reason));
  }
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const FailedObservation& failure, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(
      failure.id,
      ComputeFailureId(failure.state_id, failure.element_id, failure.action_type, failure.reason),
      "the failure");
  problems.RequireEvidence(failure.evidence, "the failure");
  if (failure.message.empty()) problems.Add(Invariant::kFailureMessage, "the message is empty");
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const CompletionObservation& observation, IdScheme scheme) {
  Problems problems(scheme);
  problems.RequireId(observation.id,
                     ComputeObservationId(observation.state_id, observation.element_id,
                                          observation.action_type, observation.profile),
                     "the observation");
  problems.RequireEvidence(observation.evidence, "the observation");
  const bool complete = observation.status == CompletionStatus::kComplete;
  if (observation.text.has_value() != complete) {
    problems.Add(Invariant::kCompletionText, complete
                                                 ? "the observation is complete and has no text"
                                                 : "the observation has a text without proof");
  }
  if (observation.proof.finished != complete) {
    problems.Add(Invariant::kCompletionText,
                 fmt::format("the observation is {} and its proof says otherwise",
                             ToString(observation.status)));
  }
  return problems.Take();
}

std::vector<RecordProblem> ProblemsOf(const Landmark& landmark, IdScheme scheme) {
  Problems problems(scheme);
  if (landmark.identity.ids.empty() && landmark.identity.name.empty() && problems.own()) {
    problems.Add(Invariant::kLandmarkName, "the landmark has neither id nor name");
  }
  return problems.Take();
}

}  // namespace topodb::query
