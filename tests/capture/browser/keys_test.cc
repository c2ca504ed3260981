#include "capture/browser/keys.h"

#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "capture/cdp/protocol/input.h"

namespace topodb::capture {
namespace {

TEST(Keys, NamesOfKeys) {
  struct Case {
    std::string_view name;
    Key want;
  };
  const Case kCases[] = {
      {"Enter", {"Enter", "Enter", 13, "\r"}},
      {"ArrowDown", {"ArrowDown", "ArrowDown", 40}},
      {"Space", {" ", "Space", 32, " "}},
      {"a", {"a", "KeyA", 65, "a"}},
      {"A", {"A", "KeyA", 65, "A"}},
      {"7", {"7", "Digit7", 55, "7"}},
      {"Control+a", {"a", "KeyA", 65, std::nullopt, cdp::input::kCtrl}},
      {"Shift+Tab", {"Tab", "Tab", 9, std::nullopt, cdp::input::kShift}},
      {"Control+Shift+Home",
       {"Home", "Home", 36, std::nullopt, cdp::input::kCtrl | cdp::input::kShift}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto key = ParseKey(c.name);
    ASSERT_TRUE(key);
    EXPECT_TRUE(c.want == *key) << key->key << ' ' << key->code;
  }
}

TEST(Keys, WhatIsNoKey) {
  for (const std::string_view name : {"", "+", "Any", "enter", "ab", "Control", "Control+",
                                      "Hyper+a", "a+Control", "\xC3", "é"}) {
    EXPECT_EQ(std::nullopt, ParseKey(name)) << name;
  }
}

}  // namespace
}  // namespace topodb::capture
