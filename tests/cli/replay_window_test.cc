#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// A link that opens a window, captured and replayed.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;

class ReplayWindowTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.HandlePage("/",
                       "<!doctype html><title>Entry</title><h1>Entry</h1>"
                       "<a href=/help target=_blank>Help</a>");
    server_.HandlePage("/help",
                       "<!doctype html><title>Help</title><h1>Help</h1><a href=/>Back</a>");
    const auto capture = Topodb({"capture", server_.Url("/")});
    ASSERT_EQ(capture.exit_code, 0) << capture.err;
    ASSERT_THAT(capture.out, HasSubstr("2 states, 2 elements, 1 edge"));
  }

  testing::FixtureServer server_;
};

TEST_F(ReplayWindowTest, PassesWhereTheWindowShowsWhatItDid) {
  const auto replay = Topodb({"replay"});
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("1 passed"));
}

TEST_F(ReplayWindowTest, DivergesWhereItShowsSomethingElse) {
  server_.HandlePage("/help", "<!doctype html><title>Gone</title><h1>Gone</h1>");
  const auto replay = Topodb({"replay"});
  EXPECT_EQ(replay.exit_code, 1);
  EXPECT_THAT(replay.out, HasSubstr("outcome-mismatch"));
}

}  // namespace
}  // namespace topodb::cli
