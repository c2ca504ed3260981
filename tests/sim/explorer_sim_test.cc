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

namespace topodb::testing {
namespace {

using Kind = SimAct::Kind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// A page like an account list: a dialog that holds a dangerous button, a link, controls that cannot
// be used.
SimSite Accounts() {
  SimPage home{.title = "Accounts", .headings = {"Accounts"}};
  SimWidget disabled = SimButton("View archive");
  disabled.disabled = true;
  SimWidget disabled_danger = SimButton("Delete all accounts", {Kind::kSend, "/delete-all"});
  disabled_danger.disabled = true;
  SimWidget covered = SimButton("Show filters");
  covered.covered_by = "div.cookie-banner";
  SimWidget hidden = SimButton("Open help");
  hidden.hidden = true;
  home.widgets = {SimButton("Open details", {Kind::kOpenDialog, "Account details"}),
                  SimLink("Documentation", "/docs"),
                  disabled,
                  disabled_danger,
                  covered,
                  hidden,
                  SimInput("Search"),
                  SimLink("Partner", "https://partner.test/")};
  home.dialogs["Account details"] = {SimButton("Delete account", {Kind::kSend, "/delete"}),
                                     SimButton("Close", {Kind::kCloseDialog, ""})};
  SimSite site;
  site.AddPage("/", home);
  site.AddPage("/docs", {.title = "Docs", .headings = {"Docs"}, .widgets = {SimLink("Home", "/")}});
  return site;
}

TEST(ExplorerSim, FirstHopOfTheAccountsPage) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {});
  ASSERT_TRUE(run.outcome) << run.outcome.error().message;
  EXPECT_THAT(BrokenInvariants(run.sink), IsEmpty());

  EXPECT_THAT(run.EdgeNames(), ElementsAre("Documentation", "Open details"));
  ASSERT_THAT(run.sink.states, SizeIs(3));
  EXPECT_EQ(run.outcome->entry_state, run.sink.states[0].id);
  EXPECT_EQ(Lifecycle::kVerified, run.sink.states[0].lifecycle);
  EXPECT_EQ("Docs", run.sink.states[2].title);
  EXPECT_THAT(run.FailedNames(FailureReason::kElementDisabled), ElementsAre("View archive"));
  EXPECT_THAT(run.FailedNames(FailureReason::kElementHidden), ElementsAre("Open help"));
  EXPECT_THAT(run.FailedNames(FailureReason::kElementObscured), ElementsAre("Show filters"));
  EXPECT_THAT(run.FailedNames(FailureReason::kOutOfScope), ElementsAre("Partner"));
  EXPECT_THAT(site.acted(), ElementsAre("Open details", "Documentation"));
  EXPECT_EQ(RunStatus::kComplete, run.outcome->status);
}

TEST(ExplorerSim, DangerousButtonIsSkippedInTheStateThatShowsIt) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {});
  ASSERT_TRUE(run.outcome);
  const auto skip = std::ranges::find_if(run.sink.skips, [&](const SkippedAction& each) {
    return run.sink.FindElement(each.element_id)->accessible_name == "Delete account";
  });
  ASSERT_NE(run.sink.skips.end(), skip);
  EXPECT_EQ(1, std::ranges::count(run.SkippedNames(), "Delete account"));
  const State* dialog = run.sink.FindState(skip->state_id);
  EXPECT_THAT(dialog->modal_stack, SizeIs(1));
  EXPECT_EQ(RiskCategory::kDestructive, skip->risk_category);
  EXPECT_EQ(RiskLevel::kHigh, skip->risk_level);
  EXPECT_EQ("blocked:destructive", skip->reason);

  const auto opener = std::ranges::find_if(
      run.sink.edges, [&](const ActionEdge& edge) { return edge.id == dialog->opened_by_edge_id; });
  ASSERT_NE(run.sink.edges.end(), opener);
  EXPECT_EQ("Open details", run.sink.FindElement(opener->element_id)->accessible_name);
  EXPECT_EQ(run.sink.states[0].id, opener->from_state_id);
}

TEST(ExplorerSim, DisabledDangerIsASkipAndEditableInputToo) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {});
  EXPECT_THAT(run.SkippedNames(), Contains("Delete all accounts"));
  EXPECT_THAT(run.SkippedNames(), Contains("Search"));
  EXPECT_THAT(run.FailedNames(FailureReason::kElementDisabled),
              Not(Contains("Delete all accounts")));
  const auto search =
      std::ranges::find(run.sink.skips, ActionType::kFill, &SkippedAction::action_type);
  ASSERT_NE(run.sink.skips.end(), search);
  EXPECT_EQ(RiskLevel::kMedium, search->risk_level);
  EXPECT_EQ("blocked:input_edit", search->reason);
}

TEST(ExplorerSim, AllowedInputIsFilled) {
  SimSite site = Accounts();
  const Explored run =
      ExploreSite(site, {.allowed = {RiskCategory::kInputEdit}, .values = {{"Search", "acme"}}});
  const auto edge = std::ranges::find(run.sink.edges, ActionType::kFill, &ActionEdge::action_type);
  ASSERT_NE(run.sink.edges.end(), edge);
  EXPECT_THAT(edge->action_params, ElementsAre(NameValue("value", "acme")));
  EXPECT_EQ(EffectType::kFormState, edge->effects.at(0).type);
  EXPECT_EQ(edge->from_state_id, *edge->to_state_id);
}

TEST(ExplorerSim, ScanLooksTwiceAndTriesNothing) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {.mode = RunMode::kScan});
  ASSERT_TRUE(run.outcome);
  EXPECT_EQ(2U, site.loads());
  EXPECT_THAT(run.sink.states, SizeIs(1));
  EXPECT_THAT(run.sink.elements, SizeIs(8));
  EXPECT_THAT(run.sink.skips, IsEmpty());
  EXPECT_THAT(run.sink.failures, IsEmpty());
  EXPECT_THAT(run.sink.edges, IsEmpty());
  EXPECT_THAT(site.acted(), IsEmpty());
  EXPECT_EQ(Lifecycle::kVerified, run.sink.states[0].lifecycle);
}

TEST(ExplorerSim, FailuresOfLookingAreRecordedInScanToo) {
  SimSite site;
  SimPage page{.title = "Home", .closed_shadow_roots = 2};
  page.frames = {
      {.path = {"ad"}, .url = "https://ads.test/", .accessible = false, .reason = "sandboxed"}};
  site.AddPage("/", page);
  const Explored run = ExploreSite(site, {.mode = RunMode::kScan});
  ASSERT_THAT(run.sink.failures, SizeIs(2));
  EXPECT_EQ(FailureReason::kFrameInaccessible, run.sink.failures[0].reason);
  EXPECT_THAT(run.sink.failures[0].message, ::testing::HasSubstr("https://ads.test/ (sandboxed)"));
  EXPECT_EQ(FailureReason::kShadowRootClosed, run.sink.failures[1].reason);
}

TEST(ExplorerSim, EdgeCarriesWhatReplayNeeds) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {});
  for (const ActionEdge& edge : run.sink.edges) {
    const Element* element = run.sink.FindElement(edge.element_id);
    SCOPED_TRACE(*element->accessible_name);
    ASSERT_TRUE(edge.locator_id);
    const auto locator = std::ranges::find(element->locators, *edge.locator_id, &Locator::id);
    ASSERT_NE(element->locators.end(), locator);
    EXPECT_TRUE(locator->verified);
    EXPECT_EQ(locator->score, edge.confidence);
    EXPECT_EQ(*element->accessible_name, edge.target.name);
    EXPECT_EQ(Verification::kVerified, edge.target.verification);
    EXPECT_TRUE(edge.settle.settled);
    EXPECT_EQ(RiskLevel::kLow, edge.risk_level);
  }
}

TEST(ExplorerSim, LandmarksProveArrival) {
  SimSite site = Accounts();
  const Explored run = ExploreSite(site, {});
  std::vector<std::string> marks;
  for (const Landmark& landmark : run.sink.landmarks) {
    if (landmark.state_id == run.sink.states[1].id) marks.push_back(*landmark.name);
  }
  EXPECT_THAT(marks, ElementsAre("Account details", "Accounts"));
}

TEST(ExplorerSim, ActionWhoseRequestWasBlockedIsAFailureWithItsEffects) {
  SimSite site;
  site.AddPage("/", {.widgets = {SimButton("Show more", {Kind::kSend, "/collect"})}});
  const Explored run = ExploreSite(site, {});
  EXPECT_THAT(run.sink.edges, IsEmpty());
  ASSERT_THAT(run.sink.failures, SizeIs(1));
  const FailedObservation& failure = run.sink.failures[0];
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, failure.reason);
  ASSERT_THAT(failure.effects, SizeIs(1));
  EXPECT_EQ(EffectType::kNetwork, failure.effects[0].type);
  EXPECT_THAT(failure.effects[0].details, Contains(NameValue("blocked", "true")));
}

TEST(ExplorerSim, WhatThePageSendsByItselfIsRecordedOnTheState) {
  SimSite site;
  site.AddPage("/", {.widgets = {SimLink("Again", "/")}, .polling = true});
  const Explored run = ExploreSite(site, {});
  EXPECT_THAT(run.sink.failures, IsEmpty());
  EXPECT_THAT(run.EdgeNames(), ElementsAre("Again"));
  EXPECT_TRUE(std::ranges::any_of(run.sink.states[0].evidence, [](const Evidence& evidence) {
    return evidence.source == "network-guard";
  }));
}

TEST(ExplorerSim, ActionOutcomesBecomeFailures) {
  struct Case {
    SimAct act;
    capture::ActionOutcome outcome;
    FailureReason want;
  };
  const auto kDone = capture::ActionOutcome::kDispatched;
  const Case kCases[] = {
      {{}, kDone, FailureReason::kEffectNotObserved},
      {{Kind::kGoTo, "http://elsewhere.test/"}, kDone, FailureReason::kOutOfScope},
      {{Kind::kCrashTab, ""}, kDone, FailureReason::kPageCrashed},
      {{Kind::kHang, ""}, kDone, FailureReason::kPageUnresponsive},
      {{Kind::kKillBrowser, ""}, kDone, FailureReason::kBrowserGone},
      {{}, capture::ActionOutcome::kStale, FailureReason::kLocatorNotFound},
      {{}, capture::ActionOutcome::kObscured, FailureReason::kElementObscured},
      {{}, capture::ActionOutcome::kOffscreen, FailureReason::kElementHidden},
  };
  for (const Case& c : kCases) {
    SimSite site;
    SimWidget button = SimButton("Show details", c.act);
    button.outcome = c.outcome;
    site.AddPage("/", {.widgets = {button, SimLink("Docs", "/docs")}});
    site.AddPage("/docs", {.title = "Docs"});
    const Explored run = ExploreSite(site, {});
    ASSERT_TRUE(run.outcome);
    ASSERT_THAT(run.sink.failures, SizeIs(1));
    EXPECT_EQ(c.want, run.sink.failures[0].reason) << run.sink.failures[0].message;
    EXPECT_EQ(RunStatus::kComplete, run.outcome->status);
    EXPECT_THAT(run.EdgeNames(), ElementsAre("Docs")) << "the run goes on";
    EXPECT_THAT(BrokenInvariants(run.sink), IsEmpty());
  }
}

TEST(ExplorerSim, DuplicateNamesNeedATellingContainer) {
  SimSite site;
  SimWidget first = SimButton("Open", {Kind::kSay, "first"}), second = first;
  site.AddPage("/", {.widgets = {first, second}});
  EXPECT_THAT(ExploreSite(site, {}).FailedNames(FailureReason::kLocatorNotUnique),
              ElementsAre("Open", "Open"));
  first.row = "Acme", second.row = "Globex";
  site.AddPage("/", {.widgets = {first, second}});
  EXPECT_THAT(ExploreSite(site, {}).EdgeNames(), ElementsAre("Open", "Open"));
}

TEST(ExplorerSim, StorageOfOneCandidateDoesNotLeakIntoTheNext) {
  SimSite site;
  site.AddPage("/",
               {.widgets = {SimButton("Show tips", {Kind::kStore, ""}), SimLink("Docs", "/docs")}});
  site.AddPage("/docs", {.title = "Docs"});
  const Explored run = ExploreSite(site, {});
  EXPECT_EQ(0U, site.leaks());
  ASSERT_THAT(run.sink.edges, SizeIs(2));
  EXPECT_EQ(EffectType::kStorage, run.sink.edges[0].effects.at(0).type);
}

// ---- volatility --------------------------------------------------------------------------------

TEST(ExplorerSim, VolatileEntryIsOneState) {
  SimSite site;
  site.AddPage("/", {.headings = {"News"},
                     .widgets = {SimLink("Again", "/"), SimLink("Docs", "/docs")},
                     .ticking = true});
  site.AddPage("/docs", {.title = "Docs"});
  const Explored run = ExploreSite(site, {});
  ASSERT_THAT(run.sink.states, SizeIs(2));
  EXPECT_THAT(run.EdgeNames(), ElementsAre("Again", "Docs"));
  EXPECT_THAT(run.sink.states[0].unstable_parts, Not(IsEmpty()));
  EXPECT_EQ(Lifecycle::kVerified, run.sink.states[0].lifecycle);
  EXPECT_THAT(run.sink.failures, IsEmpty());
}

TEST(ExplorerSim, VolatilePageReachedTwiceIsOneState) {
  SimSite site;
  site.AddPage("/", {.widgets = {SimLink("News", "/news"), SimLink("Latest", "/news")}});
  site.AddPage("/news", {.headings = {"News"}, .ticking = true});
  const Explored run = ExploreSite(site, {});
  EXPECT_THAT(run.EdgeNames(), ElementsAre("Latest", "News"));
  ASSERT_THAT(run.sink.states, SizeIs(2));
  EXPECT_THAT(BrokenInvariants(run.sink), IsEmpty());
  const auto observed =
      std::ranges::find(run.sink.observations, run.sink.states[1].id, &StateObservation::state_id);
  ASSERT_NE(run.sink.observations.end(), observed);
  EXPECT_THAT(observed->unstable_parts, Not(IsEmpty()));
}

TEST(ExplorerSim, RealChangeBesideAVolatilePartIsAStateOfItsOwn) {
  SimSite site;
  site.AddPage("/", {.headings = {"News"},
                     .widgets = {SimButton("Show one", {Kind::kSay, "One"}),
                                 SimButton("Show two", {Kind::kSay, "Two"})},
                     .ticking = true});
  const Explored run = ExploreSite(site, {});
  EXPECT_THAT(run.sink.states, SizeIs(3));
  EXPECT_THAT(run.EdgeNames(), ElementsAre("Show one", "Show two"));
}

TEST(ExplorerSim, ObserverIsToldWhatWasStored) {
  class Counting final : public capture::ExploreObserver {
   public:
    void OnState(const State&, uint32_t depth) override { depths.push_back(depth); }
    void OnEdge(const ActionEdge&) override { ++edges; }
    void OnSkip(const SkippedAction&) override { ++skips; }
    void OnFailure(const FailedObservation&) override { ++failures; }
    std::vector<uint32_t> depths;
    size_t edges = 0, skips = 0, failures = 0;
  } observer;
  SimSite site = Accounts();
  RecordingSink sink;
  ASSERT_TRUE(sink.BeginRun(topodb::Run()));
  const FakeClock clock;
  const std::atomic<bool> cancelled = false;
  ASSERT_TRUE(capture::Explore({.first = site}, SimSite::Url("/"), sink,
                               capture::RiskPolicy::BuiltIn(), clock,
                               {.in_scope = SimSite::InScope}, observer, cancelled));
  EXPECT_THAT(observer.depths, ElementsAre(0, 1, 1));
  EXPECT_EQ(sink.edges.size(), observer.edges);
  EXPECT_EQ(sink.skips.size(), observer.skips);
  EXPECT_EQ(sink.failures.size(), observer.failures);
}

}  // namespace
}  // namespace topodb::testing
