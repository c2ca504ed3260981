#include <csignal>
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/descendants.h"
#include "tests/support/exploring_test.h"

// A browser that ends in the middle of a run.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kOne =
    "<button type=button onclick=\"said.textContent = 'one'\">Show one</button>";
constexpr std::string_view kTwo =
    "<button type=button onclick=\"said.textContent = 'two'\">Show two</button>";
std::string Fatal(std::string_view name) {
  return "<button type=button onclick=\"fetch('/end')\">Show " + std::string(name) + "</button>";
}

std::string Buttons(std::string_view buttons) {
  return Page("<p id=said role=status></p>" + std::string(buttons));
}

class RecoveryTest : public ::testing::Test {
 protected:
  RunGraph Explore(const std::string& html) {
    site_.server().HandlePage("/", html);
    site_.server().Handle("/end", [this](const HttpRequest&) {
      killed_ += KillChromium("", SIGKILL);
      return HttpResponse{.body = "gone"};
    });
    auto run = site_.Capture(ExplorationOf(site_.Url("/")));
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run).value_or(RunGraph{});
  }

  LiveSite site_;
  size_t killed_ = 0;  // written by the server's thread, which ends its answer before we look
};

TEST_F(RecoveryTest, ARunGoesOnInAnotherBrowser) {
  const RunGraph run = Explore(Buttons(std::string(kOne) + Fatal("more") + std::string(kTwo)));
  EXPECT_EQ(1U, killed_);
  EXPECT_EQ(RunStatus::kComplete, run.run.status);
  EXPECT_THAT(run.edges, SizeIs(2));
  EXPECT_THAT(run.states, SizeIs(3));
  ASSERT_THAT(run.failures, SizeIs(1));
  EXPECT_EQ(FailureReason::kBrowserGone, run.failures.front().reason);
  EXPECT_THAT(run.run.warnings, Contains(HasSubstr("started again")));
}

TEST_F(RecoveryTest, ASiteThatEndsEveryBrowserIsLeftAlone) {
  std::string buttons;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"}) buttons += Fatal(name);
  buttons += kOne;
  const RunGraph run = Explore(Buttons(buttons));
  EXPECT_GT(killed_, 1U);
  EXPECT_LT(killed_, 9U);
  EXPECT_EQ(RunStatus::kPartial, run.run.status);
  EXPECT_THAT(run.run.status_reason, HasSubstr("could not be started again"));
  EXPECT_THAT(run.states, SizeIs(1));
}

}  // namespace
}  // namespace topodb::testing
