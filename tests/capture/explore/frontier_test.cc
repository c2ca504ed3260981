#include "capture/explore/frontier.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

std::vector<Candidate> Candidates(size_t state, size_t count) {
  std::vector<Candidate> candidates(count);
  for (size_t i = 0; i < count; ++i) {
    candidates[i].state = state;
    candidates[i].element.bytes[0] = static_cast<uint8_t>(i + 1);
  }
  return candidates;
}

TEST(Frontier, FirstInFirstOut) {
  Frontier frontier({.max_depth = 2, .max_per_template = 3});
  EXPECT_TRUE(frontier.Offer(0, "a", Candidates(0, 2)));
  EXPECT_TRUE(frontier.Offer(1, "b", Candidates(1, 1)));
  ASSERT_EQ(3U, frontier.size());
  const auto first = frontier.Pop(), second = frontier.Pop(), third = frontier.Pop();
  EXPECT_EQ(0U, first->state);
  EXPECT_EQ(1, first->element.bytes[0]);
  EXPECT_EQ(2, second->element.bytes[0]);
  EXPECT_EQ(1U, third->state);
  EXPECT_FALSE(frontier.Pop());
  EXPECT_FALSE(frontier.depth_hit());
  EXPECT_FALSE(frontier.template_hit());
}

TEST(Frontier, DepthIsHitOnlyWhenSomethingIsLeftOut) {
  Frontier frontier({.max_depth = 1, .max_per_template = 3});
  EXPECT_FALSE(frontier.Offer(1, "a", {}));
  EXPECT_FALSE(frontier.depth_hit());
  EXPECT_FALSE(frontier.Offer(1, "a", Candidates(1, 1)));
  EXPECT_TRUE(frontier.depth_hit());
  EXPECT_EQ(0U, frontier.size());
}

TEST(Frontier, EachTemplateHasItsBudget) {
  Frontier frontier({.max_depth = 9, .max_per_template = 2});
  EXPECT_TRUE(frontier.Offer(1, "product", Candidates(1, 1)));
  EXPECT_TRUE(frontier.Offer(1, "product", {}));  // nothing to explore costs nothing
  EXPECT_TRUE(frontier.Offer(1, "product", Candidates(2, 1)));
  EXPECT_FALSE(frontier.template_hit());
  EXPECT_FALSE(frontier.Offer(1, "product", Candidates(3, 1)));
  EXPECT_TRUE(frontier.template_hit());
  EXPECT_TRUE(frontier.Offer(1, "help", Candidates(4, 1)));
  EXPECT_EQ(3U, frontier.size());
}

}  // namespace
}  // namespace topodb::capture
