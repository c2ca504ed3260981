#include "query/replay/script_player.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/replay/landmark_wait.h"
#include "query/replay/script_report.h"
#include "query/script/make_script.h"
#include "tests/query/replay/replay_harness.h"

namespace topodb::replay {
namespace {

using script::Script;
using testing::FakeClock;
using testing::Recording;
using testing::SimSite;
using topodb::testing::SimAct;
using topodb::testing::SimButton;
using topodb::testing::SimInput;
using topodb::testing::SimLink;
using topodb::testing::SimPage;
using Kind = SimAct::Kind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kGuard = "heading \"All about docs\"";

// Home leads to docs by a link.
SimSite Site(const std::function<void(SimPage& home, SimPage& docs)>& change = {}) {
  SimPage home{.title = "Home", .headings = {"Welcome"}};
  home.widgets = {SimLink("Documentation", "/docs"), SimButton("Delete account", {Kind::kSay, "x"}),
                  SimInput("Comment")};
  SimPage docs{.title = "Docs", .headings = {"All about docs"}};
  if (change) change(home, docs);
  SimSite site;
  site.AddPage("/", std::move(home));
  site.AddPage("/docs", std::move(docs));
  return site;
}

// A page whose looks are not what the site shows.
class ShiftyPage final : public capture::PageDriver {
 public:
  using Change = std::function<Result<PageSnapshot>(size_t look, PageSnapshot page)>;
  ShiftyPage(SimSite& site, Change change) : site_(site), change_(std::move(change)) {}

  Status Reset() override { return site_.Reset(); }
  Result<capture::LoadReport> Navigate(const std::string& url) override {
    return site_.Navigate(url);
  }
  Result<PageSnapshot> Snapshot() override {
    auto page = site_.Snapshot();
    if (!page) return page;
    return change_(looks_++, *std::move(page));
  }
  Result<capture::ActionReport> Perform(const NodeRef& node,
                                        const capture::ActionRequest& action) override {
    return site_.Perform(node, action);
  }
  size_t looks() const { return looks_; }

 private:
  SimSite& site_;
  Change change_;
  size_t looks_ = 0;
};

class ScriptPlayerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SimSite site = Site();
    ASSERT_TRUE(recording_.Record(site, {}));
    script_ = MakeScriptTo(SimSite::Url("/docs"), kGuard);
    options_.pause = [this](capture::Millis pause) { clock_.Advance(pause); };
  }

  Script MakeScriptTo(const std::string& url, std::string_view guard) {
    const store::GraphReader reader(recording_.kv());
    const auto run = reader.FindRun("latest");
    const auto states = reader.States(run->number);
    for (const State& state : *states) {
      if (state.url != url) continue;
      const auto way = script::LoadWay(reader, *run, state.id);
      EXPECT_TRUE(way);
      auto script = script::MakeScript(*way, guard);
      EXPECT_TRUE(script) << script.error().message;
      return script ? *std::move(script) : Script{};
    }
    ADD_FAILURE() << "no state " << url;
    return {};
  }

  // The one step of that category that the site records when it is allowed; its element also has
  // `attribute`.
  static Script MakeScriptOf(RiskCategory category, const NameValue& attribute) {
    SimSite site = Site();
    Recording recording;
    EXPECT_TRUE(recording.Record(site, {.allowed = {category}}));
    const store::GraphReader reader(recording.kv());
    const auto run = reader.FindRun("latest");
    const auto edges = reader.Edges(run->number);
    const auto edge = std::ranges::find(*edges, category, &ActionEdge::risk_category);
    EXPECT_NE(edges->end(), edge);
    if (edge == edges->end()) return {};
    Element element = *reader.GetElement(run->number, edge->element_id);
    element.attributes.push_back(attribute);
    const auto state = reader.GetState(run->number, *edge->to_state_id);
    const script::RecordedWay way{
        .entry_url = SimSite::Url("/"),
        .steps = {{.edge = *edge, .element = element, .destination = *state}},
        .landmarks = *reader.LandmarksOf(run->number, state->id)};
    auto script = script::MakeScript(way, "heading \"Welcome\"");
    EXPECT_TRUE(script) << script.error().message;
    return script ? *std::move(script) : Script{};
  }

  Result<PlayReport> TryPlay(capture::PageDriver& driver) {
    PlayObserver observer;
    return Play(driver, script_, options_, capture::RiskPolicy::BuiltIn(), clock_, observer,
                never_);
  }
  PlayReport Played(capture::PageDriver& driver) {
    auto report = TryPlay(driver);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : PlayReport{};
  }

  static std::vector<StepVerdict> Verdicts(const PlayReport& report) {
    std::vector<StepVerdict> verdicts;
    for (const PlayedStep& step : report.steps) verdicts.push_back(step.report.verdict);
    return verdicts;
  }
  // How the guard of a report diverged; "" when it did not.
  static std::string GuardKind(const PlayReport& report) {
    const auto& divergence = report.steps.back().report.divergence;
    return divergence ? divergence->kind : "";
  }

  Recording recording_;
  FakeClock clock_;
  Script script_;
  PlayOptions options_;
  const std::atomic<bool> never_ = false;
};

TEST_F(ScriptPlayerTest, AnUnchangedSitePassesStepByStepOnOnePage) {
  SimSite site = Site();
  const PlayReport report = Played(site);
  EXPECT_TRUE(report.AllPassed());
  EXPECT_THAT(Verdicts(report), ElementsAre(StepVerdict::kPassed, StepVerdict::kPassed));
  EXPECT_THAT(site.acted(), ElementsAre("Documentation"));
  EXPECT_THAT(ToText(report), HasSubstr("   2 passed            wait heading \"All about docs\""));
  EXPECT_THAT(ToJson(report, ReportDetail::kDefault), HasSubstr("\"type\":\"wait\""));
}

TEST_F(ScriptPlayerTest, WhatCannotBePlayedOpensNothing) {
  const Script good = script_;
  const auto refuse = [&](const std::function<void()>& change) {
    script_ = good;
    options_.base.clear();
    change();
    SimSite site = Site();
    const auto report = TryPlay(site);
    EXPECT_THAT(site.opened(), IsEmpty());
    return report ? std::string("not refused") : report.error().message;
  };
  EXPECT_THAT(refuse([&] { script_.steps.pop_back(); }), HasSubstr("nothing proves where"));
  EXPECT_THAT(refuse([&] { script_.variables = {"PASSWORD"}; }),
              HasSubstr("needs a value for PASSWORD"));
  EXPECT_THAT(refuse([&] { script_.url = "http://sim.test/?token=REDACTED"; }),
              HasSubstr("was redacted"));
  EXPECT_THAT(refuse([&] { options_.base = "nowhere"; }), HasSubstr("not an absolute URL"));
}

TEST_F(ScriptPlayerTest, AnEntryOutOfScopeSkipsEveryStep) {
  options_.in_scope = [](const std::string&) { return false; };
  SimSite site = Site();
  const PlayReport report = Played(site);
  EXPECT_FALSE(report.AllPassed());
  EXPECT_THAT(Verdicts(report), Each(StepVerdict::kSkipped));
  EXPECT_EQ("out-of-scope", report.steps[0].report.reason);
  EXPECT_THAT(site.opened(), IsEmpty());
}

TEST_F(ScriptPlayerTest, AStepWithoutARecordIsNeverActedOn) {
  script_.steps[0].target.reset();
  SimSite site = Site();
  const PlayReport report = Played(site);
  EXPECT_THAT(Verdicts(report), ElementsAre(StepVerdict::kUnverified, StepVerdict::kNotRun));
  EXPECT_THAT(site.acted(), IsEmpty());
}

TEST_F(ScriptPlayerTest, TheFirstStepThatDoesNotPassIsTheLast) {
  SimSite site = Site([](SimPage& home, SimPage&) { home.widgets[0].name = "Manual"; });
  const PlayReport report = Played(site);
  EXPECT_THAT(Verdicts(report), ElementsAre(StepVerdict::kDiverged, StepVerdict::kNotRun));
  EXPECT_EQ("step 1 did not pass", report.steps[1].report.reason);
  EXPECT_THAT(site.acted(), IsEmpty());
}

// Whatever a script says, the policy is asked about what is there.
TEST_F(ScriptPlayerTest, RiskIsJudgedOnTheLiveElement) {
  script_ = MakeScriptOf(RiskCategory::kDestructive, {});

  SimSite site = Site();
  PlayReport report = Played(site);
  EXPECT_THAT(Verdicts(report), ElementsAre(StepVerdict::kSkipped, StepVerdict::kNotRun));
  EXPECT_EQ("risk:destructive", report.steps[0].report.reason);
  EXPECT_THAT(site.acted(), IsEmpty());

  options_.allowed = {RiskCategory::kDestructive};
  report = Played(site);
  EXPECT_TRUE(report.AllPassed()) << ToText(report);
  EXPECT_THAT(site.acted(), ElementsAre("Delete account"));
}

TEST_F(ScriptPlayerTest, VariablesAreEnteredAndNeverReported) {
  script_ = MakeScriptOf(RiskCategory::kInputEdit, {"type", "password"});
  ASSERT_THAT(script_.variables, ElementsAre("COMMENT"));
  options_.allowed = {RiskCategory::kInputEdit};
  options_.values = {{"COMMENT", "canary-4711"}};
  SimSite site = Site();
  const PlayReport report = Played(site);
  EXPECT_TRUE(report.AllPassed()) << ToText(report);
  EXPECT_EQ(std::string::npos, ToText(report).find("4711"));
  EXPECT_EQ(std::string::npos, ToJson(report, ReportDetail::kFull).find("4711"));
}

TEST_F(ScriptPlayerTest, ALateDeadlineEndsTheScript) {
  clock_ = FakeClock(capture::Millis{1000});
  options_.deadline = capture::Millis{1500};
  SimSite site = Site();
  const PlayReport report = Played(site);
  EXPECT_EQ(ReplayEnd::kDeadline, report.end);
  EXPECT_FALSE(report.AllPassed());
}

// ---- the guard ---------------------------------------------------------------------------------

SnapshotMark& Heading(PageSnapshot& page) {
  return *std::ranges::find(page.marks, "heading", &SnapshotMark::role);
}

TEST_F(ScriptPlayerTest, AGuardThatComesLaterIsWaitedFor) {
  SimSite site = Site();
  // Nothing at first, then another one of that name, then the landmark.
  ShiftyPage page(site, [](size_t look, PageSnapshot seen) -> Result<PageSnapshot> {
    if (look == 2) seen.marks.clear();
    if (look == 3) return Error{ErrorCode::kTimeout, "the page did not answer", ""};
    if (look == 4) Heading(seen).identity.ancestry = {{"dialog", "Help"}};
    return seen;
  });
  EXPECT_TRUE(Played(page).AllPassed());
  EXPECT_EQ(6U, page.looks());
}

TEST_F(ScriptPlayerTest, AGuardThatDoesNotHoldIsNamed) {
  struct Case {
    const char* what;
    ShiftyPage::Change change;
    const char* kind;
  };
  const auto on_docs = [](const std::function<void(PageSnapshot&)>& change) {
    return [change](size_t look, PageSnapshot page) -> Result<PageSnapshot> {
      if (look >= 2) change(page);  // after the entry and the arrival
      return page;
    };
  };
  const std::vector<Case> cases = {
      {"gone", on_docs([](PageSnapshot& page) { page.marks.clear(); }), "action-failure"},
      {"renamed", on_docs([](PageSnapshot& page) { Heading(page).name = "All about cats"; }),
       "action-failure"},
      {"in another place", on_docs([](PageSnapshot& page) {
         Heading(page).identity.ancestry = {{"dialog", "Help"}};
       }),
       "identity-mismatch"},
      {"on another page",
       on_docs([](PageSnapshot& page) { page.url_canonical_key = "@entry/elsewhere"; }),
       "identity-mismatch"},
      {"on another site", on_docs([](PageSnapshot& page) { page.origin = "http://other.test"; }),
       "identity-mismatch"},
      {"behind a dialog",
       on_docs([](PageSnapshot& page) { page.modal_stack = {"dialog \"Cookies\""}; }),
       "identity-mismatch"},
      {"unreadable",
       [](size_t look, PageSnapshot page) -> Result<PageSnapshot> {
         if (look >= 2) return Error{ErrorCode::kTimeout, "the page did not answer", ""};
         return page;
       },
       "capture-failure"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    SimSite site = Site();
    ShiftyPage page(site, test.change);
    const PlayReport report = Played(page);
    EXPECT_FALSE(report.AllPassed());
    EXPECT_THAT(Verdicts(report), ElementsAre(StepVerdict::kPassed, StepVerdict::kDiverged));
    EXPECT_EQ(test.kind, GuardKind(report)) << ToText(report);
    EXPECT_GT(page.looks(), 30U);  // 10 s, a look every 300 ms
  }
}

TEST_F(ScriptPlayerTest, AGuardWhoseRecordProvesNothingIsNotLookedFor) {
  // A second one, behind one that does prove something.
  script_.steps.push_back(script_.steps.back());
  script_.steps.back().target->identity.verification = Verification::kUnverifiable;
  SimSite site = Site();
  ShiftyPage page(site, [](size_t, PageSnapshot seen) { return seen; });
  const PlayReport report = Played(page);
  EXPECT_FALSE(report.AllPassed());
  EXPECT_EQ("identity-unverifiable", GuardKind(report));
  EXPECT_EQ(3U, page.looks());
}

}  // namespace
}  // namespace topodb::replay
