#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

// --base names the site as capture does: by an address, or by a file.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;

class BaseTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    const char* const page =
        "<!doctype html><title>Notes</title><h1>Notes</h1>"
        "<button type=button onclick=\"more.hidden = false\">Show more</button>"
        "<h2 id=more hidden>More</h2>";
    std::ofstream(directory_ / "page.html") << page;
    std::filesystem::create_directory(directory_ / "moved");
    std::ofstream(directory_ / "moved" / "page.html") << page;
    ASSERT_EQ(Topodb({"capture", "page.html", "--quiet"}).exit_code, 0);
  }
};

TEST_F(BaseTest, AReplayTakesAFile) {
  std::filesystem::remove(directory_ / "page.html");
  const auto replay = Topodb({"replay", "--base", "moved/page.html"});
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("1 passed"));
}

TEST_F(BaseTest, AScriptTakesAFile) {
  const auto states = Topodb({"query", "edges", "--format", "csv"});
  const size_t at = states.out.rfind("state_");
  ASSERT_NE(at, std::string::npos);
  const std::string to = states.out.substr(at, sizeof("state_") - 1 + 32);
  ASSERT_EQ(
      Topodb({"script", "save", "latest", "--to", to, "--guard", "heading \"More\"", "s.script"})
          .exit_code,
      0);
  const auto run = Topodb({"script", "run", "s.script", "--base", "moved/page.html"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 passed"));
}

TEST_F(BaseTest, WhatIsNeitherIsRefused) {
  const auto replay = Topodb({"replay", "--base", "nowhere"});
  EXPECT_EQ(replay.exit_code, 2);
  EXPECT_THAT(replay.err, HasSubstr("neither a URL nor an existing file"));
}

}  // namespace
}  // namespace topodb::cli
