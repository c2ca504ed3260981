#include "capture/explore/attempt.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capture/explore/effects.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::capture {
namespace {

struct Found {
  const SnapshotNode* node = nullptr;  // into the snapshot; null: not there
  Element element;
};

// By element id, which is made of the id that the state has, so that it holds on a drifted page
// too.
Found FindElement(const PageSnapshot& snapshot, const KnownState& known, const ElementId& id) {
  State state = BuildState(snapshot, known.unstable);
  state.id = known.id;
  auto elements = BuildElements(snapshot, state);
  const auto it = std::ranges::find(elements, id, &Element::id);
  if (it == elements.end()) return {};
  return {.node = &snapshot.nodes[static_cast<size_t>(it - elements.begin())],
          .element = std::move(*it)};
}

void Append(std::vector<RequestSeen>& to, const std::vector<RequestSeen>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::optional<Refusal> OpenEntry(PageDriver& driver, const std::string& entry_url, Visit& visit) {
  if (const auto reset = driver.Reset(); !reset) {
    visit.browser_lost = reset.error().code == ErrorCode::kBrowserGone;
    return RefusalOf(DriverCall::kReset, reset.error());
  }
  const auto load = driver.Navigate(entry_url);
  if (!load) return RefusalOf(DriverCall::kNavigate, load.error());
  Append(visit.requests, load->events.requests);
  return std::nullopt;
}

// Looks at the page, which should show state `number`.
std::optional<Refusal> Arrive(PageDriver& driver, const KnownStates& known, size_t number,
                              Visit& visit) {
  auto snapshot = driver.Snapshot();
  if (!snapshot) return RefusalOf(DriverCall::kSnapshot, snapshot.error());
  if (known.Compare(number, *snapshot) == Sameness::kOther) {
    return Refusal{FailureReason::kStatePreconditionMissing,
                   fmt::format("the recorded path led to another state than {} (at {})",
                               known[number].id.ToString(), snapshot->url)};
  }
  visit.seen.emplace_back(number, *std::move(snapshot));
  return std::nullopt;
}

std::optional<Refusal> Step(PageDriver& driver, const KnownStates& known, const PathStep& step,
                            Visit& visit) {
  const Found found = FindElement(visit.seen.back().second, known[step.state], step.element);
  if (found.node == nullptr) {
    return Refusal{
        FailureReason::kStatePreconditionMissing,
        fmt::format("element {} of the recorded path is no longer there", step.element.ToString())};
  }
  const auto report = driver.Perform(found.node->ref, step.request);
  if (!report) return RefusalOf(DriverCall::kPerform, report.error());
  Append(visit.requests, report->scroll_events.requests);
  Append(visit.requests, report->events.requests);
  if (const auto refusal = RefusalOf(*report)) {
    return Refusal{FailureReason::kStatePreconditionMissing,
                   "a step of the recorded path could not be repeated: " + refusal->message};
  }
  return std::nullopt;
}

std::optional<Refusal> FollowPath(PageDriver& driver, const std::string& entry_url,
                                  const KnownStates& known, size_t number, Visit& visit) {
  if (auto refusal = OpenEntry(driver, entry_url, visit)) return refusal;
  for (const PathStep& step : known[number].path) {
    if (auto refusal = Arrive(driver, known, step.state, visit)) return refusal;
    if (auto refusal = Step(driver, known, step, visit)) return refusal;
  }
  return Arrive(driver, known, number, visit);
}

// The action and what came of it; the report and effects are kept even when it makes no edge.
std::optional<Refusal> Act(PageDriver& driver, const KnownStates& known, const Candidate& candidate,
                           const ScopeCheck& in_scope, Attempt& attempt) {
  const PageSnapshot& before = attempt.visit.seen.back().second;
  const Found found = FindElement(before, known[candidate.state], candidate.element);
  if (found.node == nullptr) {
    return Refusal{FailureReason::kLocatorNotFound,
                   "the element is no longer there when its state is visited again"};
  }
  attempt.target = BuildTargetIdentity(before, *found.node);
  auto report = driver.Perform(found.node->ref, candidate.request);
  if (!report) return RefusalOf(DriverCall::kPerform, report.error());
  attempt.report = *std::move(report);
  std::optional<Refusal> blind;
  if (attempt.report.outcome != ActionOutcome::kDispatched &&
      attempt.report.outcome != ActionOutcome::kUnconfirmed) {
    attempt.effects = BlockedRequestEffects(attempt.report.events.requests);
    return JudgeAction({.report = attempt.report,
                        .own_requests = attempt.visit.requests,
                        .after = nullptr,
                        .effects = attempt.effects},
                       in_scope);
  }
  auto after = driver.Snapshot();
  if (after) {
    attempt.after = *std::move(after);
  } else {
    blind = RefusalOf(DriverCall::kSnapshot, after.error());
  }
  const PageSnapshot* seen = attempt.after ? &*attempt.after : nullptr;
  attempt.effects = ObserveEffects(
      {.before = before, .after = seen, .acted = found.element, .report = attempt.report});
  auto verdict = JudgeAction({.report = attempt.report,
                              .own_requests = attempt.visit.requests,
                              .after = seen,
                              .effects = attempt.effects},
                             in_scope);
  // Only what the page did before it was lost weighs more than its loss.
  if (blind && (!verdict || verdict->reason == FailureReason::kEffectNotObserved)) return blind;
  return verdict;
}

}  // namespace

Visit Reach(PageDriver& driver, const std::string& entry_url, const KnownStates& known,
            size_t number) {
  Visit visit;
  visit.refusal = FollowPath(driver, entry_url, known, number, visit);
  return visit;
}

Attempt Try(PageDriver& driver, const std::string& entry_url, const KnownStates& known,
            const Candidate& candidate, const ScopeCheck& in_scope) {
  Attempt attempt;
  attempt.visit = Reach(driver, entry_url, known, candidate.state);
  attempt.refusal = attempt.visit.refusal ? attempt.visit.refusal
                                          : Act(driver, known, candidate, in_scope, attempt);
  return attempt;
}

}  // namespace topodb::capture
