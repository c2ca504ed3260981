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

// Looks at the page, which should show the state of `stop`.
std::optional<Refusal> Arrive(PageDriver& driver, const Route::Stop& stop, Visit& visit) {
  auto snapshot = driver.Snapshot();
  if (!snapshot) return RefusalOf(DriverCall::kSnapshot, snapshot.error());
  if (Compare(*stop.state, *snapshot) == Sameness::kOther) {
    return Refusal{FailureReason::kStatePreconditionMissing,
                   fmt::format("the recorded path led to another state than {} (at {})",
                               stop.state->id.ToString(), snapshot->url)};
  }
  visit.seen.emplace_back(stop.number, *std::move(snapshot));
  return std::nullopt;
}

std::optional<Refusal> Step(PageDriver& driver, const KnownState& known, const PathStep& step,
                            Visit& visit) {
  const Found found = FindElement(visit.seen.back().second, known, step.element);
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
  if (step.landing == Landing::kPage) return std::nullopt;
  if (report->window.empty()) {
    return Refusal{FailureReason::kStatePreconditionMissing,
                   "a step of the recorded path no longer opens its window"};
  }
  const auto load = driver.Navigate(report->window);
  if (!load) return RefusalOf(DriverCall::kNavigate, load.error());
  Append(visit.requests, load->events.requests);
  return std::nullopt;
}

std::optional<Refusal> Follow(PageDriver& driver, const std::string& entry_url, const Route& route,
                              Visit& visit) {
  if (auto refusal = OpenEntry(driver, entry_url, visit)) return refusal;
  for (size_t i = 0; i < route.steps.size(); ++i) {
    if (auto refusal = Arrive(driver, route.stops[i], visit)) return refusal;
    if (auto refusal = Step(driver, *route.stops[i].state, route.steps[i], visit)) return refusal;
  }
  return Arrive(driver, route.stops.back(), visit);
}

// Looks at the window that the action opened, in the place of its page. A window that does not open
// leaves the attempt as it is: the action did what it does.
void LookIntoWindow(PageDriver& driver, const KnownState& known, Attempt& attempt) {
  if (attempt.report.window.empty() || !attempt.after ||
      Compare(known, *attempt.after) != Sameness::kSame) {
    return;
  }
  auto load = driver.Navigate(attempt.report.window);
  if (!load) return;
  auto snapshot = driver.Snapshot();
  if (!snapshot) return;
  attempt.landing = Landing::kWindow;
  attempt.after = *std::move(snapshot);
  attempt.window_load = std::move(load->events);
}

// The action and what came of it; the report and effects are kept even when it makes no edge.
std::optional<Refusal> Act(PageDriver& driver, const KnownState& known, const Candidate& candidate,
                           const ScopeCheck& in_scope, Attempt& attempt) {
  const PageSnapshot& before = attempt.visit.seen.back().second;
  const Found found = FindElement(before, known, candidate.element);
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
  if (!verdict) LookIntoWindow(driver, known, attempt);
  return verdict;
}

}  // namespace

Route RouteTo(const KnownStates& known, size_t number) {
  Route route{.stops = {}, .steps = known[number].path};
  for (const PathStep& step : route.steps) {
    route.stops.push_back({.number = step.state, .state = known.Share(step.state)});
  }
  route.stops.push_back({.number = number, .state = known.Share(number)});
  return route;
}

Visit Reach(PageDriver& driver, const std::string& entry_url, const Route& route) {
  Visit visit;
  visit.refusal = Follow(driver, entry_url, route, visit);
  return visit;
}

Attempt Try(PageDriver& driver, const std::string& entry_url, const Route& route,
            const Candidate& candidate, const ScopeCheck& in_scope) {
  Attempt attempt;
  attempt.visit = Reach(driver, entry_url, route);
  attempt.refusal = attempt.visit.refusal
                        ? attempt.visit.refusal
                        : Act(driver, *route.stops.back().state, candidate, in_scope, attempt);
  return attempt;
}

bool StillHolds(const Attempt& attempt, const Route& route, const Candidate& candidate,
                const KnownStates& known) {
  for (size_t i = 0; i < route.stops.size(); ++i) {
    const KnownState& then = *route.stops[i].state;
    const KnownState& now = known[route.stops[i].number];
    if (now.unstable == then.unstable) continue;
    if (attempt.visit.refusal) return false;  // what is volatile may have been the reason
    const PageSnapshot& seen = attempt.visit.seen[i].second;
    if (Compare(now, seen) == Sameness::kOther) return false;
    const ElementId& acted = i < route.steps.size() ? route.steps[i].element : candidate.element;
    if (FindElement(seen, now, acted).node != FindElement(seen, then, acted).node) return false;
  }
  return true;
}

}  // namespace topodb::capture
