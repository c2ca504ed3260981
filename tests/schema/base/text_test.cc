#include "schema/base/text.h"

#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace topodb {
namespace {

using std::string_literals::operator""s;

struct Case {
  std::string text, want;
};

const Case kNormalized[] = {
    {"", ""},
    {"Save", "Save"},
    {"  Save\t\n draft \r", "Save draft"},
    {"\v\f", ""},
    {"a\u00A0b", "a b"},                           // NBSP
    {"\u00A0\u2003a\u3000\u2028b\u205F", "a b"},   // em space, ideographic, line separator
    {"a\u200Bb\u200Dc\uFEFF", "abc"},              // zero-width
    {"\u202Eevil\u202C \u2066x\u2069", "evil x"},  // bidi controls
    {"so\u00ADft", "soft"},
    {"cafe\u0301", "caf\u00E9"},      // composed
    {"e\u200B\u0301", "\u00E9"},      // composed after removal
    {"\u212B", "\u00C5"},             // Angstrom sign
    {"\uFB01", "\uFB01"},             // ligature: NFC, not NFKC
    {"SAVE Straße", "SAVE Straße"},   // case is kept
    {"a\0b\x1B[31m\x7F"s, "ab[31m"},  // control characters
    {"a\u0085b", "a b"},              // NEL is white space
    {"\u0600"
     "12",
     "\u0600"
     "12"},  // a format character that is drawn
    {"\xF0\x9F\x98\x80 ok", "\xF0\x9F\x98\x80 ok"},
    {"a\xFF"
     "b",
     "a\uFFFD"
     "b"},
    {" \xC3", "\uFFFD"},
};

TEST(TextTest, Normalize) {
  for (const Case& c : kNormalized) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(NormalizeText(c.text), c.want);
    EXPECT_EQ(NormalizeText(c.want), c.want);
  }
}

const Case kFolded[] = {
    {"", ""},
    {"Save AS", "save as"},
    {" A ", " a "},  // does not trim
    {"STRASSE", "strasse"},
    {"Straße", "strasse"},
    {"ÉTÉ", "été"},
    {"E\u0301", "é"},
    {"ΣΑΣ", "σασ"},
    {"σας", "σασ"},         // final sigma
    {"\u0130", "i\u0307"},  // no Turkish rule: the same everywhere
    {"\u01F0", "\u01F0"},   // folds to two characters that compose again
    {"\uFB01X", "fix"},
    {"\xFF"
     "A",
     "\uFFFD"
     "a"},
};

TEST(TextTest, Fold) {
  for (const Case& c : kFolded) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(FoldName(c.text), c.want);
    EXPECT_EQ(FoldName(c.want), c.want);
  }
}

TEST(TextTest, FoldTellsDifferentNamesApart) {
  EXPECT_NE(FoldName("resume"), FoldName("résumé"));
  EXPECT_NE(FoldName("a b"), FoldName("a  b"));
  EXPECT_NE(FoldName("o"), FoldName("\u043E"));  // Cyrillic o
}

TEST(TextTest, FoldsEquivalentSpellingsAlike) {
  EXPECT_EQ(FoldName("\u1FB4"), FoldName("\u03B1\u0345\u0301"));
}

TEST(TextTest, Truncate) {
  struct {
    std::string text;
    size_t max;
    std::string want;
  } const cases[] = {
      {"", 0, ""},
      {"abc", 0, ""},
      {"abc", 2, "ab"},
      {"abc", 3, "abc"},
      {"abc", 99, "abc"},
      {"aé", 2, "a"},
      {"aé", 3, "aé"},
      {"é", 1, ""},
      {"\u20AC", 2, ""},
      {"x\u20AC", 4, "x\u20AC"},
      {"\xF0\x9F\x98\x80", 3, ""},
      {"\xF0\x9F\x98\x80", 4, "\xF0\x9F\x98\x80"},
      {"a\xFF", 2, "a"},
      {"a\xFF", 4, "a\uFFFD"},  // counted as it is written
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text + " to " + std::to_string(c.max));
    EXPECT_EQ(TruncateUtf8(c.text, c.max), c.want);
  }
}

TEST(TextTest, ReplaceInvalid) {
  const Case cases[] = {
      {"plain", "plain"},
      {"a\0b"s, "a\0b"s},
      {"é\u20AC\xF0\x9F\x98\x80", "é\u20AC\xF0\x9F\x98\x80"},
      {"\x80", "\uFFFD"},
      {"\xC3(", "\uFFFD("},
      {"\xE2\x82", "\uFFFD"},  // one for the maximal part
      {"\xE2\x82"
       "A",
       "\uFFFD"
       "A"},
      {"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // lone surrogate
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // beyond U+10FFFF
      {"\xFE\xFF", "\uFFFD\uFFFD"},
      {"\uFFFD", "\uFFFD"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.want);
    EXPECT_EQ(ReplaceInvalidUtf8(c.text), c.want);
  }
}

// Any bytes: valid, idempotent, bounded.
TEST(TextTest, RandomBytes) {
  constexpr unsigned kSeed = 20240601;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  // Biased to bytes that start, continue and break sequences.
  constexpr std::string_view kInteresting =
      "aA \t\xC3\xA9\xCC\x81\xE2\x80\x8B\xAE\xED\xA0"
      "\xF0\x9F\x98\xF4\x90\xFF\xC2\xA0\xCD\x85\xCE\xB1";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += kInteresting[random() % kInteresting.size()];
    const std::string valid = ReplaceInvalidUtf8(text);
    ASSERT_EQ(ReplaceInvalidUtf8(valid), valid);
    const std::string normalized = NormalizeText(text);
    ASSERT_EQ(NormalizeText(valid), normalized) << text;
    ASSERT_EQ(NormalizeText(normalized), normalized) << text;
    const std::string folded = FoldName(text);
    ASSERT_EQ(FoldName(folded), folded) << text;
    const std::string cut = TruncateUtf8(text, 5);
    ASSERT_LE(cut.size(), 5U);
    ASSERT_EQ(valid.substr(0, cut.size()), cut);
    ASSERT_EQ(ReplaceInvalidUtf8(cut), cut);
  }
}

}  // namespace
}  // namespace topodb
