#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/explore/explorer.h"
#include "tests/support/explore_harness.h"
#include "tests/support/fake_clock.h"
#include "tests/support/recording_sink.h"
#include "tests/support/sim_site.h"

// How far exploring goes and how it ends.
namespace topodb::testing {
namespace {

using Kind = SimAct::Kind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// ---- depth and budgets -------------------------------------------------------------------------

SimSite Chain() {
  SimSite site;
  site.AddPage("/", {.title = "0",
                     .widgets = {SimLink("Docs", "/docs"),
                                 SimButton("Show menu", {Kind::kOpenDialog, "Menu"})},
                     .dialogs = {{"Menu",
                                  {SimLink("Settings page", "/help"),
                                   SimButton("Delete account", {Kind::kSend, "/x"})}}}});
  site.AddPage("/docs", {.title = "1",
                         .headings = {"Docs"},
                         .widgets = {SimLink("Chapter", "/docs/one"), SimLink("Home", "/")}});
  site.AddPage("/docs/one",
               {.title = "2", .headings = {"One"}, .widgets = {SimLink("Deeper", "/docs/two")}});
  site.AddPage("/docs/two", {.title = "3", .headings = {"Two"}});
  site.AddPage("/help", {.title = "4", .headings = {"Help"}});
  return site;
}

TEST(ExplorerLimits, DepthTwoReplaysPrefixes) {
  SimSite site = Chain();
  const Explored run = ExploreSite(site, {.max_depth = 2});
  ASSERT_TRUE(run.outcome);
  EXPECT_THAT(BrokenInvariants(run.sink), IsEmpty());
  EXPECT_THAT(run.EdgeNames(),
              ElementsAre("Chapter", "Docs", "Home", "Settings page", "Show menu"));
  EXPECT_TRUE(run.Hit("max-depth"));
  EXPECT_THAT(site.acted(), ElementsAre("Docs", "Show menu", "Docs", "Chapter", "Docs", "Home",
                                        "Show menu", "Settings page"));
  const auto home = std::ranges::find_if(run.sink.edges, [&](const ActionEdge& edge) {
    return run.sink.FindElement(edge.element_id)->accessible_name == "Home";
  });
  EXPECT_EQ(run.outcome->entry_state, *home->to_state_id) << "edges into known states are kept";
  EXPECT_THAT(run.sink.observations,
              Contains(::testing::Field(&StateObservation::lifecycle, Lifecycle::kVerified)));
}

TEST(ExplorerLimits, WholeSiteByDepth) {
  SimSite site = Chain();
  const Explored run = ExploreSite(site, {.max_depth = 9});
  EXPECT_THAT(run.sink.states, SizeIs(6));
  EXPECT_FALSE(run.Hit("max-depth"));
  EXPECT_THAT(site.acted(), Not(Contains("Delete account")));
}

TEST(ExplorerLimits, PrefixThatNoLongerHolds) {
  SimSite site;
  // The first visit of /docs offers a link; what the entry leads to later is another page.
  site.AddPage(
      "/", {.title = "Home",
            .widgets = {SimLink("Docs", "/docs"), SimButton("Show tips", {Kind::kSay, "Tip"})}});
  site.AddPage("/docs",
               {.title = "Docs", .headings = {"Docs"}, .widgets = {SimLink("Chapter", "/one")}});
  site.AddPage("/one", {.title = "One"});
  class Changing final : public capture::ExploreObserver {
   public:
    explicit Changing(SimSite& site) : site_(site) {}
    void OnProgress(uint64_t done, uint64_t /*total*/) override {
      if (done == 2) site_.AddPage("/docs", {.title = "Gone", .headings = {"Gone", "Moved"}});
    }

   private:
    SimSite& site_;
  } observer(site);
  RecordingSink sink;
  ASSERT_TRUE(sink.BeginRun(topodb::Run()));
  const FakeClock clock;
  const std::atomic<bool> cancelled = false;
  const auto outcome =
      capture::Explore({.first = site}, SimSite::Url("/"), sink, capture::RiskPolicy::BuiltIn(),
                       clock, {.max_depth = 2, .in_scope = SimSite::InScope}, observer, cancelled);
  ASSERT_TRUE(outcome);
  const auto failure = std::ranges::find(sink.failures, FailureReason::kStatePreconditionMissing,
                                         &FailedObservation::reason);
  ASSERT_NE(sink.failures.end(), failure);
  EXPECT_EQ("Chapter", sink.FindElement(*failure->element_id)->accessible_name);
  EXPECT_THAT(site.acted(), Not(Contains("Chapter")));
  EXPECT_THAT(BrokenInvariants(sink), IsEmpty());
}

TEST(ExplorerLimits, ActionBudget) {
  SimSite site = Chain();
  const Explored run = ExploreSite(site, {.max_depth = 9, .max_actions = 3});
  EXPECT_EQ(3U, run.outcome->actions);
  EXPECT_TRUE(run.Hit("max-actions"));
  EXPECT_EQ(RunStatus::kComplete, run.outcome->status);
}

TEST(ExplorerLimits, ActionBudgetThatSufficedIsNotHit) {
  SimSite site = Chain();
  EXPECT_FALSE(ExploreSite(site, {.max_depth = 1, .max_actions = 2}).Hit("max-actions"));
}

TEST(ExplorerLimits, StateBudget) {
  SimSite site = Chain();
  const Explored run = ExploreSite(site, {.max_depth = 9, .max_states = 2});
  EXPECT_THAT(run.sink.states, SizeIs(2));
  EXPECT_TRUE(run.Hit("max-states"));
  EXPECT_THAT(BrokenInvariants(run.sink), IsEmpty());
}

TEST(ExplorerLimits, TimeBudget) {
  SimSite site = Chain();
  RecordingSink sink;
  ASSERT_TRUE(sink.BeginRun(topodb::Run()));
  const FakeClock clock(capture::Millis(400));  // at every look at the watch
  capture::ExploreObserver observer;
  const std::atomic<bool> cancelled = false;
  const auto outcome = capture::Explore(
      {.first = site}, SimSite::Url("/"), sink, capture::RiskPolicy::BuiltIn(), clock,
      {.max_depth = 9, .max_time = capture::Millis(1000)}, observer, cancelled);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(2U, outcome->actions);
  EXPECT_TRUE(outcome->budgets.back().hit);
  EXPECT_EQ("max-time", outcome->budgets.back().name);
}

TEST(ExplorerLimits, TenthPageOfATemplateIsNotExploredAgain) {
  SimSite site;
  SimPage home{.title = "Shop", .headings = {"Shop"}};
  for (int i = 1; i <= 6; ++i) {
    const std::string path = "/product/" + std::to_string(100 + i);
    home.widgets.push_back(SimLink("Product " + std::to_string(i), path));
    site.AddPage(
        path, {.title = "Product",
               .headings = {"Product " + std::to_string(i)},
               .widgets = {SimButton("Show reviews " + std::to_string(i), {Kind::kSay, "None"})}});
  }
  site.AddPage("/", home);
  const Explored run = ExploreSite(site, {.max_depth = 2});
  EXPECT_TRUE(run.Hit("max-per-template"));
  EXPECT_EQ(9U, run.outcome->actions) << "six products found, three of them explored";
  EXPECT_THAT(run.sink.states, SizeIs(10));
}

// ---- ends --------------------------------------------------------------------------------------

TEST(ExplorerLimits, EntryThatCannotBeOpenedStoresNothing) {
  for (const ErrorCode code : {ErrorCode::kNavigation, ErrorCode::kTimeout,
                               ErrorCode::kTargetCrashed, ErrorCode::kBrowserGone}) {
    SimSite site;
    site.AddPage("/", {.broken = code});
    const Explored run = ExploreSite(site, {});
    ASSERT_FALSE(run.outcome);
    EXPECT_EQ(code, run.outcome.error().code);
    EXPECT_EQ(0U, run.sink.calls());
  }
}

TEST(ExplorerLimits, CancelledBeforeTheEntryStoresNothing) {
  SimSite site = Chain();
  RecordingSink sink;
  ASSERT_TRUE(sink.BeginRun(topodb::Run()));
  const FakeClock clock;
  capture::ExploreObserver observer;
  const std::atomic<bool> cancelled = true;
  const auto outcome =
      capture::Explore({.first = site}, SimSite::Url("/"), sink, capture::RiskPolicy::BuiltIn(),
                       clock, {}, observer, cancelled);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(ErrorCode::kCancelled, outcome.error().code);
  EXPECT_EQ(0U, sink.calls());
}

TEST(ExplorerLimits, CancelledRunIsPartialAndKeepsWhatItHas) {
  SimSite site = Chain();
  std::atomic<bool> cancelled = false;
  class Cancelling final : public capture::ExploreObserver {
   public:
    explicit Cancelling(std::atomic<bool>& cancel) : cancel_(cancel) {}
    void OnProgress(uint64_t done, uint64_t total) override {
      EXPECT_LE(done, total);
      cancel_ = done == 2;
    }

   private:
    std::atomic<bool>& cancel_;
  } observer(cancelled);
  RecordingSink sink;
  ASSERT_TRUE(sink.BeginRun(topodb::Run()));
  const FakeClock clock;
  const auto outcome =
      capture::Explore({.first = site}, SimSite::Url("/"), sink, capture::RiskPolicy::BuiltIn(),
                       clock, {.max_depth = 9}, observer, cancelled);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(RunStatus::kPartial, outcome->status);
  EXPECT_EQ("interrupted", outcome->status_reason);
  EXPECT_EQ(2U, outcome->actions);
  EXPECT_THAT(BrokenInvariants(sink), IsEmpty());
}

TEST(ExplorerLimits, BrowserThatCannotBeHadAgainEndsTheRunAsPartial) {
  SimSite site;
  site.AddPage("/", {.widgets = {SimButton("Show details", {Kind::kKillBrowser, ""}),
                                 SimLink("Docs", "/docs"), SimLink("More docs", "/docs")}});
  site.AddPage("/docs", {.title = "Docs"});
  site.StayDead();
  const Explored run = ExploreSite(site, {});
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(RunStatus::kPartial, run.outcome->status);
  EXPECT_FALSE(run.outcome->status_reason.empty());
  EXPECT_THAT(run.FailedNames(FailureReason::kBrowserGone), ElementsAre("Docs", "Show details"));
  EXPECT_THAT(run.sink.edges, IsEmpty());
}

TEST(ExplorerLimits, ObstaclesAreRecordedAndNotExplored) {
  SimSite site;
  site.AddPage("/", {.widgets = {SimLink("Members", "/members")}});
  site.AddPage("/members",
               {.title = "Members", .widgets = {SimLink("Home", "/")}, .http_status = 401});
  const Explored run = ExploreSite(site, {.max_depth = 3});
  EXPECT_THAT(run.EdgeNames(), ElementsAre("Members"));
  ASSERT_THAT(run.sink.failures, SizeIs(1));
  EXPECT_EQ(FailureReason::kAuthRequired, run.sink.failures[0].reason);
  EXPECT_EQ(run.sink.states[1].id, run.sink.failures[0].state_id);
}

}  // namespace
}  // namespace topodb::testing
