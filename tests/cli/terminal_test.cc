#include "cli/terminal.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace topodb::cli {
namespace {

TEST(ForTerminal, EscapesWhatCouldDriveATerminalAndNothingElse) {
  struct Case {
    std::string_view text, want;
  };
  const Case kCases[] = {
      {"", ""},
      {"Save as…", "Save as…"},
      {"Löschen 削除 🗑 é", "Löschen 削除 🗑 é"},
      {R"(back\slash "quote")", R"(back\slash "quote")"},
      {"a\nb\tc\r", R"(a\u000ab\u0009c\u000d)"},
      {std::string_view("nul\0end", 7), R"(nul\u0000end)"},
      {"\x1b[31mred\x1b[0m", R"(\u001b[31mred\u001b[0m)"},
      {"\x1b]52;c;ZXZpbA==\x07", R"(\u001b]52;c;ZXZpbA==\u0007)"},         // OSC 52: clipboard
      {"\x1b]8;;http://x\x1b\\link", R"(\u001b]8;;http://x\u001b\link)"},  // OSC 8: link
      {"\x1b]0;title\x07", R"(\u001b]0;title\u0007)"},
      {"\x1bP$qm\x1b\\", R"(\u001bP$qm\u001b\)"},  // DECRQSS
      {"\x7f", R"(\u007f)"},
      {"\xC2\x9B"
       "31m",
       R"(\u009b31m)"},  // CSI as a C1 control
      {"\xC2\x85", R"(\u0085)"},
      {"\xC2\xA0", "\xC2\xA0"},  // no-break space stays
      {"a\xE2\x80\xAEtxt.exe", R"(a\u202etxt.exe)"},
      {"\xE2\x81\xA6x\xE2\x81\xA9", R"(\u2066x\u2069)"},
      {"\xE2\x80\xA8\xE2\x80\xA9", R"(\u2028\u2029)"},
      {"\xD8\x9C", R"(\u061c)"},
      {"\xF3\xA0\x81\x81", R"(\u{e0041})"},
      // No UTF-8: stray, cut, overlong, surrogate, too large.
      {"\x9b", R"(\x9b)"},
      {"a\xC3", R"(a\xc3)"},
      {"\xE2\x80", R"(\xe2\x80)"},
      {"\xC0\x9B", R"(\xc0\x9b)"},
      {"\xED\xA0\x80", R"(\xed\xa0\x80)"},
      {"\xF4\x90\x80\x80", R"(\xf4\x90\x80\x80)"},
  };
  for (const auto& c : kCases) EXPECT_EQ(c.want, ForTerminal(c.text)) << c.want;
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(DisplayWidth(""), 0U);
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("é"), 1U);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1U);  // e and a combining acute
  EXPECT_EQ(DisplayWidth("削除"), 4U);
  EXPECT_EQ(DisplayWidth("🗑"), 2U);
}

TEST(ElideMiddle, KeepsBothEndsWithinTheWidth) {
  struct Case {
    std::string_view text;
    size_t width;
    std::string_view want;
  };
  const Case kCases[] = {
      {"short", 10, "short"},    {"exact", 5, "exact"},        {"abcdefghij", 5, "ab…ij"},
      {"abcdefghij", 4, "a…ij"}, {"abcdefghij", 2, "…j"},      {"abcdefghij", 1, "…"},
      {"abcdefghij", 0, ""},     {"削除削除削除", 7, "削…除"}, {"ééééé", 3, "é…é"},
  };
  for (const auto& c : kCases) {
    const std::string got = ElideMiddle(c.text, c.width);
    EXPECT_EQ(c.want, got);
    EXPECT_LE(DisplayWidth(got), c.width);
  }
}

}  // namespace
}  // namespace topodb::cli
