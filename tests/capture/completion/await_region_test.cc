#include "capture/completion/await_region.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/capture/completion/region_builders.h"
#include "tests/support/fake_clock.h"

namespace topodb::capture {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeClock;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A page of which only the clock decides what it shows.
class FakeRegion final : public RegionPage {
 public:
  explicit FakeRegion(FakeClock& clock) : clock_(clock) {}

  // What is seen from this time on; an error: the look fails.
  void From(int millis, Result<RegionReading> reading) {
    scenes_.emplace_back(Millis(millis), std::move(reading));
  }
  // A look takes as long as it may.
  void NeverAnswers() { answers_ = false; }

  Result<RegionReading> Read(const RegionQuery& query, Millis limit) override {
    ++reads;
    images_asked = query.images == ImagesWanted::kYes;
    if (!answers_) {
      clock_.Advance(limit);
      return Error{ErrorCode::kTimeout, "the page does not answer", ""};
    }
    std::optional<Result<RegionReading>> current;
    for (const auto& [from, reading] : scenes_) {
      if (from <= now()) current = reading;
    }
    return *current;
  }
  Result<std::vector<uint32_t>> FindElements(const std::string& /*selector*/,
                                             Millis /*limit*/) override {
    return std::vector<uint32_t>();
  }
  Status Type(const std::string& /*text*/, Millis /*limit*/) override { return {}; }
  // Nothing ever announces a change.
  void AwaitChange(Millis limit) override { clock_.Advance(limit); }
  void Rest(Millis time) override { clock_.Advance(time); }
  Result<std::string> Copy(const RegionProfile& /*profile*/, const Completion& proven,
                           Millis /*limit*/) override {
    copied_from = proven.turn_index;
    return copy;
  }
  Result<ImageBytes> FetchImage(const std::string& source, Millis /*limit*/) override {
    fetched.push_back(source);
    return ImageBytes{.media_type = "image/png", .bytes = "bytes"};
  }

  Millis now() const {
    return std::chrono::duration_cast<Millis>(clock_.Steady().time_since_epoch());
  }

  int reads = 0;
  bool images_asked = false;
  int64_t copied_from = -1;
  std::vector<std::string> fetched;
  Result<std::string> copy = std::string("**The** answer");

 private:
  FakeClock& clock_;
  bool answers_ = true;
  std::vector<std::pair<Millis, Result<RegionReading>>> scenes_;
};

struct Heartbeats final : AwaitObserver {
  std::vector<std::string> lines;
  void OnHeartbeat(RegionPhase phase, Millis elapsed) override {
    lines.push_back(std::to_string(elapsed.count() / 1000) + " " + std::string(ToString(phase)));
  }
};

class AwaitRegionTest : public ::testing::Test {
 protected:
  Result<CompletionObservation> Await(AwaitOptions options) {
    return AwaitRegion(page, Chat(), baseline, options, clock, heartbeats, cancelled);
  }

  FakeClock clock;
  FakeRegion page{clock};
  Heartbeats heartbeats;
  std::atomic<bool> cancelled = false;
  TakenBaseline baseline{.baseline = {.url = "https://chatgpt.com/c/ab12?token=secret",
                                      .conversation_id = "ab12",
                                      .item_count = 0},
                         .warning = {}};
};

TEST_F(AwaitRegionTest, AFinishedAnswer) {
  page.From(0, ReadingOf({Item("The").Message("m1")}));
  page.From(700, ReadingOf({Item("The answer").Message("m1").Bar()}));
  const auto done = Await({.budget = Millis(60'000)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(CompletionStatus::kComplete, done->status);
  EXPECT_EQ("The answer", done->text);
  EXPECT_TRUE(done->proof.finished);
  EXPECT_EQ("m1", done->proof.message_id);
  EXPECT_EQ(0, done->proof.turn_index);
  EXPECT_EQ(kBar, done->proof.control);
  EXPECT_THAT(done->evidence, Not(IsEmpty()));
  EXPECT_GE(page.now(), Millis(1700));
  EXPECT_LE(page.now(), Millis(2500));
  EXPECT_THAT(done->baseline.url, Not(HasSubstr("secret")));
}

TEST_F(AwaitRegionTest, WithoutProofThereIsNoText) {
  page.From(0, ReadingOf({Item("The answer").Message("m1")}));
  const auto stored = Await({.budget = Millis(10'000)});
  ASSERT_TRUE(stored);
  EXPECT_EQ(CompletionStatus::kDeferred, stored->status);
  EXPECT_EQ(std::nullopt, stored->text);
  EXPECT_EQ("m1", stored->proof.message_id);
  const auto unstored = Await({.budget = Millis(10'000), .session = RegionSession::kNone});
  ASSERT_TRUE(unstored);
  EXPECT_EQ(CompletionStatus::kTimeout, unstored->status);
  EXPECT_EQ(std::nullopt, unstored->text);
}

TEST_F(AwaitRegionTest, TheDeadlineHoldsWhenThePageNeverAnswers) {
  page.NeverAnswers();
  const auto done = Await({.budget = Millis(7'000)});
  ASSERT_TRUE(done);
  EXPECT_EQ(CompletionStatus::kTimeout, done->status);
  EXPECT_LE(page.now(), Millis(7'000));
}

TEST_F(AwaitRegionTest, ALostPageIsSaid) {
  page.From(0, ReadingOf({Item("The answer")}));
  page.From(500, Error{ErrorCode::kTargetCrashed, "the page crashed", ""});
  const auto done = Await({.budget = Millis(7'000)});
  ASSERT_TRUE(done);
  EXPECT_EQ(CompletionStatus::kPageCrashed, done->status);
  EXPECT_TRUE(done->recoverable);
  EXPECT_EQ(std::nullopt, done->text);
}

TEST_F(AwaitRegionTest, WhatEndsIt) {
  page.From(0, ReadingOf({}));
  cancelled = true;
  EXPECT_EQ(ErrorCode::kCancelled, Await({.budget = Millis(7'000)}).error().code);
  cancelled = false;
  for (const ErrorCode code : {ErrorCode::kInvalidArgument, ErrorCode::kBrowserGone}) {
    FakeClock now;
    FakeRegion broken(now);
    broken.From(0, Error{code, "x", ""});
    const auto done = AwaitRegion(broken, Chat(), baseline, {}, now, heartbeats, cancelled);
    ASSERT_FALSE(done);
    EXPECT_EQ(code, done.error().code);
  }
}

TEST_F(AwaitRegionTest, AHeartbeatEveryThirtySeconds) {
  RegionReading busy = ReadingOf({Item("The answer")});
  busy.stops = {{0, "Stop"}};
  page.From(0, busy);
  page.From(45'000, ReadingOf({Item("The answer")}));
  page.From(89'500, ReadingOf({Item("The answer").Bar()}));
  const auto done = Await({.budget = Millis(300'000)});
  ASSERT_TRUE(done);
  EXPECT_EQ(CompletionStatus::kComplete, done->status);
  EXPECT_THAT(heartbeats.lines, ElementsAre("30 streaming", "60 settling", "90 stabilising"));
}

// An idle page is looked at twice a second, not more.
TEST_F(AwaitRegionTest, LooksAreFew) {
  page.From(0, ReadingOf({Item("The answer")}));
  ASSERT_TRUE(Await({.budget = Millis(60'000)}));
  EXPECT_LE(page.reads, 140);
}

TEST_F(AwaitRegionTest, TheCopyIsTakenFromTheProvenItem) {
  page.From(0, ReadingOf({Item("old").Bar(), Item("The answer").Message("m1").Bar()}));
  const auto done = Await({.copy = CopyWanted::kYes});
  ASSERT_TRUE(done);
  EXPECT_EQ("**The** answer", done->text);
  EXPECT_EQ(1, page.copied_from);
  EXPECT_THAT(done->used_fallbacks, ElementsAre("copy-markdown"));
}

TEST_F(AwaitRegionTest, ACopyThatIsNotAllOfItIsNotTaken) {
  page.From(0, ReadingOf({Item("The answer, at length").Bar()}));
  page.copy = std::string("The");
  const auto shorter = Await({.copy = CopyWanted::kYes});
  EXPECT_EQ("The answer, at length", shorter->text);
  EXPECT_THAT(shorter->used_fallbacks, IsEmpty());
  EXPECT_THAT(shorter->warnings, ElementsAre(HasSubstr("the copy has 3 of 21 bytes")));
  page.copy = Error{ErrorCode::kProtocol, "nothing was copied", ""};
  const auto none = Await({.copy = CopyWanted::kYes});
  EXPECT_EQ("The answer, at length", none->text);
  EXPECT_THAT(none->warnings, ElementsAre(HasSubstr("nothing was copied")));
}

TEST_F(AwaitRegionTest, NothingIsCopiedWithoutProof) {
  page.From(0, ReadingOf({Item("The answer")}));
  const auto done = Await({.budget = Millis(8'000), .copy = CopyWanted::kYes});
  EXPECT_EQ(CompletionStatus::kDeferred, done->status);
  EXPECT_EQ("copy-markdown-deferred-unverified", done->error_code);
  EXPECT_EQ(-1, page.copied_from);
}

TEST_F(AwaitRegionTest, ImagesAreStoredAndNamed) {
  int stored = 0;
  const AwaitOptions options{.store_image = [&](const ImageBytes& image) -> Result<std::string> {
    EXPECT_EQ("image/png", image.media_type);
    return "out/" + std::to_string(++stored) + ".png";
  }};
  struct Case {
    Item item;
    std::string want;
  };
  const Case cases[] = {
      {Item("").Image("file_1"), "Generated image.\n\n![Generated image](out/1.png)"},
      {Item("").Image("file_1").Image("file_2"),
       "Generated 2 images.\n\n![Generated image](out/1.png)\n![Generated image](out/2.png)"},
      {Item("See:").Bar().Image("file_1"), "See:\n\n![Generated image](out/1.png)"},
      {Item("None").Bar(), "None"},
  };
  for (const Case& c : cases) {
    stored = 0;
    FakeClock now;
    FakeRegion pictures(now);
    pictures.From(0, ReadingOf({c.item}));
    const auto done = AwaitRegion(pictures, Chat(), baseline, options, now, heartbeats, cancelled);
    ASSERT_TRUE(done);
    EXPECT_EQ(c.want, done->text);
  }
}

TEST_F(AwaitRegionTest, KeysInATextAreNotKept) {
  page.From(0, ReadingOf({Item("use ghp_0123456789abcdefghijABCDEFGHIJ012345").Bar()}));
  const auto done = Await({});
  EXPECT_THAT(done->text.value(), Not(HasSubstr("0123456789abcdef")));
}

TEST_F(AwaitRegionTest, TheBaselineIsAStableNumber) {
  page.From(0, ReadingOf({Item("a")}));
  page.From(400, ReadingOf({Item("a"), Item("b")}));
  const auto taken = TakeBaseline(page, Chat(), clock);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(2U, taken->baseline.item_count);
  EXPECT_EQ("ab12", taken->baseline.conversation_id);
  EXPECT_EQ(Millis(1'500), page.now());
  EXPECT_EQ("", taken->warning);
}

TEST_F(AwaitRegionTest, ANumberThatNeverRestsIsTakenWithAWarning) {
  for (int i = 0; i < 20; ++i) {
    std::vector<Item> items(static_cast<size_t>(i), Item("a"));
    page.From(i * 500, ReadingOf(items));
  }
  const auto taken = TakeBaseline(page, Chat(), clock);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(16U, taken->baseline.item_count);
  EXPECT_THAT(taken->warning, HasSubstr("did not become stable"));
}

TEST_F(AwaitRegionTest, ANumberThatCannotBeReadIsNotZero) {
  page.From(0, ReadingOf({Item("a")}));
  page.From(400, Error{ErrorCode::kProtocol, "no document", ""});
  const auto taken = TakeBaseline(page, Chat(), clock);
  ASSERT_FALSE(taken);
  EXPECT_EQ(ErrorCode::kProtocol, taken.error().code);
  EXPECT_THAT(taken.error().message, HasSubstr("cannot be counted: no document"));
  EXPECT_LE(page.now(), Millis(8'000));
}

TEST_F(AwaitRegionTest, WhatAnActionBegan) {
  page.From(0, ReadingOf({Item("a").Bar(), Item("")}));
  const auto before = BaselineOfNothing(page, Chat(), clock);
  ASSERT_TRUE(before);
  RegionReading stopping = before->before;
  stopping.stops = {{0, "Stop"}};
  struct Case {
    RegionReading after;
    bool want;
  };
  const Case cases[] = {
      {ReadingOf({Item("a").Bar(), Item("")}), false},
      {ReadingOf({Item("a").Bar(), Item(""), Item("")}), true},
      {ReadingOf({Item("a").Bar(), Item("b")}), true},
      {ReadingOf({Item("a"), Item("")}), true},
      {ReadingOf({Item("a").Bar()}), false},
      {ReadingOf({}), false},
      {stopping, true},
  };
  for (const Case& c : cases) {
    FakeRegion after(clock);
    after.From(0, c.after);
    EXPECT_EQ(c.want, HasBegun(after, Chat(), *before, Millis(100)).value());
  }
}

// A log that stands there empty is filled in its place.
TEST_F(AwaitRegionTest, EmptyItemsAtTheEndAreNotCounted) {
  page.From(0, ReadingOf({Item("a"), Item(""), Item("Thinking")}));
  EXPECT_EQ(1U, TakeBaseline(page, Chat(), clock)->baseline.item_count);
  EXPECT_EQ(0U, BaselineOfNothing(page, Chat(), clock)->baseline.item_count);
  FakeRegion finished(clock);
  finished.From(0, ReadingOf({Item("a"), Item("").Bar()}));
  EXPECT_EQ(2U, TakeBaseline(finished, Chat(), clock)->baseline.item_count);
}

}  // namespace
}  // namespace topodb::capture
