#include "tests/support/explore_harness.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

#include "tests/support/fake_clock.h"

namespace topodb::testing {
namespace {

using Attempted = std::pair<ElementId, ActionType>;

std::string NameOf(const RecordingSink& sink, const ElementId& id) {
  const Element* element = sink.FindElement(id);
  return element == nullptr ? "?" : element->accessible_name.value_or("");
}

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

void CheckOpeners(const RecordingSink& sink, std::vector<std::string>& broken) {
  for (const State& state : sink.states) {
    if (&state == &sink.states.front()) {
      if (state.opened_by_edge_id) broken.push_back("the entry state has an opener");
      continue;
    }
    const auto opener = std::ranges::find_if(
        sink.edges, [&](const ActionEdge& edge) { return state.opened_by_edge_id == edge.id; });
    if (opener == sink.edges.end() || opener->to_state_id != state.id) {
      broken.push_back("no edge opens " + state.id.ToString());
    }
  }
}

}  // namespace

std::vector<std::string> Explored::SkippedNames() const {
  std::vector<std::string> names;
  for (const SkippedAction& skip : sink.skips) names.push_back(NameOf(sink, skip.element_id));
  return Sorted(std::move(names));
}

std::vector<std::string> Explored::FailedNames(FailureReason reason) const {
  std::vector<std::string> names;
  for (const FailedObservation& failure : sink.failures) {
    if (failure.reason != reason) continue;
    names.push_back(failure.element_id ? NameOf(sink, *failure.element_id) : "");
  }
  return Sorted(std::move(names));
}

std::vector<std::string> Explored::EdgeNames() const {
  std::vector<std::string> names;
  for (const ActionEdge& edge : sink.edges) names.push_back(NameOf(sink, edge.element_id));
  return Sorted(std::move(names));
}

bool Explored::Hit(std::string_view budget) const {
  return std::ranges::any_of(outcome->budgets,
                             [&](const Budget& each) { return each.name == budget && each.hit; });
}

namespace {

Result<capture::ExploreOutcome> ExploreTabs(const capture::Tabs& tabs, GraphSink& sink,
                                            capture::ExploreOptions options) {
  options.in_scope = SimSite::InScope;
  FakeClock clock;
  capture::ExploreObserver observer;
  const std::atomic<bool> cancelled = false;
  return capture::Explore(tabs, SimSite::Url("/"), sink, capture::RiskPolicy::BuiltIn(), clock,
                          options, observer, cancelled);
}

}  // namespace

Result<capture::ExploreOutcome> ExploreInto(SimSite& site, GraphSink& sink,
                                            capture::ExploreOptions options) {
  return ExploreTabs({.first = site}, sink, std::move(options));
}

Explored ExploreSite(SimSite& site, capture::ExploreOptions options) {
  RecordingSink sink;
  (void)sink.BeginRun(Run());
  auto outcome = ExploreInto(site, sink, std::move(options));
  return {.outcome = std::move(outcome), .sink = std::move(sink)};
}

Explored ExploreOnTabs(std::vector<SimSite>& sites, capture::ExploreOptions options) {
  RecordingSink sink;
  (void)sink.BeginRun(Run());
  size_t open = 1;
  auto outcome = ExploreTabs(
      {.first = sites.front(),
       .open_another = [&]() -> Result<capture::PageDriver*> { return &sites.at(open++); },
       .limit = static_cast<uint32_t>(sites.size()),
       .worth = 1},
      sink, std::move(options));
  return {.outcome = std::move(outcome), .sink = std::move(sink)};
}

Explored ExploreWithoutMoreTabs(SimSite& site, capture::ExploreOptions options) {
  RecordingSink sink;
  (void)sink.BeginRun(Run());
  auto outcome = ExploreTabs({.first = site,
                              .open_another = []() -> Result<capture::PageDriver*> {
                                return Error{ErrorCode::kTimeout, "no more tabs", ""};
                              },
                              .limit = 2,
                              .worth = 1},
                             sink, std::move(options));
  return {.outcome = std::move(outcome), .sink = std::move(sink)};
}

std::vector<std::string> BrokenInvariants(const RecordingSink& sink) {
  std::vector<std::string> broken = sink.violations;
  std::set<Attempted> edges;
  for (const ActionEdge& edge : sink.edges) {
    edges.emplace(edge.element_id, edge.action_type);
    if (!sink.FindState(edge.from_state_id)) broken.push_back("an edge without its source state");
    if (!edge.to_state_id || !sink.FindState(*edge.to_state_id)) {
      broken.push_back("an edge without its destination");
    }
    if (edge.effects.empty()) broken.push_back("an edge without an effect");
  }
  for (const SkippedAction& skip : sink.skips) {
    if (edges.contains({skip.element_id, skip.action_type}))
      broken.push_back("a skip with an edge");
  }
  for (const FailedObservation& failure : sink.failures) {
    if (!failure.element_id || !failure.action_type) continue;
    if (edges.contains({*failure.element_id, *failure.action_type})) {
      broken.push_back("a failed action with an edge: " + failure.message);
    }
  }
  CheckOpeners(sink, broken);
  return broken;
}

}  // namespace topodb::testing
