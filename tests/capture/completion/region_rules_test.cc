#include "capture/completion/region_rules.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/capture/completion/region_builders.h"

namespace topodb::capture {
namespace {

TEST(RegionRulesTest, PlaceholdersAreNoText) {
  struct Case {
    std::string_view text, want;
  };
  const Case cases[] = {
      {"Hello", "Hello"},
      {"  Hello\n", "Hello"},
      {"", ""},
      {" \n", ""},
      {"Thinking", ""},
      {"ANSWER NOW", ""},
      {"Pro thinking • 12s", ""},
      {"Reading documents", ""},
      {"Configure…", ""},
      {"Thinking is fun", "Thinking is fun"},
      {"Thought for 12s\nHello", "Hello"},
      {"Thought for 1m 12s Hello", "Hello"},
      {"Thought for 12s", ""},
      {"Thought for 12s\nThinking", ""},
      {"He Thought for 12s", "He Thought for 12s"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.text));
    EXPECT_EQ(c.want, CleanText(c.text, Chat()));
  }
}

TEST(RegionRulesTest, TheSampleIsTheLastItemWithATextThatIsNotOld) {
  struct Case {
    std::string_view name;
    std::vector<Item> items;
    uint64_t baseline;
    std::optional<std::string> want;
  };
  const Case cases[] = {
      {"none", {}, 0, std::nullopt},
      {"the last", {Item("a"), Item("b")}, 0, "b"},
      {"empty ones are passed over", {Item("a"), Item("")}, 0, "a"},
      {"placeholders are passed over", {Item("a"), Item("Thinking")}, 0, "a"},
      {"old ones are none", {Item("a"), Item("")}, 1, std::nullopt},
      {"only a new one", {Item("a"), Item("b")}, 1, "b"},
      {"nothing new", {Item("a"), Item("b")}, 2, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    const auto sample = TakeSample(ReadingOf(c.items), Chat(), c.baseline);
    ASSERT_EQ(c.want.has_value(), sample.has_value());
    EXPECT_EQ(c.want.value_or(""), sample ? sample->text : "");
  }
}

// A5 to A8: whose control counts.
TEST(RegionRulesTest, OnlyTheSampledItemsControlIsAProof) {
  struct Case {
    std::string_view name;
    std::vector<Item> items;
    RegionSample sample;
    uint64_t baseline;
    int64_t want;  // -1: not finished
  };
  const Case cases[] = {
      {"same message", {Item("a").Message("m1").Bar()}, {"a", "m1", {}, 0}, 0, 0},
      {"no control", {Item("a").Message("m1")}, {"a", "m1", {}, 0}, 0, -1},
      {"control under another message",
       {Item("a").Message("m1").Bar(), Item("b").Message("m2")},
       {"b", "m2", {}, 1},
       0,
       -1},
      {"control under that message",
       {Item("a").Message("m1").Bar(), Item("b").Message("m2").Bar()},
       {"b", "m2", {}, 1},
       0,
       1},
      {"turn id only", {Item("a").Turn("t1").Bar()}, {"a", {}, "t1", 0}, 0, 0},
      {"both ids", {Item("a").Message("m1").Turn("t1").Bar()}, {"a", "m1", "t1", 0}, 0, 0},
      {"one of both differs",
       {Item("a").Message("m1").Turn("t2").Bar()},
       {"a", "m1", "t1", 0},
       0,
       -1},
      {"the other of both differs",
       {Item("a").Message("m2").Turn("t1").Bar()},
       {"a", "m1", "t1", 0},
       0,
       -1},
      {"the identity is gone", {Item("a").Bar()}, {"a", "m1", {}, 0}, 0, -1},
      {"an older item with the identity, behind a newer one",
       {Item("a").Message("m1").Bar(), Item("b").Message("m2")},
       {"a", "m1", {}, 0},
       0,
       0},
      {"no identity, below the baseline", {Item("a").Bar()}, {"a", {}, {}, 0}, 1, -1},
      {"no identity, at the baseline",
       {Item("old").Bar(), Item("a").Bar()},
       {"a", {}, {}, 1},
       1,
       1},
      {"no identity, the newest has no control",
       {Item("a").Bar(), Item("b")},
       {"a", {}, {}, 0},
       0,
       -1},
      {"no identity, a newer item has the control",
       {Item("a"), Item("b").Bar()},
       {"a", {}, {}, 0},
       0,
       -1},
      {"nothing there", {}, {"a", "m1", {}, 0}, 0, -1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    const Completion found = Correlate(ReadingOf(c.items), c.sample, c.baseline);
    EXPECT_EQ(c.want >= 0, found.finished);
    EXPECT_EQ(c.want, found.turn_index);
  }
}

TEST(RegionRulesTest, Activity) {
  struct Case {
    std::string_view name;
    RegionReading reading;
    ActivityLevel want;
  };
  const auto with = [](auto edit) {
    RegionReading reading = ReadingOf({Item("a")});
    edit(reading);
    return reading;
  };
  const Case cases[] = {
      {"quiet", ReadingOf({Item("a")}), ActivityLevel::kNone},
      {"nothing there", ReadingOf({}), ActivityLevel::kNone},
      {"stop", with([](auto& r) {
         r.stops = {{0, "Stop generating"}};
       }),
       ActivityLevel::kStrong},
      {"stop dictation", with([](auto& r) {
         r.stops = {{1, "Stop dictation"}};
       }),
       ActivityLevel::kNone},
      {"stop voice mode", with([](auto& r) {
         r.stops = {{1, "Stop Voice mode"}};
       }),
       ActivityLevel::kNone},
      {"stop reading aloud", with([](auto& r) {
         r.stops = {{1, "Stop reading"}};
       }),
       ActivityLevel::kNone},
      {"one of two counts", with([](auto& r) {
         r.stops = {{1, "Stop dictation"}, {1, "Stop answering"}};
       }),
       ActivityLevel::kStrong},
      {"progress", with([](auto& r) { r.progress = "progress \"Upload\""; }),
       ActivityLevel::kStrong},
      {"busy", ReadingOf({Item("a").Busy()}), ActivityLevel::kWeak},
      {"an older one is busy", ReadingOf({Item("a").Busy(), Item("b")}), ActivityLevel::kNone},
      {"no text yet", ReadingOf({Item("a"), Item("")}), ActivityLevel::kWeak},
      {"a placeholder", ReadingOf({Item("a"), Item("Thinking")}), ActivityLevel::kWeak},
      {"unread", with([](auto& r) { r.activity_unread = true; }), ActivityLevel::kUnknown},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    EXPECT_EQ(c.want, ActivityOf(c.reading, Chat()).level);
  }
}

TEST(RegionRulesTest, AnAnswerBeforeTheLastUserItemIsStale) {
  RegionReading reading = ReadingOf({Item("a"), Item("b")});
  const RegionSample first{"a", {}, {}, 0}, second{"b", {}, {}, 1};
  EXPECT_FALSE(IsStale(reading, second));
  reading.before_last_user = 1;
  EXPECT_TRUE(IsStale(reading, first));
  EXPECT_FALSE(IsStale(reading, second));
  reading.before_last_user = 2;
  EXPECT_TRUE(IsStale(reading, second));
}

TEST(RegionRulesTest, ImageAnswers) {
  struct Case {
    std::string_view name;
    RegionReading reading;
    uint64_t baseline;
    bool want;
  };
  RegionReading loading = ReadingOf({Item("").Image("file_1")});
  loading.turns[0].images[0].loaded = false;
  RegionReading by_ancestor = ReadingOf({Item("").Image("file_1", "")});
  by_ancestor.turns[0].images[0].ancestor_ids = {"x", "image-7"};
  RegionReading stale = ReadingOf({Item("").Image("file_1")});
  stale.before_last_user = 1;
  const Case cases[] = {
      {"one", ReadingOf({Item("").Image("file_1")}), 0, true},
      {"two", ReadingOf({Item("").Image("file_1").Image("file_2")}), 0, true},
      {"with chrome", ReadingOf({Item("Edit").Image("file_1")}), 0, true},
      {"with a text", ReadingOf({Item("Here it is").Image("file_1")}), 0, false},
      {"of an old item", ReadingOf({Item("").Image("file_1")}), 1, false},
      {"another source", ReadingOf({Item("").Image("icon_1")}), 0, false},
      {"another description", ReadingOf({Item("").Image("file_1", "Avatar")}), 0, false},
      {"by its ancestor", by_ancestor, 0, true},
      {"still loading", loading, 0, false},
      {"before the last user item", stale, 0, false},
      {"a newer item has none", ReadingOf({Item("").Image("file_1"), Item("")}), 0, false},
      {"nothing there", ReadingOf({}), 0, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    EXPECT_EQ(c.want, ImageOnlyTurn(c.reading, Chat(), c.baseline) != nullptr);
  }
}

TEST(RegionRulesTest, Conversations) {
  EXPECT_EQ("ab12", ConversationOf("https://chatgpt.com/c/ab12?x=/c/ff", Chat()));
  EXPECT_EQ("ab12", ConversationOf("https://chatgpt.com/g/one/c/ab12#/c/ff", Chat()));
  EXPECT_EQ(std::nullopt, ConversationOf("https://chatgpt.com/", Chat()));
  EXPECT_EQ(std::nullopt, ConversationOf("https://chatgpt.com", Chat()));
  EXPECT_EQ(std::nullopt, ConversationOf("", Chat()));
}

TEST(RegionReadingTest, AnswersOfThePage) {
  const auto good = ParseRegionReading(
      R"({"ok":true,"url":"u","count":3,"beforeLastUser":2,"progress":"","stops":[{"rule":1,"label":"Stop"}],
          "turns":[{"index":2,"messageId":"m","turnId":null,"control":"b","text":"t","busy":true,
          "images":[{"source":"s","alternative":"a","ancestorIds":["i"],"loaded":true}]}]})");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(3, good->count);
  EXPECT_EQ(2, good->before_last_user);
  ASSERT_EQ(1U, good->turns.size());
  EXPECT_EQ("m", good->turns[0].message_id);
  EXPECT_EQ(std::nullopt, good->turns[0].turn_id);
  EXPECT_EQ("i", good->turns[0].images.at(0).ancestor_ids.at(0));
  EXPECT_EQ(1U, good->stops.at(0).rule);
  for (const std::string_view bad :
       {"", "[]", "null", "{}", R"({"ok":true})", R"({"ok":false})",
        R"({"ok":true,"count":1,"turns":[{}]})", R"({"ok":true,"count":1,"turns":[7]})"}) {
    const auto reading = ParseRegionReading(bad);
    ASSERT_FALSE(reading) << bad;
    EXPECT_EQ(ErrorCode::kProtocol, reading.error().code);
  }
  const auto selector = ParseRegionReading(R"({"ok":false,"selector":"p[","reason":"x"})");
  ASSERT_FALSE(selector);
  EXPECT_EQ(ErrorCode::kInvalidArgument, selector.error().code);
  EXPECT_EQ("'p[' of the profile is no selector", selector.error().message);
}

}  // namespace
}  // namespace topodb::capture
