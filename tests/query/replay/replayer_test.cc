#include "query/replay/replayer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/explore/state_record.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"
#include "tests/query/replay/replay_harness.h"

namespace topodb::replay {
namespace {

using testing::FakeClock;
using testing::FindStep;
using testing::Recording;
using testing::SimSite;
using topodb::testing::SimAct;
using topodb::testing::SimButton;
using topodb::testing::SimLink;
using topodb::testing::SimPage;
using topodb::testing::SimWidget;
using Kind = SimAct::Kind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

SimWidget Row(std::string row, std::string page, std::string dom_id = "") {
  SimWidget widget = SimButton("Show", {Kind::kGoTo, std::move(page)});
  widget.row = std::move(row);
  widget.dom_id = std::move(dom_id);
  return widget;
}

SimWidget WithId(SimWidget widget, std::string dom_id) {
  widget.dom_id = std::move(dom_id);
  return widget;
}

SimPage Home() {
  SimPage home{.title = "Customers", .headings = {"Customers"}};
  home.widgets = {Row("Acme", "/acme", "row-1"), Row("Beta", "/beta", "row-2"),
                  WithId(SimButton("Open help", {Kind::kOpenDialog, "Help"}), "help"),
                  SimLink("Documentation", "/docs")};
  home.dialogs["Help"] = {SimButton("Close", {Kind::kCloseDialog, ""})};
  return home;
}

SimSite Customers(SimPage home) {
  SimSite site;
  site.AddPage("/", std::move(home));
  for (const auto* name : {"acme", "beta", "docs", "ads"}) {
    SimPage page{.title = name, .headings = {std::string("All about ") + name}};
    page.widgets = {SimLink("Home", "/")};
    site.AddPage(std::string("/") + name, std::move(page));
  }
  return site;
}

size_t Opened(const SimSite& site, std::string_view path) {
  return static_cast<size_t>(
      std::count(site.opened().begin(), site.opened().end(), SimSite::Url(path)));
}

class ReplayTest : public ::testing::Test {
 protected:
  // Records `before`, replays on `after`.
  ReplayReport Replay(SimPage before, SimPage after, ReplayOptions options = {}) {
    SimSite recorded = Customers(std::move(before));
    EXPECT_TRUE(recording_.Record(recorded, explore_));
    site_ = Customers(std::move(after));
    auto report = recording_.Replay(site_, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : ReplayReport{};
  }

  capture::ExploreOptions explore_;
  Recording recording_;
  SimSite site_;
};

TEST_F(ReplayTest, AnUnchangedSitePasses) {
  const ReplayReport report = Replay(Home(), Home());
  ASSERT_EQ(report.steps.size(), 4U);
  EXPECT_TRUE(report.AllPassed());
  for (const auto& step : report.steps) {
    SCOPED_TRACE(step.name);
    EXPECT_EQ(step.verdict, StepVerdict::kPassed);
    EXPECT_EQ(step.arrival, Arrival::kSameState);
    EXPECT_FALSE(step.divergence.has_value());
    EXPECT_FALSE(step.locator.empty());
  }
  EXPECT_EQ(Opened(site_, "/acme"), 1U);
  EXPECT_EQ(Opened(site_, "/beta"), 1U);
  EXPECT_EQ(site_.acted().size(), 4U);
}

TEST_F(ReplayTest, GoesToDeeperStatesByTheirRecordedPath) {
  explore_.max_depth = 2;
  const ReplayReport report = Replay(Home(), Home());
  EXPECT_TRUE(report.AllPassed());
  EXPECT_GT(report.steps.size(), 4U);
  EXPECT_THAT(site_.acted(), Contains("Close"));
}

// The mutation matrix: what is replayed on a changed page either acts on the recorded target or
// ends in a named verdict, with the wrong target untouched.
struct Mutation {
  const char* what;
  std::function<void(SimPage&)> change;
  const char* target;  // name of the recorded target
  StepVerdict verdict;
  const char* kind;  // of the divergence; empty when it passes
  const char* code;
  const char* never_opened;  // path that a wrong click would open; empty: nothing to prove
};

TEST(ReplayMutationTest, NothingWrongIsEverClicked) {
  const auto remove_acme = [](SimPage& page) { page.widgets.erase(page.widgets.begin()); };
  const Mutation kMutations[] = {
      {"rows swapped", [](SimPage& page) { std::swap(page.widgets[0], page.widgets[1]); }, "Show",
       StepVerdict::kPassed, "", "", ""},
      {"row inserted above",
       [](SimPage& page) { page.widgets.insert(page.widgets.begin(), Row("New", "/ads")); }, "Show",
       StepVerdict::kPassed, "", "", "/ads"},
      {"row removed", remove_acme, "Show", StepVerdict::kDiverged, "selector-miss", "selector-miss",
       "/acme"},
      {"row removed, id inherited",
       [&](SimPage& page) {
         remove_acme(page);
         page.widgets[0] = Row("Beta", "/ads", "row-1");
       },
       "Show", StepVerdict::kDiverged, "identity-mismatch", "row-gone", "/ads"},
      {"renamed", [](SimPage& page) { page.widgets[2].name = "Open assistance"; }, "Open help",
       StepVerdict::kDiverged, "identity-mismatch", "label-drift", ""},
      {"id reused on another control",
       [](SimPage& page) {
         page.widgets[2] = WithId(SimButton("Show ads", {Kind::kGoTo, "/ads"}), "help");
       },
       "Open help", StepVerdict::kDiverged, "identity-mismatch", "label-drift", "/ads"},
      {"gone altogether", [](SimPage& page) { page.widgets.erase(page.widgets.begin() + 2); },
       "Open help", StepVerdict::kDiverged, "selector-miss", "selector-miss", ""},
      {"id twice",
       [](SimPage& page) {
         page.widgets.insert(page.widgets.begin() + 2,
                             WithId(SimButton("Open help", {Kind::kGoTo, "/ads"}), "help"));
       },
       "Open help", StepVerdict::kDiverged, "identity-unverifiable", "id-collision", "/ads"},
      {"same text, other href",
       [](SimPage& page) { page.widgets[3] = SimLink("Documentation", "/ads"); }, "Documentation",
       StepVerdict::kDiverged, "identity-mismatch", "identity-mismatch", "/ads"},
      {"covered", [](SimPage& page) { page.widgets[2].covered_by = "div.banner"; }, "Open help",
       StepVerdict::kDiverged, "not-actionable", "obscured", ""},
      {"disabled", [](SimPage& page) { page.widgets[2].disabled = true; }, "Open help",
       StepVerdict::kDiverged, "not-actionable", "disabled", ""},
      {"re-created between look and click",
       [](SimPage& page) { page.widgets[2].outcome = capture::ActionOutcome::kStale; }, "Open help",
       StepVerdict::kDiverged, "dispatch-mismatch", "stale", ""},
      {"another node catches the event",
       [](SimPage& page) { page.widgets[2].outcome = capture::ActionOutcome::kWrongReceiver; },
       "Open help", StepVerdict::kDiverged, "dispatch-mismatch", "wrong-receiver", ""},
      {"no receipt",
       [](SimPage& page) { page.widgets[2].outcome = capture::ActionOutcome::kUnconfirmed; },
       "Open help", StepVerdict::kDiverged, "dispatch-unconfirmed", "no-receipt", ""},
      {"leads elsewhere", [](SimPage& page) { page.widgets[0].act.argument = "/ads"; }, "Show",
       StepVerdict::kDiverged, "outcome-mismatch", "destination", ""},
      {"does nothing any more", [](SimPage& page) { page.widgets[2].act = {}; }, "Open help",
       StepVerdict::kDiverged, "outcome-mismatch", "destination", ""},
      {"asks back",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kAlert, "Sure?"};
       },
       "Open help", StepVerdict::kDiverged, "outcome-mismatch", "unexpected-dialog", ""},
      {"opens a window",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kPopup, "/x"};
       },
       "Open help", StepVerdict::kDiverged, "outcome-mismatch", "unexpected-popup", ""},
      {"starts a download",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kDownload, "/x"};
       },
       "Open help", StepVerdict::kDiverged, "outcome-mismatch", "unexpected-download", ""},
      {"wants to send",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kSend, "/x"};
       },
       "Open help", StepVerdict::kDiverged, "outcome-mismatch", "request-blocked", ""},
      {"crashes",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kCrashTab, ""};
       },
       "Open help", StepVerdict::kDiverged, "page-crashed", "target_crashed", ""},
      {"hangs",
       [](SimPage& page) {
         page.widgets[2].act = {Kind::kHang, ""};
       },
       "Open help", StepVerdict::kDiverged, "action-failure", "timeout", ""},
  };
  for (const auto& mutation : kMutations) {
    SCOPED_TRACE(mutation.what);
    Recording recording;
    SimSite before = Customers(Home());
    ASSERT_TRUE(recording.Record(before, {}));
    SimPage changed = Home();
    mutation.change(changed);
    SimSite after = Customers(changed);
    const auto report = recording.Replay(after);
    ASSERT_TRUE(report) << report.error().message;
    const StepReport* step = FindStep(*report, mutation.target);
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(ToString(step->verdict), ToString(mutation.verdict)) << step->reason;
    if (*mutation.kind != '\0') {
      ASSERT_TRUE(step->divergence.has_value());
      EXPECT_EQ(step->divergence->kind, mutation.kind);
      EXPECT_EQ(step->divergence->cause.code, mutation.code);
      EXPECT_FALSE(report->AllPassed());
    } else {
      EXPECT_TRUE(report->AllPassed());
    }
    if (*mutation.never_opened != '\0') {
      EXPECT_EQ(Opened(after, mutation.never_opened), 0U);
    }
  }
}

TEST_F(ReplayTest, DigitsMayDriftWhereOnlySomethingIsRead) {
  SimPage before = Home();
  before.widgets.push_back(WithId(SimButton("Show 3 messages", {Kind::kGoTo, "/ads"}), "inbox"));
  SimPage after = before;
  after.widgets.back().name = "Show 4 messages";
  const ReplayReport report = Replay(before, after);
  const StepReport* step = FindStep(report, "Show 3 messages");
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->verdict, StepVerdict::kPassed);
  EXPECT_TRUE(step->digits_drifted);
  EXPECT_EQ(Opened(site_, "/ads"), 1U);
}

TEST_F(ReplayTest, DigitsThatNameTheRecordNeverDrift) {
  SimPage before = Home();
  before.widgets.push_back(WithId(SimButton("Show record 1041", {Kind::kGoTo, "/acme"}), "a"));
  before.widgets.push_back(WithId(SimButton("Show record 1052", {Kind::kGoTo, "/beta"}), "b"));
  SimPage after = before;
  after.widgets.pop_back();
  after.widgets.back() = WithId(SimButton("Show record 1052", {Kind::kGoTo, "/ads"}), "a");
  const ReplayReport report = Replay(before, after);
  EXPECT_EQ(FindStep(report, "Show record 1041")->verdict, StepVerdict::kDiverged);
  EXPECT_EQ(FindStep(report, "Show record 1052")->verdict, StepVerdict::kDiverged);
  EXPECT_EQ(Opened(site_, "/ads"), 0U);
}

TEST_F(ReplayTest, TheLiveElementDecidesAboutRisk) {
  explore_.allowed = {RiskCategory::kDestructive};
  SimPage home = Home();
  home.widgets.push_back(SimButton("Delete account", {Kind::kGoTo, "/ads"}));
  const ReplayReport careful = Replay(home, home);
  const StepReport* step = FindStep(careful, "Delete account");
  ASSERT_NE(step, nullptr) << "it was recorded, being allowed";
  EXPECT_EQ(step->verdict, StepVerdict::kSkipped);
  EXPECT_EQ(step->reason, "risk:destructive");
  EXPECT_EQ(Opened(site_, "/ads"), 0U);
  EXPECT_FALSE(careful.AllPassed());

  const auto allowed = recording_.Replay(site_, {.allowed = {RiskCategory::kDestructive}});
  ASSERT_TRUE(allowed);
  EXPECT_EQ(FindStep(*allowed, "Delete account")->verdict, StepVerdict::kPassed);
  EXPECT_EQ(Opened(site_, "/ads"), 1U);
}

TEST_F(ReplayTest, AnActionThatStaysMustShowItsRecordedEffect) {
  explore_.allowed = {RiskCategory::kUnknown, RiskCategory::kDataMutation};
  SimPage home = Home();
  home.widgets.push_back(SimButton("Show hints", {Kind::kStore, ""}));
  const ReplayReport same = Replay(home, home);
  ASSERT_NE(FindStep(same, "Show hints"), nullptr);
  EXPECT_EQ(FindStep(same, "Show hints")->verdict, StepVerdict::kPassed);

  home.widgets.back().act = {};
  site_ = Customers(home);
  const auto dead = recording_.Replay(site_);
  ASSERT_TRUE(dead);
  const StepReport* step = FindStep(*dead, "Show hints");
  EXPECT_EQ(step->verdict, StepVerdict::kDiverged);
  EXPECT_EQ(step->divergence->kind, "no-observable-effect");
}

TEST_F(ReplayTest, ADivergenceOnTheWayIsNamed) {
  explore_.max_depth = 2;
  SimPage changed = Home();
  changed.widgets[2].name = "Open assistance";
  const ReplayReport report = Replay(Home(), changed);
  const StepReport* close = FindStep(report, "Close");
  ASSERT_NE(close, nullptr);
  EXPECT_EQ(close->verdict, StepVerdict::kNotRun);
  EXPECT_TRUE(close->reason.starts_with("path: diverged at edge_")) << close->reason;
  ASSERT_TRUE(close->divergence.has_value());
  EXPECT_EQ(close->divergence->cause.code, "label-drift");
  EXPECT_THAT(site_.acted(), Not(Contains("Close")));
}

TEST_F(ReplayTest, AnotherEntryPageIsNotActedOn) {
  SimPage other{.title = "Login", .headings = {"Please sign in"}};
  other.widgets = {SimLink("Documentation", "/docs"), SimButton("Open help", {})};
  const ReplayReport report = Replay(Home(), other);
  for (const auto& step : report.steps) {
    EXPECT_EQ(step.verdict, StepVerdict::kNotRun);
    EXPECT_EQ(step.reason, "source-state");
    ASSERT_TRUE(step.divergence.has_value());
    EXPECT_EQ(step.divergence->kind, "source-state-mismatch");
    EXPECT_EQ(step.divergence->repair_hint, RepairHint::kStateRepair);
  }
  EXPECT_THAT(site_.acted(), IsEmpty());
}

TEST_F(ReplayTest, NothingOutOfScopeIsOpened) {
  ReplayOptions options;
  options.in_scope = [](const std::string&) { return false; };
  const ReplayReport report = Replay(Home(), Home(), options);
  for (const auto& step : report.steps) {
    EXPECT_EQ(step.verdict, StepVerdict::kSkipped);
    EXPECT_EQ(step.reason, "out-of-scope");
  }
  EXPECT_THAT(site_.opened(), IsEmpty());

  options.in_scope = [](const std::string& url) { return url != SimSite::Url("/docs"); };
  const auto partly = recording_.Replay(site_, options);
  ASSERT_TRUE(partly);
  EXPECT_EQ(FindStep(*partly, "Documentation")->verdict, StepVerdict::kSkipped);
  EXPECT_EQ(Opened(site_, "/docs"), 0U);
}

TEST_F(ReplayTest, SelectsEdgesAndPaths) {
  const ReplayReport all = Replay(Home(), Home());
  const StepReport& help = *FindStep(all, "Open help");

  const auto one = recording_.Replay(site_, {.selection = {.edges = {help.edge}}});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->steps.size(), 1U);
  EXPECT_EQ(one->steps[0].name, "Open help");

  const auto path = recording_.Replay(site_, {.selection = {.to = help.to}});
  ASSERT_TRUE(path);
  ASSERT_EQ(path->steps.size(), 1U);
  EXPECT_EQ(path->steps[0].edge, help.edge);

  const auto leaving = recording_.Replay(site_, {.selection = {.from = help.to}});
  ASSERT_TRUE(leaving);
  EXPECT_THAT(leaving->steps, IsEmpty()) << "one hop was explored, nothing leaves the dialog";

  for (const auto& unknown : {Selection{.edges = {EdgeId{{1}}}}, Selection{.from = StateId{{1}}},
                              Selection{.from = help.to, .to = help.from}}) {
    const auto error = recording_.Replay(site_, {.selection = unknown});
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().code, ErrorCode::kNotFound);
  }
}

TEST_F(ReplayTest, IsTakenUpOnlyWithItsOwnPlan) {
  const ReplayReport all = Replay(Home(), Home());
  ASSERT_EQ(all.steps.size(), 4U);
  EXPECT_EQ(all.plan_digest.size(), 64U);
  const auto resumed = recording_.Replay(
      site_, {.resume = Resumption{.from_step = 3, .plan_digest = all.plan_digest}});
  ASSERT_TRUE(resumed);
  ASSERT_EQ(resumed->steps.size(), 2U);
  EXPECT_EQ(resumed->steps[0].index, 3U);
  EXPECT_EQ(resumed->steps[0].edge, all.steps[2].edge);
  EXPECT_EQ(resumed->plan_digest, all.plan_digest);
  EXPECT_TRUE(resumed->AllPassed());

  const Resumption last{.from_step = 4, .plan_digest = all.plan_digest};
  const ReplayOptions kRefused[] = {
      {.resume = Resumption{.from_step = 0, .plan_digest = all.plan_digest}},
      {.resume = Resumption{.from_step = 5, .plan_digest = all.plan_digest}},
      {.resume = Resumption{.from_step = 1, .plan_digest = std::string(64, '0')}},
      {.resume = Resumption{.from_step = 1, .plan_digest = ""}},
      {.allowed = {RiskCategory::kDestructive}, .resume = last},
      {.positional = PositionalTargets::kAllowed, .resume = last},
      {.selection = {.edges = {all.steps[3].edge}}, .resume = last},
  };
  const size_t opened = site_.opened().size();
  for (const auto& options : kRefused) {
    const auto refused = recording_.Replay(site_, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(refused.error().hint.empty());
  }
  EXPECT_EQ(site_.opened().size(), opened) << "a refused resumption opens nothing";
}

TEST_F(ReplayTest, EndsEarlyAndSaysSo) {
  Replay(Home(), Home());
  const FakeClock slow(capture::Millis{1000});
  const auto late = recording_.Replay(site_, {.deadline = capture::Millis{2500}}, slow);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->end, ReplayEnd::kDeadline);
  EXPECT_EQ(late->steps[0].verdict, StepVerdict::kPassed);
  EXPECT_EQ(late->steps.back().verdict, StepVerdict::kNotRun);
  EXPECT_EQ(late->steps.back().reason, "deadline");
  EXPECT_FALSE(late->AllPassed());

  recording_.cancelled = true;
  const auto cancelled = recording_.Replay(site_);
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->end, ReplayEnd::kCancelled);
  EXPECT_EQ(cancelled->Count().not_run, cancelled->steps.size());
}

TEST_F(ReplayTest, ALostBrowserEndsTheReplayWithWhatIsKnown) {
  SimPage deadly = Home();
  deadly.widgets[0].act = {Kind::kKillBrowser, ""};
  const ReplayReport report = Replay(Home(), deadly);
  EXPECT_EQ(report.end, ReplayEnd::kBrowserGone);
  EXPECT_EQ(report.steps.size(), 4U);
  EXPECT_EQ(report.Count().passed, 0U);
  EXPECT_FALSE(report.steps[0].divergence->screen_available);
  EXPECT_EQ(report.steps.back().reason, "browser-gone");
}

TEST_F(ReplayTest, AnEntryPageThatDoesNotOpenIsAnError) {
  Replay(Home(), Home());
  SimPage broken = Home();
  broken.broken = ErrorCode::kNavigation;
  site_ = Customers(broken);
  const auto report = recording_.Replay(site_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNavigation);
}

// A page with two equal buttons, of which the second was recorded: position alone denotes it.
struct Twins {
  explicit Twins(std::string name) {
    SimPage page{.title = "Twins", .headings = {"Twins"}};
    page.widgets = {SimButton(name, {Kind::kGoTo, "/acme"}),
                    SimButton(name, {Kind::kGoTo, "/beta"})};
    site = Customers(page);
    EXPECT_TRUE(site.Reset());
    EXPECT_TRUE(site.Navigate(SimSite::Url("/")));
    const PageSnapshot from = *site.Snapshot();
    EXPECT_TRUE(site.Navigate(SimSite::Url("/beta")));
    const auto describe = [](const PageSnapshot& snapshot) {
      return capture::DescribeState(snapshot, {}, Timestamp{1});
    };
    const StateBundle source = describe(from);
    Transition transition;
    transition.new_state = describe(*site.Snapshot());
    ActionEdge& edge = transition.edge;
    edge.from_state_id = source.state.id;
    edge.to_state_id = transition.new_state->state.id;
    edge.element_id = source.elements[1].id;
    for (const auto& locator : source.elements[1].locators) {
      if (locator.descriptor.nth) edge.locator_id = locator.id;
    }
    edge.target = BuildTargetIdentity(from, from.nodes[1]);
    edge.id = ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, {});
    topodb::Run run = testing::BuildRun("twins");
    run.entry_url = SimSite::Url("/");
    store::GraphWriter writer(recording.kv(), store::Durability::kProcess);
    EXPECT_TRUE(writer.BeginRun(run));
    EXPECT_TRUE(writer.AddState(source));
    EXPECT_TRUE(writer.AddTransition(transition));
    run.status = RunStatus::kComplete;
    EXPECT_TRUE(writer.EndRun(run));
  }

  StepReport Replay(const ReplayOptions& options) {
    const auto report = recording.Replay(site, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->steps.at(0) : StepReport{};
  }

  SimSite site;
  Recording recording;
};

TEST(ReplayPositionTest, PositionDoesForReadingAndIsSaid) {
  Twins twins("Show details");
  EXPECT_EQ(twins.Replay({}).verdict, StepVerdict::kPassedPositional);
  EXPECT_THAT(twins.site.acted(), ElementsAre("Show details"));
}

TEST(ReplayPositionTest, PositionNeverDoesForChangingUnlessTheCallerSaysSo) {
  Twins twins("Save");
  const std::vector<RiskCategory> allowed = {RiskCategory::kDataMutation};
  const StepReport refused = twins.Replay({.allowed = allowed});
  EXPECT_EQ(refused.verdict, StepVerdict::kDiverged) << refused.reason;
  ASSERT_TRUE(refused.divergence.has_value());
  EXPECT_EQ(refused.divergence->kind, "identity-unverifiable");
  EXPECT_EQ(refused.divergence->cause.code, "position");
  EXPECT_THAT(twins.site.acted(), IsEmpty());

  const StepReport passed =
      twins.Replay({.allowed = allowed, .positional = PositionalTargets::kAllowed});
  EXPECT_EQ(passed.verdict, StepVerdict::kPassedPositional);
  EXPECT_THAT(twins.site.acted(), ElementsAre("Save"));
}

TEST(ReplayImportTest, EdgesWithoutAnIdentityRecordAreUnverifiedAndUntouched) {
  Recording recording;
  store::GraphWriter writer(recording.kv(), store::Durability::kProcess);
  const topodb::Run run = testing::BuildRun("import");
  const StateBundle from = topodb::testing::BuildState("/", {{}});
  ASSERT_TRUE(writer.BeginRun(run));
  ASSERT_TRUE(writer.AddState(from));
  Transition transition =
      topodb::testing::BuildTransition(from, 0, topodb::testing::BuildState("/gone"));
  transition.edge.target = {};
  ASSERT_TRUE(writer.AddTransition(transition));
  ASSERT_TRUE(writer.EndRun(run));
  SimSite site;
  const auto report = recording.Replay(site);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->steps.size(), 1U);
  EXPECT_EQ(report->steps[0].verdict, StepVerdict::kUnverified);
  EXPECT_EQ(report->steps[0].reason, "no-identity-record");
  EXPECT_FALSE(report->AllPassed());
  EXPECT_EQ(site.calls(), 0U);
}

}  // namespace
}  // namespace topodb::replay
