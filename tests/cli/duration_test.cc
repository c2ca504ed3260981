#include "cli/duration.h"

#include <optional>
#include <string_view>

#include <gtest/gtest.h>

namespace topodb::cli {
namespace {

TEST(ParseDuration, ReadsUnitsAndRefusesTheRest) {
  struct Case {
    std::string_view text;
    std::optional<int64_t> millis;
  };
  const Case kCases[] = {
      {"30", 30'000},
      {"0", 0},
      {"500ms", 500},
      {"30s", 30'000},
      {"5m", 300'000},
      {"2h", 7'200'000},
      {"7d", 604'800'000},
      {"", std::nullopt},
      {"s", std::nullopt},
      {"-1", std::nullopt},
      {"1.5s", std::nullopt},
      {"5 m", std::nullopt},
      {"5M", std::nullopt},
      {"1w", std::nullopt},
      {"5mm", std::nullopt},
      {"9223372036854775807s", std::nullopt},
      {"99999999999999999999", std::nullopt},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto got = ParseDuration(c.text);
    ASSERT_EQ(c.millis.has_value(), got.has_value());
    if (got) {
      EXPECT_EQ(*c.millis, got->count());
    }
  }
}

}  // namespace
}  // namespace topodb::cli
