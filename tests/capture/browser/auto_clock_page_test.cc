#include "capture/browser/auto_clock_page.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sim_site.h"

namespace topodb::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using capture::AutoClockPage;
using capture::Millis;

// Two tabs of one site, told apart by the titles of their pages.
class AutoClockPageTest : public ::testing::Test {
 protected:
  AutoClockPageTest() {
    for (const std::string path : {"/", "/?again", "/other"}) {
      virtual_.AddPage(path, {.title = "virtual", .widgets = {SimButton("Show")}});
      real_.AddPage(path, {.title = "real", .widgets = {SimButton("Show")}});
    }
  }

  // Opens a page and says in which tab it is.
  std::string Open(const std::string& path) {
    EXPECT_TRUE(page_.Reset());
    const auto load = page_.Navigate(SimSite::Url(path));
    EXPECT_TRUE(load) << load.error().message;
    if (!load) return {};
    tier_ = load->settle.tier;
    const auto seen = page_.Snapshot();
    EXPECT_TRUE(seen) << seen.error().message;
    return seen ? seen->title : std::string();
  }

  SimSite virtual_, real_;
  std::string doubt_, tier_;
  Result<capture::PageDriver*> real_tab_ = &real_;
  size_t asked_ = 0;  // for the tab on the real clock
  AutoClockPage page_{{.on_virtual_clock = virtual_,
                       .doubt = [this] { return doubt_; },
                       .on_real_clock =
                           [this](Millis) {
                             ++asked_;
                             return real_tab_;
                           }}};
};

TEST_F(AutoClockPageTest, WithoutDoubtThereIsOneTab) {
  EXPECT_EQ("virtual", Open("/"));
  EXPECT_EQ("quick", tier_);
  EXPECT_EQ(0U, asked_);
  EXPECT_THAT(page_.Notes(), IsEmpty());
}

TEST_F(AutoClockPageTest, APageInDoubtIsLeftToTheRealClockForGood) {
  doubt_ = "time stands still";
  EXPECT_EQ("real", Open("/"));
  EXPECT_EQ("fallback", tier_);
  doubt_.clear();
  EXPECT_EQ("real", Open("/?again"));
  EXPECT_EQ("virtual", Open("/other"));
  EXPECT_THAT(page_.Notes(), ElementsAre("'" + SimSite::Url("/") +
                                         "' was settled by the real clock: time stands still"));
}

TEST_F(AutoClockPageTest, APageThatNoClockSettlesIsNoMatterOfTheClock) {
  virtual_.AddPage("/hangs", {.title = "virtual", .broken = ErrorCode::kTimeout});
  real_.AddPage("/hangs", {.title = "real", .broken = ErrorCode::kTimeout});
  doubt_ = "its script runs on and on";
  const auto load = page_.Navigate(SimSite::Url("/hangs"));
  ASSERT_FALSE(load);
  EXPECT_EQ(ErrorCode::kTimeout, load.error().code);
  EXPECT_THAT(page_.Notes(), IsEmpty());
}

TEST_F(AutoClockPageTest, AnErrorWithoutDoubtIsReturned) {
  virtual_.AddPage("/gone", {.title = "virtual", .broken = ErrorCode::kNavigation});
  const auto load = page_.Navigate(SimSite::Url("/gone"));
  ASSERT_FALSE(load);
  EXPECT_EQ(ErrorCode::kNavigation, load.error().code);
  EXPECT_EQ(0U, asked_);
}

TEST_F(AutoClockPageTest, AnActionInDoubtIsNotRepeated) {
  ASSERT_EQ("virtual", Open("/"));
  const auto seen = page_.Snapshot();
  ASSERT_TRUE(seen);
  ASSERT_FALSE(seen->nodes.empty());
  doubt_ = "its requests never end";
  const auto report = page_.Perform(seen->nodes.front().ref, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(0U, asked_);
  doubt_.clear();
  EXPECT_EQ("real", Open("/"));
}

TEST_F(AutoClockPageTest, ATabThatCannotBeOpenedIsAnError) {
  real_tab_ = Error{ErrorCode::kBrowserGone, "lost the browser", ""};
  doubt_ = "time stands still";
  const auto load = page_.Navigate(SimSite::Url("/"));
  ASSERT_FALSE(load);
  EXPECT_THAT(load.error().message, HasSubstr("lost the browser"));
}

}  // namespace
}  // namespace topodb::testing
