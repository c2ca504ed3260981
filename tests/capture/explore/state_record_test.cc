#include "capture/explore/state_record.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

TEST(StateRecordTest, APageWithMoreElementsThanAreRecordedSaysSo) {
  PageSnapshot page;
  page.url = "http://sim.test/";
  page.url_canonical_key = "@entry/";
  EXPECT_TRUE(DescribeState(page, {}, {}).failures.empty());
  page.truncated = {"elements"};
  const auto failures = DescribeState(page, {}, {}).failures;
  ASSERT_EQ(1U, failures.size());
  EXPECT_EQ(FailureReason::kPageTooLarge, failures.front().reason);
}

}  // namespace
}  // namespace topodb::capture
