#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/completion/await_run.h"
#include "tests/support/live_site.h"

// Regions of other pages than chats, by profiles that are written only as data.
namespace topodb::testing {
namespace {

using capture::Millis;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ------------------------------------------------------

capture::RegionProfile FixtureProfile(std::string_view name) {
  return capture::ParseRegionProfile(ReadFixture("completion/" + std::string(name)), name).value();
}

Result<capture::AwaitedRun> AwaitPage(capture::AwaitRunOptions options) {
  options.drive = LoopbackDrive();
  options.drive.clock = capture::ClockMode::kReal;
  const capture::SystemClock clock;
  capture::AwaitObserver nobody;
  const std::atomic<bool> never = false;
  return capture::AwaitRun(options, nullptr, capture::RiskPolicy::BuiltIn(), clock, {}, nobody,
                           never);
}

TEST(OwnProfiles, AStreamingLogEndsWithItsMark) {
  FixtureServer server;
  server.HandlePage("/log", ReadFixture("completion/log.html"));
  const auto done = AwaitPage({.input = server.Url("/log"),
                               .profile = FixtureProfile("log_profile.json"),
                               .submit = "button \"Show log\"",
                               .wait = {.budget = Millis(60'000)}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ("fetch\ncompile\nlink\ntest", done->observation.text);
  EXPECT_EQ("output.result", done->observation.proof.control);
}

TEST(OwnProfiles, ALogWithoutItsMarkIsNotFinished) {
  FixtureServer server;
  server.HandlePage("/log", ReadFixture("completion/log.html"));
  const auto done = AwaitPage({.input = server.Url("/log?auto&forever"),
                               .profile = FixtureProfile("log_profile.json"),
                               .wait = {.budget = Millis(8'000)}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(CompletionStatus::kDeferred, done->observation.status);
  EXPECT_EQ(std::nullopt, done->observation.text);
}

TEST(OwnProfiles, ASearchListIsFinishedWhenItIsCounted) {
  FixtureServer server;
  server.HandlePage("/search", ReadFixture("completion/search.html"));
  const auto done = AwaitPage({.input = server.Url("/search"),
                               .profile = FixtureProfile("search_profile.json"),
                               .fill = capture::FillStep{.locator = "#query", .text = "ap"},
                               .wait = {.budget = Millis(60'000)}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ("apple\napricot\ngrape\ngrapefruit", done->observation.text);
  EXPECT_EQ(".count", done->observation.proof.control);
}

TEST(OwnProfiles, ASelectorThatIsNoneIsNamed) {
  FixtureServer server;
  server.HandlePage("/log", ReadFixture("completion/log.html"));
  capture::RegionProfile profile =
      capture::ParseRegionProfile(
          R"({"version":"topodb-region-1","items":["pre["],"terminalControls":["output"]})", "bad")
          .value();
  const auto done = AwaitPage({.input = server.Url("/log"), .profile = std::move(profile)});
  ASSERT_FALSE(done);
  EXPECT_EQ(ErrorCode::kInvalidArgument, done.error().code);
  EXPECT_THAT(done.error().message, HasSubstr("'pre['"));
}

// ---- capture ------------------------------------------------------------------------------------

capture::CaptureOptions AwaitingExploration(const std::string& url) {
  capture::CaptureOptions options = ExplorationOf(url);
  options.drive.clock = capture::ClockMode::kReal;
  options.drive.await_profile = FixtureProfile("log_profile.json");
  return options;
}

TEST(CaptureAwaits, AnEdgeLeadsToTheFinishedState) {
  LiveSite site;
  site.server().HandlePage("/log", ReadFixture("completion/log.html"));
  const auto run = site.Capture(AwaitingExploration(site.Url("/log?every=700")));
  ASSERT_TRUE(run) << run.error().message;
  const Element* const button = TheElement(*run, run->states.front().id, "button", "Show log");
  ASSERT_NE(nullptr, button);
  ASSERT_NE(nullptr, EdgeOf(*run, *button));
  ASSERT_THAT(run->observations, SizeIs(1));
  const CompletionObservation& observation = run->observations[0];
  EXPECT_EQ(CompletionStatus::kComplete, observation.status);
  EXPECT_EQ("fetch\ncompile\nlink\ntest", observation.text);
  EXPECT_EQ(button->id, observation.element_id);
  EXPECT_EQ(run->states.front().id, observation.state_id);
  // The mark stands in the state that the edge leads to.
  const State* const state = FindState(*run, *EdgeOf(*run, *button)->to_state_id);
  ASSERT_NE(nullptr, state);
  EXPECT_THAT(state->identity_parts,
              Contains(::testing::Field(&IdentityPart::value, HasSubstr("passed"))));
  EXPECT_THAT(run->failures, IsEmpty());
}

TEST(CaptureAwaits, WithoutProofThereIsNoEdge) {
  LiveSite site;
  site.server().HandlePage("/log", ReadFixture("completion/log.html"));
  const auto run = site.Capture(AwaitingExploration(site.Url("/log?forever")));
  ASSERT_TRUE(run) << run.error().message;
  const Element* const button = TheElement(*run, run->states.front().id, "button", "Show log");
  ASSERT_NE(nullptr, button);
  EXPECT_EQ(nullptr, EdgeOf(*run, *button));
  const FailedObservation* const failure = FailureOf(*run, *button);
  ASSERT_NE(nullptr, failure);
  EXPECT_EQ(FailureReason::kCompletionUnverified, failure->reason);
  EXPECT_THAT(failure->message, HasSubstr("recovery-deferred-unverified"));
  ASSERT_THAT(run->observations, SizeIs(1));
  EXPECT_EQ(std::nullopt, run->observations[0].text);
}

}  // namespace
}  // namespace topodb::testing
