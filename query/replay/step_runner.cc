#include "query/replay/step_runner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "query/replay/arrival.h"
#include "query/replay/outcome.h"
#include "schema/identity/classify.h"
#include "schema/names.h"

namespace topodb::replay {
namespace {

using capture::ActionOutcome;

void Diverge(StepReport& step, std::string kind, Cause cause, const PageSnapshot* page) {
  Divergence divergence;
  divergence.kind = std::move(kind);
  divergence.cause = std::move(cause);
  divergence.screen_available = page != nullptr;
  if (page != nullptr) divergence.screen_refs = ScreenRefs(*page);
  step.verdict = StepVerdict::kDiverged;
  step.divergence = std::move(divergence);
}

void Skip(StepReport& step, std::string reason) {
  step.verdict = StepVerdict::kSkipped;
  step.reason = std::move(reason);
}

struct OutcomeName {
  const char* kind;
  const char* code;
  const char* message;
};

// Path 7 and 8 of the verification: the target was right, but no event reached it for certain.
OutcomeName NameOf(ActionOutcome outcome) {
  switch (outcome) {
    case ActionOutcome::kStale:
      return {"dispatch-mismatch", "stale", "the target changed before it could be acted on"};
    case ActionOutcome::kNotVisible:
      return {"not-actionable", "hidden", "the target is hidden"};
    case ActionOutcome::kDisabled:
      return {"not-actionable", "disabled", "the target is disabled"};
    case ActionOutcome::kObscured:
      return {"not-actionable", "obscured", "the target is covered"};
    case ActionOutcome::kOffscreen:
      return {"not-actionable", "offscreen", "the target cannot be scrolled into view"};
    case ActionOutcome::kUnstable:
      return {"not-actionable", "unstable", "the target does not come to rest"};
    case ActionOutcome::kWrongReceiver:
      return {"dispatch-mismatch", "wrong-receiver",
              "another node caught the event; it was stopped"};
    case ActionOutcome::kUnconfirmed:
      return {"dispatch-unconfirmed", "no-receipt", "nothing confirms that the target was reached"};
    case ActionOutcome::kNotTaken:
      return {"not-actionable", "not-taken", "the target does not take what was to be entered"};
    case ActionOutcome::kDispatched:
      break;
  }
  return {"", "", ""};
}

void RefuseIdOfAnother(const RecordedEdge& recorded, const PageSnapshot& page,
                       Classification& classification) {
  if (!classification.winner || recorded.source == nullptr) return;
  auto other =
      IdOfAnother(recorded.edge, recorded.source->elements, page.nodes[*classification.winner]);
  if (!other) return;
  classification.kind = BindingKind::kIdentityMismatch;
  classification.cause = "id-of-another";
  classification.observed = std::exchange(classification.winner, std::nullopt);
  classification.mismatches = {*std::move(other)};
}

// Whether the state recorded behind the action may be what its window showed.
bool LeadsIntoWindow(const ActionEdge& edge) {
  return edge.from_state_id != edge.to_state_id &&
         std::ranges::find(edge.effects, EffectType::kPopup, &Effect::type) != edge.effects.end();
}

std::optional<std::string> GivenValue(const Element& element,
                                      const std::vector<NameValue>& values) {
  const auto control = element.parameter_surface ? element.parameter_surface->name : std::nullopt;
  for (const auto& [name, value] : values) {
    if (!name.empty() && (name == control || name == element.accessible_name)) return value;
  }
  return std::nullopt;
}

bool IsAddress(const std::string& url) { return !url.empty() && !url.starts_with("javascript:"); }

}  // namespace

bool StepRunner::InScope(const std::string& url) const {
  return !options_.in_scope || options_.in_scope(url);
}

// The page, or the browser, is lost or does not answer: the report must not look healthier.
void StepRunner::FailStep(const Error& error, StepReport& step) {
  browser_gone_ = browser_gone_ || error.code == ErrorCode::kBrowserGone;
  const bool crashed =
      error.code == ErrorCode::kTargetCrashed || error.code == ErrorCode::kBrowserGone;
  Diverge(step, crashed ? "page-crashed" : "action-failure",
          {std::string(ToString(error.code)), error.message, error.hint}, nullptr);
}

Status StepRunner::OpenEntry() {
  requests_.clear();
  const auto note = [&](Error error) {
    browser_gone_ = browser_gone_ || error.code == ErrorCode::kBrowserGone;
    return std::move(error).With("while opening the entry page");
  };
  if (auto reset = driver_.Reset(); !reset) return note(std::move(reset).error());
  auto load = driver_.Navigate(base_.entry());
  if (!load) return note(std::move(load).error());
  requests_ = std::move(load->events.requests);
  return {};
}

bool StepRunner::Look(StepReport& step) {
  auto snapshot = driver_.Snapshot();
  if (!snapshot) {
    FailStep(snapshot.error(), step);
    return false;
  }
  page_ = base_.ToRecorded(*std::move(snapshot));
  return true;
}

bool StepRunner::IsEntry(const RecordedPlace& entry, StepReport& step) {
  if (!Look(step)) return false;
  const ArrivalCheck check = CheckArrival(entry, page_);
  if (check.arrival != Arrival::kNo || IsDriftedFrom(entry, page_)) return true;
  Diverge(step, "source-state-mismatch",
          {"entry-state", "the entry page is not the recorded state",
           "capture the site again, or say with --base where it is"},
          &page_);
  step.divergence->outcome = check.mismatches;
  step.divergence->repair_hint = RepairHint::kStateRepair;
  return false;
}

ActionClass StepRunner::ClassOf(const RecordedEdge& recorded, size_t node) const {
  const SnapshotNode& live = page_.nodes[node];
  const auto verdict =
      policy_.Assess(live.element, live.hints, recorded.edge.action_type, options_.allowed);
  return ActionClassOf(verdict.category);
}

// The policy, the scope and the rule on positions, asked about the live node.
bool StepRunner::MayAct(const RecordedEdge& recorded, const Binding& binding, StepReport& step) {
  const size_t node = *binding.classification.winner;
  const SnapshotNode& live = page_.nodes[node];
  const auto verdict =
      policy_.Assess(live.element, live.hints, recorded.edge.action_type, options_.allowed);
  if (!verdict.allowed) {
    Skip(step, fmt::format("risk:{}", ToString(verdict.category)));
    return false;
  }
  if (IsAddress(live.hints.href) && !InScope(live.hints.href)) {
    Skip(step, "out-of-scope");
    return false;
  }
  const bool positional = binding.classification.kind == BindingKind::kPositional;
  if (positional && options_.positional != PositionalTargets::kAllowed &&
      ActionClassOf(verdict.category) == ActionClass::kMutation) {
    step.verdict = StepVerdict::kDiverged;
    step.divergence = DescribeBinding(recorded.edge, binding, page_);
    return false;
  }
  return true;
}

std::optional<size_t> StepRunner::Choose(const RecordedEdge& recorded, StepReport& step) {
  Binding binding = BindTarget(recorded.edge, recorded.element, page_, ActionClass::kMutation);
  if (!binding.classification.winner) {
    // Digits may drift where nothing is changed; whether that is so, the live element decides.
    Binding lenient = BindTarget(recorded.edge, recorded.element, page_, ActionClass::kReveal);
    const auto& winner = lenient.classification.winner;
    if (winner && ClassOf(recorded, *winner) != ActionClass::kMutation) {
      binding = std::move(lenient);
    }
  }
  step.locator = binding.locator;
  RefuseIdOfAnother(recorded, page_, binding.classification);
  if (!binding.classification.winner) {
    step.verdict = StepVerdict::kDiverged;
    step.divergence = DescribeBinding(recorded.edge, binding, page_);
    return std::nullopt;
  }
  if (!MayAct(recorded, binding, step)) return std::nullopt;
  step.digits_drifted = binding.classification.digits_drifted;
  // Kept until the outcome is known, which can only make it worse.
  step.verdict = binding.classification.kind == BindingKind::kPositional
                     ? StepVerdict::kPassedPositional
                     : StepVerdict::kPassed;
  return binding.classification.winner;
}

std::optional<capture::ActionRequest> StepRunner::RequestFor(const RecordedEdge& recorded,
                                                             StepReport& step) const {
  capture::ActionRequest request{.type = recorded.edge.action_type, .value = {}};
  for (const auto& [name, value] : recorded.edge.action_params) {
    // What the run does not hold has to be given.
    if (name == "secret" || name == "file") {
      const auto given = GivenValue(recorded.element, options_.values);
      if (!given) {
        Skip(step, name + "-value");
        return std::nullopt;
      }
      request.value = *given;
    }
    if (name == "value" || name == "key") request.value = value;
  }
  return request;
}

void StepRunner::Run(const RecordedEdge& recorded, StepReport& step) {
  if (!HasRecord(recorded.edge.target)) {
    step.verdict = StepVerdict::kUnverified;
    step.reason = "no-identity-record";
    return;
  }
  if (recorded.destination == nullptr) {
    step.verdict = StepVerdict::kUnverified;
    step.reason = "no-destination-recorded";
    return;
  }
  const auto request = RequestFor(recorded, step);
  if (!request) return;
  const auto node = Choose(recorded, step);
  if (!node) return;
  auto report = driver_.Perform(page_.nodes[*node].ref, *request);
  if (!report) return FailStep(report.error(), step);
  if (report->outcome != ActionOutcome::kDispatched) {
    const OutcomeName name = NameOf(report->outcome);
    const std::string message =
        report->detail.empty() ? name.message : fmt::format("{}: {}", name.message, report->detail);
    return Diverge(step, name.kind, {name.code, message, ""}, &page_);
  }
  const PageSnapshot before = std::move(page_);
  if (!Look(step)) return;
  if (!report->window.empty() && LeadsIntoWindow(recorded.edge) &&
      CheckArrival(*recorded.destination, page_).arrival == Arrival::kNo) {
    if (const auto load = driver_.Navigate(report->window); !load) {
      return FailStep(load.error(), step);
    }
    if (!Look(step)) return;
  }
  Judge(recorded, before, *report, step);
  std::ranges::copy(report->scroll_events.requests, std::back_inserter(requests_));
  std::ranges::copy(report->events.requests, std::back_inserter(requests_));
}

void StepRunner::Judge(const RecordedEdge& recorded, const PageSnapshot& before,
                       const capture::ActionReport& report, StepReport& step) {
  const ActionFacts facts{.edge = recorded.edge,
                          .before = before,
                          .after = page_,
                          .report = report,
                          .own_requests = requests_};
  if (report.completion && report.completion->status != CompletionStatus::kComplete) {
    const CompletionObservation& seen = *report.completion;
    return Diverge(step, "outcome-mismatch",
                   {"completion-unverified",
                    fmt::format("what the action began was not seen to be finished: {} ({})",
                                ToString(seen.status), seen.error_code),
                    seen.retry_hint},
                   &page_);
  }
  if (auto cause = UnexpectedEvent(facts)) {
    return Diverge(step, "outcome-mismatch", *std::move(cause), &page_);
  }
  const bool changed = recorded.source != nullptr && IsRecordedChange({.from = *recorded.source,
                                                                       .to = *recorded.destination,
                                                                       .before = before,
                                                                       .after = page_});
  const ArrivalCheck after = CheckArrival(*recorded.destination, page_);
  step.arrival = after.arrival;
  if (step.arrival == Arrival::kNo && changed) step.arrival = Arrival::kSameChange;
  if (step.arrival == Arrival::kNo) {
    Diverge(step, "outcome-mismatch",
            {"destination", "the action led to another state than recorded", ""}, &page_);
    step.divergence->outcome = after.mismatches;
    return;
  }
  const bool stays = recorded.edge.from_state_id == recorded.edge.to_state_id;
  const Arrival already = CheckArrival(*recorded.destination, before).arrival;
  const bool moved = stays ? SawRecordedEffect(facts) : changed || after.arrival > already;
  if (!moved) {
    Diverge(step, "no-observable-effect",
            {"nothing-changed", "the page was like this before the action", ""}, &page_);
  }
}

}  // namespace topodb::replay
