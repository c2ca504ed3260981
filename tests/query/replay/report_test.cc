#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/replay/report_json.h"
#include "query/replay/report_text.h"

namespace topodb::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

StepReport Diverged() {
  StepReport step;
  step.index = 2;
  step.role = "button";
  step.name = "Delete \x1b[31m\xE2\x80\xAE now";
  step.locator = R"(page.getByRole("button"))";
  step.verdict = StepVerdict::kDiverged;
  Divergence divergence;
  divergence.kind = "identity-mismatch";
  divergence.cause = {"row-gone", "what the locator finds is something else", "look again"};
  divergence.screen_available = true;
  divergence.screen_refs = {"heading \"Rows\""};
  divergence.binding = TargetBinding{.classification = BindingKind::kIdentityMismatch,
                                     .match_count = 1,
                                     .recorded = {"button", "Delete", "Acme", {"id=row-1"}},
                                     .observed = NodeSummary{"button", "Delete", "Beta", {}},
                                     .mismatches = {{"rowKey", "Acme", "Beta"}},
                                     .candidates = {{"button", "Delete", "Beta", {}}}};
  divergence.suggestions = {{"page.getByRole(\"button\")", "role-name"}};
  divergence.repair_hint = RepairHint::kCaution;
  step.divergence = divergence;
  return step;
}

TEST(ReportJsonTest, OneStructureWithEveryPart) {
  ReplayReport report;
  StepReport passed;
  passed.index = 1;
  passed.verdict = StepVerdict::kPassed;
  passed.arrival = Arrival::kSamePlace;
  report.steps = {passed, Diverged()};
  const auto json = boost::json::parse(ToJson(report, ReportDetail::kDefault));
  EXPECT_EQ(json.at("passed"), false);
  EXPECT_EQ(json.at("counts").at("diverged"), 1);
  EXPECT_EQ(json.at("steps").at(0).at("verdict"), "passed");
  EXPECT_EQ(json.at("steps").at(0).at("destination"), "place-and-landmarks");
  EXPECT_FALSE(json.at("steps").at(0).as_object().contains("divergence"));
  const auto& step = json.at("steps").at(1);
  EXPECT_EQ(step.at("code"), "REPLAY_DIVERGENCE");
  const auto& divergence = step.at("divergence");
  EXPECT_EQ(divergence.at("kind"), "identity-mismatch");
  EXPECT_EQ(divergence.at("step").at("index"), 2);
  EXPECT_EQ(divergence.at("cause").at("code"), "row-gone");
  EXPECT_EQ(divergence.at("screen").at("state"), "available");
  EXPECT_EQ(divergence.at("repairHint"), "caution");
  EXPECT_EQ(divergence.at("suggestions").at(0).at("basis"), "role-name");
  const auto& binding = divergence.at("targetBinding");
  EXPECT_EQ(binding.at("classification"), "identity-mismatch");
  EXPECT_EQ(binding.at("recorded").at("rowKey"), "Acme");
  EXPECT_EQ(binding.at("observed").at("rowKey"), "Beta");
  EXPECT_EQ(binding.at("mismatches").at(0).at("field"), "rowKey");
}

TEST(ReportJsonTest, AnUnseenPageIsCalledUnavailable) {
  StepReport step = Diverged();
  step.divergence->screen_available = false;
  step.divergence->binding.reset();
  const auto json = boost::json::parse(ToJson(step, ReportDetail::kDefault));
  EXPECT_EQ(json.at("divergence").at("screen").at("state"), "unavailable");
  EXPECT_FALSE(json.at("divergence").as_object().contains("targetBinding"));
}

TEST(ReportJsonTest, StaysWithinItsCeilings) {
  StepReport step = Diverged();
  const std::string longer(10'000, '\x01');  // six bytes each in JSON
  step.name = step.locator = longer;
  Divergence& divergence = *step.divergence;
  divergence.cause.message = longer;
  divergence.screen_refs.assign(kMaxScreenRefs, longer);
  divergence.suggestions.assign(kMaxSuggestions, {longer, "other"});
  divergence.binding->mismatches.assign(kMaxMismatches, {"name", longer, longer});
  divergence.binding->candidates.assign(kMaxCandidates, {longer, longer, longer, {longer}});
  for (const auto detail : {ReportDetail::kBrief, ReportDetail::kDefault, ReportDetail::kFull}) {
    const auto json = boost::json::parse(ToJson(step, detail));
    const auto& out = json.at("divergence");
    EXPECT_LE(boost::json::serialize(out).size(), CeilingOf(detail));
    EXPECT_EQ(out.at("kind"), "identity-mismatch") << "what it is about stays";
    EXPECT_EQ(out.at("cause").at("message").as_string().size(), kMaxReportString);
  }
}

TEST(ReportTextTest, SaysWhatHappenedAndWhatToDo) {
  ReplayReport report;
  report.steps = {Diverged()};
  report.end = ReplayEnd::kDeadline;
  const std::string text = ToText(report);
  EXPECT_THAT(text, HasSubstr("diverged"));
  EXPECT_THAT(text, HasSubstr("identity-mismatch (row-gone)"));
  EXPECT_THAT(text, HasSubstr("rowKey: recorded Acme, observed Beta"));
  EXPECT_THAT(text, HasSubstr("repair: caution"));
  EXPECT_THAT(text, HasSubstr("ended early: deadline"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << "page text cannot speak to the terminal";
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
}

TEST(ReportTest, SaysWhereToTakeItUp) {
  struct Case {
    RepairHint hint;
    size_t from;
    std::optional<size_t> alternate;
  };
  const Case kCases[] = {{RepairHint::kRecordAndHeal, 3, std::nullopt},
                         {RepairHint::kCaution, 2, 3},
                         {RepairHint::kManual, 2, 3},
                         {RepairHint::kStateRepair, 2, std::nullopt}};
  for (const Case& c : kCases) {
    SCOPED_TRACE(ToString(c.hint));
    StepReport step = Diverged();
    step.divergence->repair_hint = c.hint;
    const auto point = ResumePointOf(step);
    ASSERT_TRUE(point);
    EXPECT_EQ(point->from, c.from);
    EXPECT_EQ(point->alternate_from, c.alternate);
  }
  EXPECT_FALSE(ResumePointOf(StepReport{}));

  ReplayReport report;
  report.plan_digest = "d1";
  report.steps = {Diverged()};
  const auto json = boost::json::parse(ToJson(report, ReportDetail::kDefault));
  const auto& resume = json.at("steps").at(0).at("divergence").at("resume");
  EXPECT_EQ(resume.at("allowed"), true);
  EXPECT_EQ(resume.at("planDigest"), "d1");
  EXPECT_EQ(resume.at("from"), 2);
  EXPECT_EQ(resume.at("alternateFrom"), 3);
}

TEST(ReportTest, OnlyPassesPass) {
  ReplayReport report;
  EXPECT_TRUE(report.AllPassed());
  StepReport step;
  for (const auto& [verdict, passes] :
       {std::pair{StepVerdict::kPassed, true}, std::pair{StepVerdict::kPassedPositional, true},
        std::pair{StepVerdict::kDiverged, false}, std::pair{StepVerdict::kUnverified, false},
        std::pair{StepVerdict::kSkipped, false}, std::pair{StepVerdict::kNotRun, false}}) {
    step.verdict = verdict;
    report.steps = {step};
    EXPECT_EQ(report.AllPassed(), passes) << ToString(verdict);
  }
}

}  // namespace
}  // namespace topodb::replay
