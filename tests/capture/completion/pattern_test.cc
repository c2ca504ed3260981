#include "capture/completion/pattern.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

Pattern P(std::string_view text) { return Pattern::Parse(text).value(); }

TEST(PatternTest, MatchesWholeTextsInAnyCase) {
  struct Case {
    std::string_view pattern, text;
    bool want;
  };
  const Case cases[] = {
      {"thinking", "Thinking", true},
      {"thinking", "thinking hard", false},
      {"thinking", "", false},
      {"pro thinking*", "Pro thinking about it", true},
      {"pro thinking*", "pro thinking", true},
      {"pro thinking*", "pro", false},
      {"*file_*", "/content?id=file_7", true},
      {"*file_*", "/content?id=7", false},
      {"a*b*c", "aXbYc", true},
      {"a*b*c", "aXbY", false},
      {"for {n}s", "for 12s", true},
      {"for {n}s", "for s", false},
      {"for {n}s", "for 1.5s", true},
      {"{id}", "ab-12", true},
      {"{id}", "xyz", false},
      {"*", "", true},
      {"", "", true},
      {"", "x", false},
      {"configure…", "Configure…", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pattern) + " | " + std::string(c.text));
    EXPECT_EQ(c.want, P(c.pattern).Matches(c.text));
  }
}

TEST(PatternTest, APrefixEndsAtASpaceOrAtTheEnd) {
  struct Case {
    std::string_view pattern, text;
    std::optional<size_t> want;
  };
  const Case cases[] = {
      {"Thought for {n}s", "Thought for 12s Hello", 15},
      {"Thought for {n}s", "thought for 12s\nHello", 15},
      {"Thought for {n}s", "Thought for 12s", 15},
      {"Thought for {n}s", "Thought for 12seconds", std::nullopt},
      {"Thought for {n}s", "I Thought for 12s", std::nullopt},
      {"a*", "abc def", 7},
      {"x", "", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pattern) + " | " + std::string(c.text));
    EXPECT_EQ(c.want, P(c.pattern).MatchPrefix(c.text));
  }
}

TEST(PatternTest, FindsTheIdOfAPath) {
  struct Case {
    std::string_view pattern, path;
    std::optional<std::string> want;
  };
  const Case cases[] = {
      {"/c/{id}", "/c/68a1-f00d", "68a1-f00d"}, {"/c/{id}", "/g/x/c/68a1", "68a1"},
      {"/c/{id}", "/c/68a1/share", "68a1"},     {"/c/{id}", "/c/", std::nullopt},
      {"/c/{id}", "/c/zzz", std::nullopt},      {"/c/{id}", "/c/12zz", std::nullopt},
      {"/chat/{id}/view", "/chat/9/view", "9"}, {"/chat/{id}/view", "/chat/9", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pattern) + " | " + std::string(c.path));
    EXPECT_EQ(c.want, P(c.pattern).FindId(c.path));
  }
}

TEST(PatternTest, RefusesOtherBraces) {
  for (const std::string_view text : {"{", "}", "{x}", "a{n", "{N}"}) {
    const auto pattern = Pattern::Parse(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(ErrorCode::kInvalidArgument, pattern.error().code);
  }
}

// A page can write any text; a pattern must not take exponential time over it.
TEST(PatternTest, ManyStarsAreNoTrap) {
  const std::string text(20'000, 'a');
  EXPECT_FALSE(P("*a*a*a*a*a*a*b").Matches(text));
}

}  // namespace
}  // namespace topodb::capture
