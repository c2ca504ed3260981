#include "capture/browser/pace.h"

#include <chrono>

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using std::chrono::milliseconds;
constexpr Pace::TimePoint kStart{std::chrono::hours(1)};

TEST(PaceTest, LoadsAreSpacedEvenly) {
  Pace pace(4);
  EXPECT_EQ(kStart, pace.Next(kStart));
  EXPECT_EQ(kStart + milliseconds(250), pace.Next(kStart));
  EXPECT_EQ(kStart + milliseconds(500), pace.Next(kStart + milliseconds(100)));
}

TEST(PaceTest, TimeThatWasNotUsedIsNotMadeUpFor) {
  Pace pace(4);
  EXPECT_EQ(kStart, pace.Next(kStart));
  const auto later = kStart + milliseconds(2'000);
  EXPECT_EQ(later, pace.Next(later));
  EXPECT_EQ(later + milliseconds(250), pace.Next(later));
}

TEST(PaceTest, NoRateIsNoLimit) {
  Pace pace(0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(kStart, pace.Next(kStart));
}

}  // namespace
}  // namespace topodb::capture
