#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/launcher.h"

namespace topodb::capture {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const LaunchSurroundings kOrdinary{.profile = "/tmp/p"};

std::vector<std::string> Arguments(const LaunchOptions& options,
                                   const LaunchSurroundings& surroundings = kOrdinary) {
  auto arguments = LaunchArguments(options, surroundings);
  EXPECT_TRUE(arguments);
  return std::move(arguments).value_or(std::vector<std::string>());
}

TEST(LaunchArgumentsTest, TheSurroundingsDecideTheirOwnFlags) {
  struct Case {
    LaunchSurroundings surroundings;
    WindowMode window;
    bool headless, no_sandbox, no_shared_memory;
  };
  const Case kCases[] = {
      {{.profile = "/tmp/p"}, WindowMode::kHeadless, true, false, false},
      {{.profile = "/tmp/p"}, WindowMode::kHeaded, false, false, false},
      {{.profile = "/tmp/p", .is_root = true}, WindowMode::kHeadless, true, true, false},
      {{.profile = "/tmp/p", .small_shared_memory = true},
       WindowMode::kHeadless,
       true,
       false,
       true},
  };
  for (const auto& c : kCases) {
    LaunchOptions options;
    options.window = c.window;
    const auto arguments = Arguments(options, c.surroundings);
    const auto has = [&](const char* flag) {
      return std::count(arguments.begin(), arguments.end(), flag) == 1;
    };
    EXPECT_EQ(c.headless, has("--headless=new"));
    EXPECT_EQ(c.no_sandbox, has("--no-sandbox"));
    EXPECT_EQ(c.no_shared_memory, has("--disable-dev-shm-usage"));
    EXPECT_TRUE(has("--user-data-dir=/tmp/p"));
    EXPECT_TRUE(has("--remote-debugging-port=0"));
    EXPECT_TRUE(has("--no-startup-window"));
  }
}

// One renderer is one clock: either flag would stall every tab while one of them is paused.
TEST(LaunchArgumentsTest, TabsDoNotShareARenderer) {
  EXPECT_THAT(Arguments({}), Not(Contains("--process-per-site")));
  EXPECT_THAT(Arguments({}), Not(Contains(StartsWith("--renderer-process-limit"))));
}

TEST(LaunchArgumentsTest, ThereIsOneListOfFeaturesOfEachKind) {
  LaunchOptions options;
  options.extra_arguments = {"--disable-features=Mine", "--enable-features=A", "--lang=de",
                             "--enable-blink-features=B", "--enable-features=C"};
  const auto arguments = Arguments(options);
  for (const auto* prefix :
       {"--disable-features=", "--enable-features=", "--enable-blink-features="}) {
    EXPECT_EQ(1, std::count_if(
                     arguments.begin(), arguments.end(),
                     [&](const std::string& argument) { return argument.rfind(prefix, 0) == 0; }))
        << prefix;
  }
  EXPECT_THAT(arguments, Contains(StartsWith("--disable-features=BackForwardCache,Translate,")));
  EXPECT_THAT(arguments, Contains(EndsWith(",Mine")));
  EXPECT_THAT(arguments, Contains("--enable-features=A,C"));
  EXPECT_THAT(arguments, Contains("--enable-blink-features=ComputedAccessibilityInfo,B"));
  EXPECT_THAT(arguments, Contains("--lang=de"));
  EXPECT_THAT(Arguments({}), Not(Contains(StartsWith("--enable-features="))));
}

TEST(LaunchArgumentsTest, WhatTheLauncherDecidesIsNotTakenOver) {
  for (const auto* argument : {"--user-data-dir=/home", "--remote-debugging-port=9222",
                               "--remote-debugging-pipe", "--remote-debugging-address=0.0.0.0"}) {
    LaunchOptions options;
    options.extra_arguments = {"--lang=de", argument};
    const auto arguments = LaunchArguments(options, kOrdinary);
    ASSERT_FALSE(arguments) << argument;
    EXPECT_EQ(ErrorCode::kInvalidArgument, arguments.error().code);
    const std::string flag = std::string(argument).substr(0, std::string(argument).find('='));
    EXPECT_THAT(arguments.error().message, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace topodb::capture
