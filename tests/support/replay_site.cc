#include "tests/support/replay_site.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capture/risk/risk_policy.h"

namespace topodb::testing {

std::vector<RiskCategory> AllRisks() {
  using enum RiskCategory;
  return {kReadOnly,     kNavigation,  kUiReveal,      kInputEdit,        kFormSubmit,
          kDataMutation, kDestructive, kAuthSensitive, kPaymentSensitive, kUnknown};
}

bool ReplaySite::Record(const std::string& page, uint32_t depth) {
  Serve(page);
  site_.server().HandlePage("/log", "");
  capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
  options.explore.allowed = AllRisks();
  options.explore.max_depth = depth;
  auto run = site_.Capture(options);
  EXPECT_TRUE(run) << run.error().message;
  if (!run) return false;
  recorded_ = *std::move(run);
  return OpenDrive();
}

bool ReplaySite::OpenDrive() {
  auto drive =
      capture::Drive::Open(LoopbackDrive(), capture::UrlEntry{.url = site_.Url("/")}, clock_);
  EXPECT_TRUE(drive) << drive.error().message;
  if (!drive) return false;
  drive_ = *std::move(drive);
  return true;
}

replay::ReplayReport ReplaySite::Replay(replay::ReplayOptions options) {
  site_.server().ForgetRequests();
  if (options.allowed.empty()) options.allowed = AllRisks();
  options.in_scope = [this](const std::string& url) { return drive_->InScope(url); };
  replay::ReplayObserver observer;
  auto report = replay::Replay(drive_->page(), site_.reader(), site_.Stored(recorded_).number,
                               options, capture::RiskPolicy::BuiltIn(), clock_, observer, never_);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(report).value_or(replay::ReplayReport{});
}

const ActionEdge& ReplaySite::EdgeOf(std::string_view role, std::string_view name,
                                     std::string_view row) const {
  static const ActionEdge kNone;
  const ActionEdge* found = nullptr;
  for (const ActionEdge& edge : recorded_.edges) {
    if (edge.target.role != role || edge.target.name != name) continue;
    if (!row.empty() && edge.target.row_key != row) continue;
    EXPECT_EQ(found, nullptr) << "several edges act on " << role << " " << name;
    found = &edge;
  }
  EXPECT_NE(found, nullptr) << "no edge acts on " << role << " " << name << " " << row;
  return found == nullptr ? kNone : *found;
}

replay::ReplayReport ReplaySite::ReplayOf(std::string_view role, std::string_view name,
                                          std::string_view row, replay::ReplayOptions options) {
  options.selection.edges = {EdgeOf(role, name, row).id};
  return Replay(std::move(options));
}

std::vector<std::string> ReplaySite::Clicks() const {
  std::vector<std::string> clicks;
  for (const HttpRequest& request : site_.requests()) {
    if (request.path == "/log") clicks.push_back(request.query);
  }
  return clicks;
}

std::string VerdictOf(const replay::ReplayReport& report) {
  if (report.steps.size() != 1) return fmt::format("{} steps", report.steps.size());
  const replay::StepReport& step = report.steps.front();
  std::string verdict(ToString(step.verdict));
  if (step.verdict == replay::StepVerdict::kNotRun && step.divergence) {
    return fmt::format("{}({})", verdict, step.divergence->kind);
  }
  if (!step.divergence) return step.reason.empty() ? verdict : verdict + "(" + step.reason + ")";
  const auto& [code, message, hint] = step.divergence->cause;
  const bool named = code != step.divergence->kind;
  return fmt::format("{}({}{}{})", verdict, step.divergence->kind, named ? ": " : "",
                     named ? code : "");
}

}  // namespace topodb::testing
