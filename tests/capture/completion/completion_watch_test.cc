#include "capture/completion/completion_watch.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/capture/completion/region_builders.h"

namespace topodb::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const RegionBaseline kOneItem{
    .url = "https://chatgpt.com/c/ab12", .conversation_id = "ab12", .item_count = 1};

TimePoint At(int millis) { return TimePoint(Millis(1'000'000 + millis)); }

// What is seen from this moment on; nullopt: the look fails.
struct Scene {
  int from;  // ms
  std::optional<RegionReading> reading;
};

// Looks every 100 ms up to `end`; the moment of the first step that is not kWait.
struct Played {
  WatchStep step = WatchStep::kWait;
  int at = -1;
};
Played Play(CompletionWatch& watch, const std::vector<Scene>& scenes, int end) {
  for (int now = 0; now <= end; now += 100) {
    const Scene* current = nullptr;
    for (const Scene& scene : scenes) {
      if (scene.from <= now) current = &scene;
    }
    if (!current->reading) {
      watch.AdvanceUnread(At(now));
      continue;
    }
    const WatchStep step = watch.Advance(*current->reading, At(now));
    if (step != WatchStep::kWait) return {step, now};
  }
  return {};
}

RegionReading Answer(std::string text) {
  return ReadingOf({Item("old").Message("m0").Bar(), Item(std::move(text)).Message("m1")});
}
RegionReading Finished(std::string text) {
  return ReadingOf({Item("old").Message("m0").Bar(), Item(std::move(text)).Message("m1").Bar()});
}
RegionReading Stopping(RegionReading reading) {
  reading.stops = {{0, "Stop generating"}};
  return reading;
}

TEST(CompletionWatchTest, WhenARegionIsFinished) {
  struct Case {
    std::string_view name;
    std::vector<Scene> scenes;
    int want;  // ms; -1: not within 9 s
  };
  const Case cases[] = {
      {"text and control from the start", {{0, Finished("a")}}, 1000},
      {"text alone proves nothing", {{0, Answer("a")}}, -1},
      {"the control has to stay for a second", {{0, Answer("a")}, {5000, Finished("a")}}, 6000},
      {"a control that flashes is none",
       {{0, Answer("a")}, {3000, Finished("a")}, {3600, Answer("a")}, {6000, Finished("b")}},
       7000},
      {"a text that changes starts anew",
       {{0, Finished("a")}, {900, Finished("ab")}, {1800, Finished("abc")}},
       2800},
      {"a stop control is a veto", {{0, Stopping(Finished("a"))}, {4000, Finished("a")}}, 5000},
      {"a stop control in between starts anew",
       {{0, Finished("a")}, {900, Stopping(Finished("a"))}, {1000, Finished("a")}},
       2000},
      {"weak activity takes five seconds",
       {{0, ReadingOf({Item("old"), Item("a").Message("m1").Bar().Busy()})}},
       5000},
      {"a look that failed takes five seconds more",
       {{0, Finished("a")}, {500, std::nullopt}, {600, Finished("a")}},
       5500},
      {"no look at all", {{0, std::nullopt}}, -1},
      {"a placeholder is no answer", {{0, Finished("Thinking")}, {3000, Finished("a")}}, 4000},
      {"an old item is no answer", {{0, ReadingOf({Item("old").Message("m0").Bar()})}}, -1},
      {"a control of the older item is no proof",
       {{0,
         ReadingOf({Item("old").Bar(), Item("a").Message("m1").Bar(), Item("b").Message("m2")})}},
       -1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    CompletionWatch watch(Chat(), kOneItem, {});
    const Played played = Play(watch, c.scenes, 9000);
    EXPECT_EQ(c.want, played.at);
    EXPECT_EQ(c.want >= 0 ? WatchStep::kProven : WatchStep::kWait, played.step);
  }
}

// A20: what is proven is the real answer, and the text of the flash is nowhere.
TEST(CompletionWatchTest, APreambleWithAFlashOfTheBarIsNotTheAnswer) {
  CompletionWatch watch(Chat(), kOneItem, {});
  const Played played = Play(watch,
                             {{0, Answer("Thinking")},
                              {500, Answer("I will look")},
                              {2100, Finished("I will look")},
                              {2700, Answer("I will look")},
                              {3000, Answer("The real answer")},
                              {3500, Finished("The real answer")}},
                             9000);
  EXPECT_EQ(4500, played.at);
  const WatchVerdict verdict = watch.Verdict(At(4500));
  EXPECT_EQ(CompletionStatus::kComplete, verdict.status);
  ASSERT_TRUE(verdict.sample);
  EXPECT_EQ("The real answer", verdict.sample->text);
  EXPECT_EQ("m1", verdict.proof.message_id);
  EXPECT_EQ(1, verdict.proof.turn_index);
  EXPECT_EQ(Millis(1500), verdict.stable);
  EXPECT_THAT(verdict.used_fallbacks, IsEmpty());
}

TEST(CompletionWatchTest, PhasesAreNamed) {
  CompletionWatch watch(Chat(), kOneItem, {});
  EXPECT_EQ(RegionPhase::kStreaming, watch.phase());
  watch.Advance(Answer("a"), At(0));
  EXPECT_EQ(RegionPhase::kStreaming, watch.phase());
  watch.Advance(Answer("a"), At(1000));
  EXPECT_EQ(RegionPhase::kSettling, watch.phase());
  watch.Advance(Finished("a"), At(1100));
  EXPECT_EQ(RegionPhase::kStabilising, watch.phase());
  EXPECT_EQ(At(2100), watch.NextDue());
  watch.Advance(Stopping(Finished("a")), At(1200));
  EXPECT_EQ(RegionPhase::kStreaming, watch.phase());
}

TEST(CompletionWatchTest, AnotherPlaceIsAMismatch) {
  struct Case {
    std::string_view baseline, now;
    WatchStep want;
  };
  const Case cases[] = {
      {"https://chatgpt.com/c/ab12", "https://chatgpt.com/c/ab12?m=1", WatchStep::kWait},
      {"https://chatgpt.com/c/ab12", "https://chatgpt.com/c/ff", WatchStep::kConversationMismatch},
      {"https://chatgpt.com/c/ab12", "https://chatgpt.com/", WatchStep::kConversationMismatch},
      {"https://chatgpt.com/", "https://chatgpt.com/c/ff", WatchStep::kWait},
      {"https://chatgpt.com/", "https://evil.test/c/ff", WatchStep::kTargetMismatch},
      {"https://chatgpt.com/", "", WatchStep::kTargetMismatch},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.baseline) + " " + std::string(c.now));
    const RegionBaseline baseline{.url = std::string(c.baseline),
                                  .conversation_id = ConversationOf(c.baseline, Chat()),
                                  .item_count = 0};
    CompletionWatch watch(Chat(), baseline, {});
    RegionReading reading = Finished("a");
    reading.url = c.now;
    EXPECT_EQ(c.want, watch.Advance(reading, At(0)));
    if (c.want == WatchStep::kWait) continue;
    const WatchVerdict verdict = watch.Verdict(At(0));
    EXPECT_EQ(c.want == WatchStep::kTargetMismatch ? CompletionStatus::kTargetMismatch
                                                   : CompletionStatus::kConversationMismatch,
              verdict.status);
    EXPECT_TRUE(verdict.recoverable);
  }
}

TEST(CompletionWatchTest, ANewConversationGetsItsAddressOnce) {
  CompletionWatch watch(Chat(), {.url = "https://chatgpt.com/", .item_count = 0}, {});
  RegionReading reading = Answer("a");
  EXPECT_EQ(WatchStep::kWait, watch.Advance(reading, At(0)));
  reading.url = "https://chatgpt.com/c/ff";
  EXPECT_EQ(WatchStep::kConversationMismatch, watch.Advance(reading, At(100)));
}

// The table of rule 8.
TEST(CompletionWatchTest, TheEndOfTheTime) {
  struct Case {
    std::string_view name;
    std::vector<Scene> scenes;
    std::optional<RegionReading> last;
    CopyWanted copy;
    CompletionStatus stored, unstored;
    std::string_view code;  // when it is stored
  };
  const auto no = CopyWanted::kNo, yes = CopyWanted::kYes;
  const auto deferred = CompletionStatus::kDeferred, timeout = CompletionStatus::kTimeout,
             complete = CompletionStatus::kComplete;
  RegionReading stale = Finished("a");
  stale.before_last_user = 2;
  RegionReading elsewhere = Finished("a");
  elsewhere.url = "https://chatgpt.com/c/ff";
  const Case cases[] = {
      {"streaming",
       {{0, Answer("a")}},
       Stopping(Answer("a")),
       no,
       deferred,
       timeout,
       "recovery-deferred-streaming"},
      {"streaming, with a control",
       {{0, Answer("a")}},
       Stopping(Finished("a")),
       no,
       deferred,
       timeout,
       "recovery-deferred-streaming"},
      {"not proven",
       {{0, Answer("a")}},
       Answer("a"),
       no,
       deferred,
       timeout,
       "recovery-deferred-unverified"},
      {"read failed",
       {{0, Finished("a")}},
       std::nullopt,
       no,
       deferred,
       timeout,
       "recovery-deferred-unverified"},
      {"stale", {{0, Answer("a")}}, stale, no, deferred, timeout, "recovery-deferred-unverified"},
      {"another text",
       {{0, Answer("a")}},
       Finished("ab"),
       no,
       deferred,
       timeout,
       "recovery-deferred-unverified"},
      {"proven on the last look", {{0, Answer("a")}}, Finished("a"), no, complete, complete, ""},
      {"none",
       {{0, ReadingOf({Item("old").Bar()})}},
       ReadingOf({Item("old").Bar()}),
       no,
       timeout,
       timeout,
       "provider.poll-timeout"},
      {"none, and unread",
       {{0, std::nullopt}},
       std::nullopt,
       no,
       timeout,
       timeout,
       "provider.poll-timeout"},
      {"copy, no control",
       {{0, Answer("a")}},
       Answer("a"),
       yes,
       deferred,
       timeout,
       "copy-markdown-deferred-unverified"},
      {"copy, the text just changed",
       {{0, Answer("a")}, {700, Answer("b")}},
       Answer("b"),
       yes,
       deferred,
       timeout,
       "recovery-deferred-unverified"},
      {"copy, with the control", {{0, Answer("a")}}, Finished("a"), yes, complete, complete, ""},
      {"another conversation",
       {{0, Answer("a")}},
       elsewhere,
       no,
       CompletionStatus::kConversationMismatch,
       CompletionStatus::kConversationMismatch,
       "conversation-mismatch"},
  };
  for (const Case& c : cases) {
    for (const RegionSession session : {RegionSession::kStored, RegionSession::kNone}) {
      SCOPED_TRACE(std::string(c.name) + (session == RegionSession::kNone ? ", not stored" : ""));
      CompletionWatch watch(Chat(), kOneItem, {.session = session, .copy = c.copy});
      ASSERT_EQ(WatchStep::kWait, Play(watch, c.scenes, 900).step);
      const WatchVerdict verdict = watch.Conclude(c.last ? &*c.last : nullptr, At(1500));
      const bool stored = session == RegionSession::kStored;
      EXPECT_EQ(stored ? c.stored : c.unstored, verdict.status);
      if (stored) {
        EXPECT_EQ(c.code, verdict.error_code);
      }
      if (verdict.status == CompletionStatus::kTimeout) {
        EXPECT_EQ("provider.poll-timeout", verdict.error_code);
      }
      if (verdict.status == CompletionStatus::kComplete) {
        EXPECT_THAT(verdict.used_fallbacks, ElementsAre("recovery"));
        EXPECT_THAT(verdict.warnings, Not(IsEmpty()));
        EXPECT_TRUE(verdict.proof.finished);
      } else {
        EXPECT_TRUE(verdict.recoverable);
        EXPECT_FALSE(verdict.proof.finished);
        EXPECT_FALSE(verdict.retry_hint.empty());
      }
    }
  }
}

// A9: the item may have moved; what counts is that it is the sampled one.
TEST(CompletionWatchTest, TheLastLookIsForTheExactSample) {
  CompletionWatch watch(Chat(), kOneItem, {});
  ASSERT_EQ(WatchStep::kWait, Play(watch, {{0, Answer("a")}}, 900).step);
  const RegionReading other =
      ReadingOf({Item("old").Message("m0").Bar(), Item("a").Message("m2").Bar()});
  EXPECT_EQ(CompletionStatus::kDeferred, watch.Conclude(&other, At(1500)).status);
}

TEST(CompletionWatchTest, ImagesAloneAreAnAnswerWhenTheyAreAskedFor) {
  const RegionReading picture =
      ReadingOf({Item("old").Message("m0").Bar(), Item("Edit").Message("m1").Image("file_1")});
  CompletionWatch asked(Chat(), kOneItem, {.images = ImagesWanted::kYes});
  EXPECT_EQ(1000, Play(asked, {{0, picture}}, 9000).at);
  const WatchVerdict verdict = asked.Verdict(At(1000));
  EXPECT_EQ(CompletionStatus::kComplete, verdict.status);
  EXPECT_TRUE(verdict.image_only);
  EXPECT_EQ("m1", verdict.proof.message_id);
  EXPECT_EQ(1, verdict.proof.turn_index);

  RegionReading wordless = picture;
  wordless.turns[1].text = "";
  CompletionWatch not_asked(Chat(), kOneItem, {});
  EXPECT_EQ(-1, Play(not_asked, {{0, wordless}}, 9000).at);
  EXPECT_EQ(CompletionStatus::kTimeout, not_asked.Conclude(&wordless, At(9000)).status);

  CompletionWatch busy(Chat(), kOneItem, {.images = ImagesWanted::kYes});
  EXPECT_EQ(3000, Play(busy, {{0, Stopping(picture)}, {2000, picture}}, 9000).at);
}

TEST(BaselineCountTest, ThreeEqualReadsInARow) {
  const auto play = [](std::vector<int64_t> counts) {  // -1: a read that failed
    BaselineCount baseline{RegionTimings{}};
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] < 0) {
        baseline.Fail();
      } else if (baseline.Add(counts[i])) {
        return static_cast<int>(i);
      }
    }
    return -1;
  };
  EXPECT_EQ(2, play({4, 4, 4}));
  EXPECT_EQ(4, play({3, 4, 4, 3, 3, 3}) - 1);
  EXPECT_EQ(-1, play({4, 4}));
  EXPECT_EQ(-1, play({4, 4, -1, 4, 4}));
  EXPECT_EQ(5, play({4, 4, -1, 4, 4, 4}));
}

TEST(ReserveTest, TheLeastOfThree) {
  EXPECT_EQ(Millis(2000), ReserveOf(Millis(60'000)));
  EXPECT_EQ(Millis(1000), ReserveOf(Millis(4'000)));
  EXPECT_EQ(Millis(100), ReserveOf(Millis(600)));
  EXPECT_EQ(Millis(0), ReserveOf(Millis(400)));
}

}  // namespace
}  // namespace topodb::capture
