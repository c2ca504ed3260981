#include <algorithm>
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/completion/await_region.h"
#include "capture/completion/await_run.h"
#include "capture/drive.h"
#include "tests/support/descendants.h"
#include "tests/support/fake_clock.h"
#include "tests/support/live_site.h"
#include "tests/support/recording_sink.h"

// A fake chat page in a real browser. What happens on it is told by commands at moments of a clock
// that the test owns, so that nothing depends on how fast the machine is.
namespace topodb::testing {
namespace {

using capture::AwaitOptions;
using capture::CopyWanted;
using capture::Millis;
using capture::RegionSession;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr Millis kReal{10'000};  // that a page of this machine surely answers in

const capture::RegionProfile& Chat() { return *capture::FindBuiltInProfile("chatgpt"); }

// The region of a real page in the test's own time.
class ScriptedRegion final : public capture::RegionPage {
 public:
  ScriptedRegion(capture::RegionPage& page, FakeClock& clock) : page_(page), clock_(clock) {}

  void At(int millis, std::string command) {
    At(millis, [this, command = std::move(command)] {
      const Status typed = page_.Type(command, kReal);
      EXPECT_TRUE(typed) << command << ": " << typed.error().message;
    });
  }
  void At(int millis, std::function<void()> step) {
    steps_.emplace_back(Millis(millis), std::move(step));
  }

  Result<capture::RegionReading> Read(const capture::RegionQuery& query,
                                      Millis /*limit*/) override {
    while (next_ < steps_.size() && steps_[next_].first <= Now()) steps_[next_++].second();
    return page_.Read(query, kReal);
  }
  Result<std::vector<uint32_t>> FindElements(const std::string& selector, Millis limit) override {
    return page_.FindElements(selector, limit);
  }
  Status Type(const std::string& text, Millis limit) override { return page_.Type(text, limit); }
  void AwaitChange(Millis limit) override {
    if (next_ < steps_.size()) {
      limit = std::clamp(steps_[next_].first - Now(), Millis(1), std::max(limit, Millis(1)));
    }
    clock_.Advance(limit);
  }
  void Rest(Millis time) override { clock_.Advance(time); }
  Result<std::string> Copy(const capture::RegionProfile& profile, const capture::Completion& proven,
                           Millis /*limit*/) override {
    return page_.Copy(profile, proven, kReal);
  }
  Result<capture::ImageBytes> FetchImage(const std::string& source, Millis /*limit*/) override {
    return page_.FetchImage(source, kReal);
  }

 private:
  Millis Now() const {
    return std::chrono::duration_cast<Millis>(clock_.Steady().time_since_epoch());
  }

  capture::RegionPage& page_;
  FakeClock& clock_;
  std::vector<std::pair<Millis, std::function<void()>>> steps_;
  size_t next_ = 0;
};

struct Heartbeats final : capture::AwaitObserver {
  std::vector<std::string> phases;
  void OnHeartbeat(capture::RegionPhase phase, Millis /*elapsed*/) override {
    phases.emplace_back(ToString(phase));
  }
};

class ChatTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string html = ReadFixture("completion/chat.html");
    server.HandlePage("/c/ab12", html);
    server.Handle("/send", [](const HttpRequest&) { return HttpResponse{.body = "ok"}; });
    server.Handle("/backend-api/estuary/content", [](const HttpRequest&) {
      return HttpResponse{
          .content_type = "image/svg+xml",
          .body = R"(<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>)"};
    });
  }

  // Opens the page, on which `commands` have run.
  void Open(std::string_view commands) {
    capture::DriveOptions options = LoopbackDrive();
    options.clock = capture::ClockMode::kReal;
    const std::string url = server.Url("/c/ab12?do=" + std::string(commands));
    auto opened = capture::Drive::Open(options, {.url = url}, system_clock);
    ASSERT_TRUE(opened) << opened.error().message;
    drive = *std::move(opened);
    const auto load = drive->page().Navigate(url);
    ASSERT_TRUE(load) << load.error().message;
    page.emplace(drive->region(), clock);
  }

  // What the wait comes to whose baseline is `old` items.
  CompletionObservation Await(AwaitOptions options, uint64_t old = 0) {
    const auto taken = capture::BaselineOfNothing(drive->region(), Chat(), system_clock);
    EXPECT_TRUE(taken) << taken.error().message;
    capture::TakenBaseline baseline = *taken;
    baseline.baseline.item_count = old;
    const auto done =
        capture::AwaitRegion(*page, Chat(), baseline, options, clock, heartbeats, never);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->status == CompletionStatus::kComplete, done->text.has_value());
    EXPECT_EQ(done->status == CompletionStatus::kComplete, done->proof.finished);
    return *done;
  }

  capture::RegionReading Look() {
    const auto reading = drive->region().Read(
        {.profile = Chat(), .from = 0, .images = capture::ImagesWanted::kYes}, kReal);
    EXPECT_TRUE(reading) << reading.error().message;
    return reading.value_or(capture::RegionReading());
  }

  FixtureServer server;
  capture::SystemClock system_clock;
  FakeClock clock;
  std::unique_ptr<capture::Drive> drive;
  std::optional<ScriptedRegion> page;
  Heartbeats heartbeats;
  const std::atomic<bool> never = false;
};

const AwaitOptions kStored{.budget = Millis(20'000)};
const AwaitOptions kUnstored{.budget = Millis(20'000), .session = RegionSession::kNone};

TEST_F(ChatTest, A01StableTextWithoutControlIsDeferred) {
  Open("turn(m1);text(Hello)");
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kDeferred, done.status);
  EXPECT_EQ("recovery-deferred-unverified", done.error_code);
  EXPECT_TRUE(done.recoverable);
  EXPECT_EQ("m1", done.proof.message_id);
}

TEST_F(ChatTest, A02TheSameWithoutSessionIsATimeout) {
  Open("turn(m1);text(Hello)");
  const auto done = Await(kUnstored);
  EXPECT_EQ(CompletionStatus::kTimeout, done.status);
  EXPECT_EQ("provider.poll-timeout", done.error_code);
  EXPECT_TRUE(done.recoverable);
}

TEST_F(ChatTest, A03ACopyWithoutControlIsNeverComplete) {
  Open("turn(m1);text(Hello);outside");
  AwaitOptions stored = kStored, unstored = kUnstored;
  stored.copy = unstored.copy = CopyWanted::kYes;
  const auto deferred = Await(stored);
  EXPECT_EQ(CompletionStatus::kDeferred, deferred.status);
  EXPECT_EQ("copy-markdown-deferred-unverified", deferred.error_code);
  EXPECT_EQ(CompletionStatus::kTimeout, Await(unstored).status);
}

TEST_F(ChatTest, A03ACopyWithTheControlIsComplete) {
  Open("turn(m1);text(Hello);bar");
  AwaitOptions options = kStored;
  options.copy = CopyWanted::kYes;
  const auto done = Await(options);
  EXPECT_EQ(CompletionStatus::kComplete, done.status);
  EXPECT_EQ("**Hello**", done.text);
  EXPECT_THAT(done.used_fallbacks, ElementsAre("copy-markdown"));
}

TEST_F(ChatTest, A03ACopyThatIsTooShortIsTheDomText) {
  Open("turn(m1);text(Hello, dear reader);copies(Hi);bar");
  AwaitOptions options = kStored;
  options.copy = CopyWanted::kYes;
  const auto done = Await(options);
  EXPECT_EQ("Hello, dear reader", done.text);
  EXPECT_THAT(done.used_fallbacks, IsEmpty());
  EXPECT_THAT(done.warnings, ElementsAre(HasSubstr("the copy has 2 of 18 bytes")));
}

TEST_F(ChatTest, A04AControlInThatTurnProvesIt) {
  Open("turn(m0);text(Old);bar;user(Hi);turn(m1);text(Hello)");
  page->At(2000, "bar");
  const auto done = Await(kStored, 1);
  EXPECT_EQ(CompletionStatus::kComplete, done.status);
  EXPECT_EQ("Hello", done.text);
  EXPECT_EQ("m1", done.proof.message_id);
  EXPECT_EQ("conversation-turn-3", done.proof.turn_id);
  EXPECT_EQ(1, done.proof.turn_index);
  EXPECT_EQ("button[data-testid=\"copy-turn-action-button\"]", done.proof.control);
  EXPECT_THAT(done.used_fallbacks, IsEmpty());
}

TEST_F(ChatTest, A05TheControlHasToBeUnderTheSampledMessage) {
  Open("turn(m1);text(One);bar;turn(m2);text(Two)");
  EXPECT_EQ(CompletionStatus::kDeferred, Await(kStored).status);
  ASSERT_TRUE(drive->region().Type("bar", kReal));
  const auto done = Await(kStored);
  EXPECT_EQ("Two", done.text);
  EXPECT_EQ("m2", done.proof.message_id);
}

TEST_F(ChatTest, A06ATurnIdAloneIsAnIdentity) {
  Open("turn;text(Hello);bar");
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kComplete, done.status);
  EXPECT_EQ(std::nullopt, done.proof.message_id);
  EXPECT_EQ("conversation-turn-1", done.proof.turn_id);
}

TEST_F(ChatTest, A07OfTwoIdsNoneMayDiffer) {
  Open("turn(m1);text(Hello);bar");
  const auto sample = capture::TakeSample(Look(), Chat(), 0);
  ASSERT_TRUE(sample);
  EXPECT_TRUE(capture::Correlate(Look(), *sample, 0).finished);
  ASSERT_TRUE(drive->region().Type("message(m2)", kReal));
  EXPECT_FALSE(capture::Correlate(Look(), *sample, 0).finished);
}

TEST_F(ChatTest, A08WithoutIdentityTheBaselineDecides) {
  Open("plain;text(Old);bar");
  EXPECT_EQ(CompletionStatus::kTimeout, Await(kStored, 1).status);
  ASSERT_TRUE(drive->region().Type("plain", kReal));
  ASSERT_TRUE(drive->region().Type("text(New)", kReal));
  ASSERT_TRUE(drive->region().Type("bar", kReal));
  const auto done = Await(kStored, 1);
  EXPECT_EQ("New", done.text);
  EXPECT_EQ(1, done.proof.turn_index);
  EXPECT_EQ(std::nullopt, done.proof.message_id);
}

TEST_F(ChatTest, A09TheLastLookIsForTheExactSample) {
  Open("turn(m1);text(Hello)");
  page->At(18'050, [&] {
    // The same text, finished, in another message.
    ASSERT_TRUE(drive->region().Type("message(m2)", kReal));
    ASSERT_TRUE(drive->region().Type("bar", kReal));
  });
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kDeferred, done.status);
}

TEST_F(ChatTest, A10AControlThatArrivesOnlyAtTheDeadlineProvesItOnTheLastLook) {
  Open("turn(m1);text(Hello)");
  page->At(17'900, "bar");
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kComplete, done.status);
  EXPECT_EQ("Hello", done.text);
  EXPECT_THAT(done.used_fallbacks, ElementsAre("recovery"));
  EXPECT_THAT(done.warnings, SizeIs(1));
}

TEST_F(ChatTest, A11AVisibleStopAtTheEndDefersAsStreaming) {
  Open("turn(m1);text(Hello);bar;stop");
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kDeferred, done.status);
  EXPECT_EQ("recovery-deferred-streaming", done.error_code);
  ASSERT_TRUE(drive->region().Type("nostop", kReal));
  ASSERT_TRUE(drive->region().Type("hiddenstop", kReal));
  EXPECT_EQ(CompletionStatus::kComplete, Await(kStored).status);
}

TEST_F(ChatTest, A11RunningProgressInTheLatestTurnIsAVeto) {
  Open("turn(m1);text(Hello);bar;progress");
  EXPECT_EQ("recovery-deferred-streaming", Await(kStored).error_code);
  ASSERT_TRUE(drive->region().Type("noprogress", kReal));
  EXPECT_EQ(CompletionStatus::kComplete, Await(kStored).status);
}

TEST_F(ChatTest, A12StopDictationInTheFormIsNotStreaming) {
  Open("turn(m1);text(Hello);bar;dictation");
  EXPECT_THAT(Look().stops, SizeIs(1));
  EXPECT_EQ(CompletionStatus::kComplete, Await(kStored).status);
}

TEST_F(ChatTest, A13AStopLabelOutsideOfTheFormIsNotStreaming) {
  Open("turn(m1);text(Hello);bar;sharing");
  EXPECT_THAT(Look().stops, IsEmpty());
  EXPECT_EQ(CompletionStatus::kComplete, Await(kStored).status);
}

TEST_F(ChatTest, A14ABareWrapperWithControlsIsNeverATurn) {
  Open("turn(m1);text(Hello);bare");
  EXPECT_EQ(1, Look().count);
  EXPECT_EQ(CompletionStatus::kDeferred, Await(kStored).status);
}

TEST_F(ChatTest, A15ImagesAloneAreAnAnswerOnlyWhenAskedFor) {
  Open("turn(m1);image(file_1);image(file_2)");
  const auto not_asked = Await(kStored);
  EXPECT_EQ(CompletionStatus::kTimeout, not_asked.status);
  AwaitOptions options = kStored;
  std::vector<std::string> types;
  options.store_image = [&](const capture::ImageBytes& image) -> Result<std::string> {
    types.push_back(image.media_type);
    EXPECT_THAT(image.bytes, ::testing::StartsWith("<svg"));
    return "dir/" + std::to_string(types.size()) + ".svg";
  };
  const auto asked = Await(options);
  EXPECT_EQ(CompletionStatus::kComplete, asked.status);
  EXPECT_EQ("Generated 2 images.\n\n![Generated image](dir/1.svg)\n![Generated image](dir/2.svg)",
            asked.text);
  EXPECT_EQ("m1", asked.proof.message_id);
  EXPECT_THAT(types, ElementsAre("image/svg+xml", "image/svg+xml"));
}

TEST_F(ChatTest, A16OnlyTheRealAnswerIsOne) {
  Open("user(Hi);turn(m1);text(Thinking)");
  page->At(1000, "text(Thought for 3s I will look)");
  page->At(2500, "bar");
  page->At(3100, "nobar");
  page->At(3200, "text(Thought for 9s The real answer)");
  page->At(4000, "bar");
  const auto done = Await(kStored);
  EXPECT_EQ("The real answer", done.text);
  EXPECT_THAT(done.used_fallbacks, IsEmpty());
}

// A17: here reading an attribute of the item throws, in topodb's own world too.
TEST_F(ChatTest, A17AReadThatThrowsIsNoQuiet) {
  Open("form(m1);text(Hello);bar");
  page->At(500, "clobber");
  const auto deferred = Await(kStored);
  EXPECT_EQ(CompletionStatus::kDeferred, deferred.status);
  EXPECT_EQ("recovery-deferred-unverified", deferred.error_code);
}

TEST_F(ChatTest, A17TheSameWithoutSessionIsATimeout) {
  Open("form(m1);text(Hello);bar");
  page->At(500, "clobber");
  EXPECT_EQ(CompletionStatus::kTimeout, Await(kUnstored).status);
}

TEST_F(ChatTest, A18NestedRoleNodesAreOneTurn) {
  Open("turn(m1);text(Hello);nested(inner);bar");
  EXPECT_EQ(1, Look().count);
  EXPECT_EQ("Hello", Await(kStored).text);
}

TEST_F(ChatTest, A19ControlsOutsideOfTheItemProveNothing) {
  Open("plain(m1);text(Hello);outside");
  EXPECT_EQ(CompletionStatus::kDeferred, Await(kStored).status);
}

TEST_F(ChatTest, A20ABarThatFlashesAfterAStableTextProvesNothing) {
  Open("turn(m1);text(Let me see)");
  page->At(3000, "bar");
  page->At(3600, "nobar");
  page->At(6000, "text(The answer)");
  page->At(7000, "bar");
  EXPECT_EQ("The answer", Await(kStored).text);
}

TEST_F(ChatTest, A21AHeartbeatEveryThirtySeconds) {
  Open("turn(m1);text(Hello);stop");
  page->At(40'000, "nostop");
  page->At(70'000, "bar");
  EXPECT_EQ(CompletionStatus::kComplete, Await({.budget = Millis(300'000)}).status);
  EXPECT_THAT(heartbeats.phases, ElementsAre("streaming", "settling"));
}

TEST_F(ChatTest, A22ACrashIsRecoverable) {
  Open("turn(m1);text(Hello)");
  page->At(2000, [] { EXPECT_GT(KillChromium("renderer", SIGSEGV), 0U); });
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kPageCrashed, done.status);
  EXPECT_TRUE(done.recoverable);
  EXPECT_FALSE(done.retry_hint.empty());
}

TEST_F(ChatTest, A23AnotherConversationIsAMismatch) {
  Open("turn(m1);text(Hello)");
  page->At(2000, "go(/c/ff00)");
  page->At(2500, "bar");
  const auto done = Await(kStored);
  EXPECT_EQ(CompletionStatus::kConversationMismatch, done.status);
  EXPECT_EQ("ab12", done.baseline.conversation_id);
}

TEST_F(ChatTest, A24APageThatNeverAnswersDoesNotHoldTheCaller) {
  Open("turn(m1);text(Hello);hangLater(4500)");
  const auto baseline = capture::BaselineOfNothing(drive->region(), Chat(), system_clock);
  ASSERT_TRUE(baseline);
  const auto begin = system_clock.Steady();
  const auto done =
      capture::AwaitRegion(drive->region(), Chat(), *baseline, {.budget = Millis(8'000)},
                           system_clock, heartbeats, never);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(CompletionStatus::kDeferred, done->status);
  EXPECT_LE(system_clock.Steady() - begin, Millis(8'500));
}

TEST_F(ChatTest, A25WithoutABaselineNothingIsSent) {
  capture::AwaitRunOptions options{.input = server.Url("/c/ab12?post=1&do=form(m0);clobber"),
                                   .profile = Chat(),
                                   .fill = capture::FillStep{.locator = "#prompt", .text = "Hi"},
                                   .submit = "button \"Send\"",
                                   .wait = kStored,
                                   .drive = LoopbackDrive()};
  options.drive.clock = capture::ClockMode::kReal;
  options.drive.guard_allow = {"POST /send"};
  RecordingSink sink;
  const auto done = capture::AwaitRun(options, &sink, capture::RiskPolicy::BuiltIn(), system_clock,
                                      {}, heartbeats, never);
  ASSERT_FALSE(done);
  EXPECT_EQ(ErrorCode::kProtocol, done.error().code);
  EXPECT_THAT(done.error().message, HasSubstr("cannot be counted"));
  EXPECT_EQ(0U, server.CountRequests("POST", "/send"));
  EXPECT_FALSE(sink.run);
}

TEST_F(ChatTest, A26AStoredImageStandsBehindTheText) {
  Open("turn(m1);text(Here:);image(file_1);bar");
  AwaitOptions options = kStored;
  options.store_image = [](const capture::ImageBytes&) -> Result<std::string> {
    return std::string("out/image-1.svg");
  };
  EXPECT_EQ("Here:\n\n![Generated image](out/image-1.svg)", Await(options).text);
}

// The answer of a chat that streams in real time, from the message to the record.
TEST_F(ChatTest, AMessageIsSentAndItsAnswerStored) {
  capture::AwaitRunOptions options{
      .input = server.Url("/c/ab12?post=1&do=turn(m0);text(Old);bar&every=250"
                          "&then=turn(m1);text(Thinking);text(So);more( it);more( is);bar"),
      .profile = Chat(),
      .fill = capture::FillStep{.locator = "textbox \"Message\"", .text = "Is it?"},
      .submit = "button[data-testid=send-button]",
      .wait = {.budget = Millis(60'000)},
      .drive = LoopbackDrive()};
  options.drive.clock = capture::ClockMode::kReal;
  options.drive.guard_allow = {"POST /send"};
  RecordingSink sink;
  const auto done = capture::AwaitRun(options, &sink, capture::RiskPolicy::BuiltIn(), system_clock,
                                      {}, heartbeats, never);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ("So it is", done->observation.text);
  EXPECT_EQ(1U, done->observation.baseline.item_count);
  EXPECT_EQ("m1", done->observation.proof.message_id);
  ASSERT_THAT(sink.completions, SizeIs(1));
  EXPECT_EQ(done->observation, sink.completions[0]);
  EXPECT_TRUE(sink.ended);
  ASSERT_EQ(1U, server.CountRequests("POST", "/send"));
  for (const HttpRequest& request : server.requests()) {
    if (request.method != "POST") continue;
    EXPECT_EQ("Is it?", request.body);
  }
}

TEST_F(ChatTest, ALookIsOneMessage) {
  Open("turn(m0);text(Old);bar;user(Hi);turn(m1);text(Hello);bar;stop");
  const uint64_t before = drive->commands_sent();
  Look();
  EXPECT_EQ(before + 1, drive->commands_sent());
}

TEST_F(ChatTest, AChangeOfTheDocumentWakesTheWait) {
  Open("turn(m1);text(Hello)");
  Look();
  ASSERT_TRUE(drive->region().Type("text(Hello again)", kReal));
  const auto begin = system_clock.Steady();
  drive->region().AwaitChange(Millis(60'000));
  EXPECT_LT(system_clock.Steady() - begin, Millis(30'000));
}

}  // namespace
}  // namespace topodb::testing
