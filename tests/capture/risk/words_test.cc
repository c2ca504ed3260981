#include "capture/risk/words.h"

#include <random>

#include <gtest/gtest.h>

#include "capture/risk/vocabulary.h"
#include "tests/capture/risk/risk_builders.h"

namespace topodb::capture {
namespace {

std::string Joined(std::string_view text, CaseSplit split = CaseSplit::kOn) {
  std::string joined;
  uint32_t clause = 0;
  for (const auto& word : SplitWords(text, split)) {
    if (!joined.empty()) joined += word.clause == clause ? ' ' : '|';
    clause = word.clause;
    joined += word.text;
  }
  return joined;
}

TEST(FoldWord, IsTheSameTwice) {
  const struct {
    const char* word;
    const char* want;
  } kCases[] = {
      {"LÖSCHEN", "löschen"},           {"\u0131\u0300", "\u00EC"},  // dotless i and a grave: ì
      {"e\u0640\u0301", "\u00E9"},       // what stood between is left out
      {"\u0627\u0640\u0653", "\u0627"},  // alef, tatweel, madda: a form of alef
      {"\u0415\u0308", "\u0435"},        // yo, taken apart
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(FoldWord(c.word), c.want) << c.word;
    EXPECT_EQ(FoldWord(c.want), c.want) << c.word;
  }
}

TEST(SplitWords, FindsWordsAndClauses) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"Log out", "log out"},
      {"log-out", "log out"},
      {"log_out", "log out"},
      {"logOut", "log out"},
      {"HTMLForm", "html form"},
      {"LOGOUT", "logout"},
      {"item2delete", "item 2 delete"},
      {"Yes, delete", "yes|delete"},
      {"a - b", "a|b"},
      {"a/b", "a|b"},
      {"Save & exit", "save exit"},
      {"s'abonner", "s abonner"},
      {"line\nbreak", "line|break"},
      {"🗑️x", "🗑 x"},
      {"", ""},
      {" \t", ""},
      {"Großes", "grosses"},
      {"SİL", "sil"},
      {"App削除する", "app 削除する"},
      {"हटाएँ", "हटाएं"},
      {"ёлка", "елка"},
      {"إِلغاء", "الغاء"},
      {"a\xFF"
       "b",
       "a b"},
      {"\xE2\x82", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Joined(c.text), c.want);
  }
  EXPECT_EQ(Joined("deleteItem", CaseSplit::kOff), "deleteitem");
}

TEST(English, InflectsVerbs) {
  const struct {
    const char* verb;
    const char* third;
    const char* gerund;
  } kCases[] = {
      {"delete", "deletes", "deleting"},
      {"remove", "removes", "removing"},
      {"drop", "drops", "dropping"},
      {"pay", "pays", "paying"},
      {"buy", "buys", "buying"},
      {"destroy", "destroys", "destroying"},
      {"submit", "submits", "submitting"},
      {"log", "logs", "logging"},
      {"wipe", "wipes", "wiping"},
      {"purge", "purges", "purging"},
      {"publish", "publishes", "publishing"},
      {"discard", "discards", "discarding"},
      {"quit", "quits", "quitting"},
      {"reboot", "reboots", "rebooting"},
      {"apply", "applies", "applying"},
      {"untie", "unties", "untying"},
      {"fix", "fixes", "fixing"},
      {"agree", "agrees", "agreeing"},
      {"undo", "undoes", "undoing"},
      {"sign", "signs", "signing"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.verb);
    EXPECT_EQ(ThirdPerson(c.verb), c.third);
    EXPECT_EQ(Gerund(c.verb, {"submit"}), c.gerund);
  }
}

// Seeded; a failure names the seed.
TEST(RiskPolicyFuzz, SurvivesAnyBytes) {
  const std::string_view kPieces[] = {"delete",
                                      "Log",
                                      " out",
                                      "\xFF",
                                      "\xC3",
                                      "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80",
                                      "削除",
                                      "결제",
                                      "ลบ",
                                      "🗑",
                                      "\xEF\xB8\x8F",
                                      "\u200D",
                                      "javascript:",
                                      "://",
                                      "%",
                                      "%zz",
                                      "%00",
                                      "?",
                                      "#",
                                      "&",
                                      "=",
                                      "/",
                                      "..",
                                      "@",
                                      "[",
                                      "]",
                                      "\n",
                                      " ",
                                      "حذف",
                                      "हटाएँ",
                                      "A",
                                      "a",
                                      "1",
                                      "\u0301",
                                      "\u00AD"};
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto text = [&] {
      std::string made;
      for (size_t i = random() % 40; i > 0; --i) {
        if (random() % 4 == 0) {
          made += static_cast<char>(random() % 256);
        } else {
          made += kPieces[random() % std::size(kPieces)];
        }
      }
      return made;
    };
    auto subject = Link(text(), text());
    subject.element.text = text();
    subject.hints.title = text();
    subject.hints.class_tokens = {text(), text()};
    subject.hints.icon_tokens = {text()};
    subject.hints.request_attributes = {{text(), text()}};
    const auto verdict = Assess(subject);
    EXPECT_FALSE(verdict.matches.empty());
    EXPECT_EQ(verdict.evidence.size(), 1U);
    EXPECT_EQ(Assess(subject).matches, verdict.matches);  // no hidden state
  }
}

TEST(RiskPolicyFuzz, LooksAtHugeTextsInBoundedTime) {
  std::string huge(4U << 20U, 'a');
  EXPECT_EQ(Assess(Button(huge)).category, RiskCategory::kUiReveal);
  std::string many;
  while (many.size() < (1U << 20U)) many += "delete ";
  EXPECT_EQ(Assess(Button(many)).category, RiskCategory::kDestructive);
  std::string dense;
  while (dense.size() < (1U << 20U)) dense += "支付记录";
  EXPECT_EQ(Assess(Button(dense)).category, RiskCategory::kUiReveal);
  EXPECT_EQ(Assess(Link("x", "https://a.example/" + std::string(1U << 20U, '/'))).category,
            RiskCategory::kNavigation);
}

}  // namespace
}  // namespace topodb::capture
