#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/diff.h"
#include "store/graph_writer.h"
#include "tests/query/shop_graph.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::query {
namespace {

using testing::BuildSkip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- alignment ---------------------------------------------------------------------------------

// Gives a state another id, as a changed heading would.
void ChangeId(RunGraph& graph, size_t state) {
  const StateId old = graph.states[state].id;
  StateId changed = old;
  changed.bytes[0] ^= 0xFF;
  graph.states[state].id = changed;
  for (Element& element : graph.elements) {
    if (element.state_id == old) element.state_id = changed;
  }
  for (ActionEdge& edge : graph.edges) {
    if (edge.from_state_id == old) edge.from_state_id = changed;
    if (edge.to_state_id == old) edge.to_state_id = changed;
  }
  for (SkippedAction& skip : graph.skips) {
    if (skip.state_id == old) skip.state_id = changed;
  }
  for (FailedObservation& failure : graph.failures) {
    if (failure.state_id == old) failure.state_id = changed;
  }
}

// Two of its states are at one address, look alike and come from nowhere.
void MakeOnePage(RunGraph& graph) {
  for (const size_t state : {1U, 2U}) {
    graph.states[state].url_canonical_key = "@entry/app";
    graph.states[state].template_key = "same";
    graph.states[state].opened_by_edge_id.reset();
  }
}

TEST(DiffAlignment, FindsStatesWhoseIdChanged) {
  const RunGraph before = Shop();
  for (const bool other_template : {false, true}) {
    RunGraph after = Shop();
    for (size_t i = 0; i < after.states.size(); ++i) {
      ChangeId(after, i);
      if (other_template) after.states[i].template_key += "x";
    }
    Reidentify(after);
    EXPECT_THAT(Lines(before, after), IsEmpty());
    EXPECT_EQ(3U, DiffGraphs(before, after, {})->aligned_states);
  }
}

TEST(DiffAlignment, TellsStatesOfOneUrlApartByTheEdgeThatOpenedThem) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  for (RunGraph* graph : {&before, &after}) {
    for (const size_t state : {1U, 2U}) graph->states[state].url_canonical_key = "@entry/app";
  }
  for (const size_t state : {1U, 2U}) {
    ChangeId(after, state);
    after.states[state].template_key = "same";
  }
  Reidentify(after);
  EXPECT_THAT(Lines(before, after), IsEmpty());
}

TEST(DiffAlignment, DoesNotGuessBetweenStatesThatLookAlike) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  for (RunGraph* graph : {&before, &after}) {
    MakeOnePage(*graph);
    Find(*graph, "Cart", 1) = Find(*graph, "Later", 2);
    graph->elements[6].state_id = graph->states[1].id;
    Reidentify(*graph);
  }
  for (const size_t state : {1U, 2U}) ChangeId(after, state);
  Reidentify(after);
  EXPECT_EQ(1U, DiffGraphs(before, after, {})->aligned_states);
}

TEST(DiffAlignment, FindsStatesOfOneUrlByTheirElements) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  for (RunGraph* graph : {&before, &after}) MakeOnePage(*graph);
  for (const size_t state : {1U, 2U}) ChangeId(after, state);
  Reidentify(after);
  EXPECT_EQ(3U, DiffGraphs(before, after, {})->aligned_states);
  EXPECT_THAT(Lines(before, after), IsEmpty());
}

TEST(DiffAlignment, ATwinOfAnotherRowIsNotTheOneThatWent) {
  const auto with_rows = [](const std::vector<std::string>& names) {
    RunGraph graph = Shop();
    const Element edit = Find(graph, "Edit");
    for (const std::string& name : names) {
      Element twin = edit;
      twin.context[0].key = twin.context[0].name = name;
      SetAttribute(twin, "data-testid", "edit");
      graph.elements.push_back(twin);
    }
    Reidentify(graph);
    return graph;
  };
  EXPECT_THAT(Lines(with_rows({"Zenith", "Bolt"}), with_rows({"Bolt", "Quarz"})),
              ElementsAre(R"(- button "Edit" (row "Zenith", page "Page /"))",
                          R"(+ button "Edit" (row "Quarz", page "Page /"))"));
}

TEST(DiffAlignment, EqualElementsAreFoundInUnequalNumbers) {
  RunGraph before = Shop();
  for (const char* href : {"/1", "/2", "/3"}) {
    Element link = Find(before, "Cart", 1);
    link.accessible_name = "Read more";
    SetAttribute(link, "href", href);
    before.elements.push_back(link);
  }
  RunGraph after = before;
  Reidentify(before);
  std::erase_if(after.elements, [](const Element& element) {
    return element.accessible_name == "Read more" && element.attributes[0].second == "/2";
  });
  Reidentify(after);
  EXPECT_THAT(Lines(before, after), ElementsAre(R"(- link "Read more" (page "Page /docs"))"));
}

// ---- volatility --------------------------------------------------------------------------------

TEST(DiffVolatility, LeavesOutWhatEitherRunMarkedUnstable) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  Element& search = Find(after, "Search");
  before.states[0].unstable_parts = {
      {"element", search.anchor_key.ToString()}, {"heading", "Ad 1"}, {"title", ""}};
  before.states[0].identity_parts.push_back({"heading", "Ad 1"});
  after.states[0].title = "Other";
  Remove(after, search);
  Find(after, "Edit").unstable = true;
  Find(after, "Edit").interactability.enabled = false;
  const auto lines = Lines(before, after);
  // "Edit" of the first run was stable, so that it is missed; nothing else is.
  EXPECT_THAT(lines, ElementsAre(HasSubstr("- button \"Edit\"")));
}

TEST(DiffVolatility, TimesAndTokensInTextsAreNoChange) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  before.elements[0].text = "Docs, updated 12:31:05";
  after.elements[0].text = "Docs, updated 09:02:44";
  before.states[0].title = "Home 2026-01-31";
  after.states[0].title = "Home 2026-02-01";
  EXPECT_THAT(Lines(before, after), IsEmpty());
  after.elements[0].text = "Docs, removed 09:02:44";
  EXPECT_EQ(1U, Lines(before, after).size());
}

TEST(DiffVolatility, EffectsThatComeAndGoOnARestlessPageAreNoChange) {
  RunGraph before = Shop();
  RunGraph after = Shop();
  after.edges[0].effects.clear();
  EXPECT_EQ(1U, Lines(before, after).size());
  before.states[0].unstable_parts = {{"text", ""}};
  EXPECT_THAT(Lines(before, after), IsEmpty());
}

TEST(DiffVolatility, TheSameSiteOnAnotherHostIsUnchanged) {
  const RunGraph before = Shop();
  RunGraph after = Shop();
  after.run.site_base_url = "http://localhost:8080";
  SetAttribute(Find(after, "Cart"), "href", "http://localhost:8080/cart");
  Reidentify(after);
  EXPECT_THAT(Lines(before, after), IsEmpty());
}

// ---- what a run did not look at ----------------------------------------------------------------

// The second run found neither the docs nor the cart.
RunGraph CutShort() {
  RunGraph graph = Shop();
  graph.states.resize(1);
  std::erase_if(graph.elements, [&](const Element& e) { return e.state_id != graph.states[0].id; });
  graph.edges.clear();
  return graph;
}

TEST(DiffWitness, NothingIsRemovedThatWasNotLookedFor) {
  struct WitnessCase {
    std::string name;
    std::function<void(topodb::Run&)> limit;
    std::string cause;
  };
  const WitnessCase cases[] = {
      {"budget", [](topodb::Run& run) { run.budgets[0].hit = true; },
       "the second run reached max-actions 50"},
      {"partial",
       [](topodb::Run& run) {
         run.status = RunStatus::kPartial;
         run.status_reason = "interrupted";
       },
       "the second run is partial (interrupted)"},
      {"depth", [](topodb::Run& run) { run.budgets[1].limit = 0; },
       "the second run reached max-depth 0"},
  };
  const RunGraph before = Shop();
  for (const WitnessCase& c : cases) {
    SCOPED_TRACE(c.name);
    RunGraph after = CutShort();
    c.limit(after.run);
    const auto diff = DiffGraphs(before, after, {});
    ASSERT_TRUE(diff);
    EXPECT_EQ(4U, diff->differences.size());
    for (const Difference& difference : diff->differences) {
      EXPECT_EQ(Change::kNotObserved, difference.change);
      EXPECT_EQ(c.cause, difference.cause);
    }
    EXPECT_FALSE(HasDifferences(*diff));
    // The other way round the first run is the one that did not look.
    const auto reverse = DiffGraphs(after, before, {});
    EXPECT_FALSE(HasDifferences(*reverse));
    EXPECT_THAT(reverse->differences[0].cause, HasSubstr("the first run"));
  }
}

TEST(DiffWitness, ARunThatLookedFindsThemGone) {
  const auto diff = DiffGraphs(Shop(), CutShort(), {});
  ASSERT_TRUE(diff);
  EXPECT_EQ(2U, CountOf(*diff, DiffSection::kStates, Change::kRemoved));
  EXPECT_EQ(2U, CountOf(*diff, DiffSection::kEdges, Change::kRemoved));
  EXPECT_EQ(0U, CountOf(*diff, DiffSection::kStates, Change::kNotObserved));
}

TEST(DiffWitness, WhatWasTriedOrIsGoneNeedsNoExcuse) {
  const RunGraph before = Shop();
  RunGraph after = Shop();
  after.run.budgets[0].hit = true;
  after.edges.erase(after.edges.begin(), after.edges.end());
  SkippedAction refused = BuildSkip(Find(after, "Docs"));
  after.skips.push_back(refused);      // tried: it is refused now
  Remove(after, Find(after, "Cart"));  // gone: nothing to act on
  EXPECT_THAT(
      Lines(before, after),
      ElementsAre(R"(- link "Cart" (page "Page /"))", R"(- edge click link "Cart" (page "Page /"))",
                  R"(! newly skipped: click link "Docs" (page "Page /"): blocked:destructive)"));
}

// ---- runs --------------------------------------------------------------------------------------

TEST(DiffRuns, RefusesRunsOfDifferentInputAndNamesWhatDiffers) {
  struct InputCase {
    std::function<void(topodb::Run&)> change;
    std::string message;
  };
  const InputCase cases[] = {
      {[](topodb::Run& run) { run.mode = RunMode::kScan; }, "mode (explore, scan)"},
      {[](topodb::Run& run) { run.risk_policy_version = "v9"; }, "risk policy (topodb-risk-1, v9)"},
      {[](topodb::Run& run) { run.policy_hash = "ff"; }, "risk policy content ("},
      {[](topodb::Run& run) { run.normalization_rule_version = "n"; }, "normalization rules ("},
      {[](topodb::Run& run) { run.locator_scoring_version = "l"; }, "locator rules ("},
      {[](topodb::Run& run) { run.input_seed = "x"; }, "seed (https://shop.test/, x)"},
      {[](topodb::Run&) {}, "seed"},
  };
  const RunGraph before = Shop();
  for (const InputCase& c : cases) {
    SCOPED_TRACE(c.message);
    RunGraph after = Shop();
    after.run.input_fingerprint.bytes[0] ^= 1;
    c.change(after.run);
    const auto refused = DiffGraphs(before, after, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(ErrorCode::kInvalidArgument, refused.error().code);
    EXPECT_THAT(refused.error().message, HasSubstr(c.message));
    const auto forced = DiffGraphs(before, after, {.comparability = Comparability::kForced});
    ASSERT_TRUE(forced);
    EXPECT_THAT(forced->warnings.at(0), HasSubstr(c.message));
  }
}

TEST(DiffRuns, WarnsOfWhatMayExplainDifferences) {
  const RunGraph before = Shop();
  EXPECT_THAT(DiffGraphs(before, Shop(), {})->warnings, IsEmpty());
  RunGraph after = Shop();
  after.run.runtime_context.browser_version = "101";
  after.run.runtime_context.viewport = {800, 600};
  after.run.runtime_context.timezone_id = "UTC";
  after.run.status = RunStatus::kPartial;
  after.run.budgets = {{"max-actions", 9, false}};
  EXPECT_THAT(DiffGraphs(before, after, {})->warnings,
              ElementsAre("browser differs: chromium 100.0, then chromium 101",
                          "viewport differs: 1440x1000, then 800x600",
                          "timezone differs: the browser's, then UTC",
                          "status differs: complete, then partial",
                          "max-actions differs: 50, then 9", "max-depth differs: 1, then none"));
}

TEST(DiffRuns, ReadsBothRunsFromTheStore) {
  testing::MemKv kv;
  for (const uint32_t serial : {1U, 2U}) {
    store::GraphWriter writer(kv, store::Durability::kProcess);
    ASSERT_TRUE(testing::WriteSmallGraph(
        writer, testing::BuildRun("run-" + std::to_string(serial), serial)));
  }
  const store::GraphReader reader(kv);
  const auto diff =
      DiffRuns(reader, *reader.FindRun("run-1"), reader, *reader.FindRun("run-2"), {});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_THAT(diff->differences, IsEmpty());
  EXPECT_EQ(3U, diff->aligned_states);
  EXPECT_EQ(reader.FindRun("run-1")->run.id.ToString(), diff->before_run);
}

TEST(DiffRuns, ShowsOnlyTheSectionsAskedFor) {
  RunGraph after = Shop();
  Remove(after, Find(after, "Docs"));
  EXPECT_THAT(Lines(Shop(), after, {.only = {DiffSection::kEdges}}),
              ElementsAre(HasSubstr("- edge")));
  EXPECT_THAT(Lines(Shop(), after, {.only = {DiffSection::kSkips}}), IsEmpty());
}

}  // namespace
}  // namespace topodb::query
