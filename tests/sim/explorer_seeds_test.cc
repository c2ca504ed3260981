#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/explore_harness.h"
#include "tests/support/recording_sink.h"
#include "tests/support/sim_random.h"
#include "tests/support/sim_site.h"

// Many made-up sites. A failing seed is printed: RandomSite(seed) is the whole reproduction.
namespace topodb::testing {
namespace {

using capture::ExploreOptions;
using ::testing::IsEmpty;

constexpr uint64_t kSeeds = 400;
constexpr uint64_t kFaultSeeds = 4;

ExploreOptions Deep() { return {.max_depth = 3, .max_actions = 25, .max_states = 25}; }

TEST(ExplorerSeeds, InvariantsHoldAndNothingDangerousIsTouched) {
  uint64_t edges = 0, failures = 0, skips = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    SimSite site = RandomSite(seed);
    const Explored run = ExploreSite(site, Deep());
    ASSERT_TRUE(run.outcome) << run.outcome.error().message;
    ASSERT_THAT(BrokenInvariants(run.sink), IsEmpty());
    for (const std::string& name : site.acted()) ASSERT_FALSE(IsForbidden(name)) << name;
    for (const std::string& url : site.opened()) {
      ASSERT_FALSE(url.starts_with("https://partner.test")) << "a link out of scope was opened";
    }
    EXPECT_LE(run.outcome->actions, Deep().max_actions);
    EXPECT_LE(run.sink.states.size(), Deep().max_states);
    EXPECT_EQ(0U, site.leaks());
    edges += run.sink.edges.size(), failures += run.sink.failures.size();
    skips += run.sink.skips.size();
  }
  // The sites are worth exploring.
  EXPECT_GT(edges, kSeeds);
  EXPECT_GT(failures, kSeeds);
  EXPECT_GT(skips, kSeeds);
}

TEST(ExplorerSeeds, EqualSitesGiveEqualGraphs) {
  for (uint64_t seed = 1; seed <= kSeeds / 4; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    SimSite first = RandomSite(seed), second = RandomSite(seed);
    const Explored one = ExploreSite(first, Deep()), other = ExploreSite(second, Deep());
    ASSERT_EQ(one.sink.Dump(), other.sink.Dump());
    ASSERT_EQ(first.acted(), second.acted());
  }
}

std::vector<SimSite> Copies(const SimSite& site, size_t count) {
  return std::vector<SimSite>(count, site);
}

TEST(ExplorerSeeds, AnyNumberOfTabsGivesTheSameGraph) {
  uint64_t shared = 0;  // loads on other tabs than the first
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    SimSite site = RandomSite(seed);
    site.HoldStill();
    auto four = Copies(site, 4);
    const Explored one_by_one = ExploreSite(site, Deep());
    const Explored side_by_side = ExploreOnTabs(four, Deep());
    ASSERT_TRUE(side_by_side.outcome) << side_by_side.outcome.error().message;
    ASSERT_EQ(one_by_one.sink.Dump(), side_by_side.sink.Dump());
    ASSERT_EQ(one_by_one.outcome->actions, side_by_side.outcome->actions);
    ASSERT_EQ(one_by_one.outcome->budgets, side_by_side.outcome->budgets);
    for (size_t i = 1; i < four.size(); ++i) shared += four[i].loads();
  }
  EXPECT_GT(shared, kSeeds);
}

// What is volatile turns out on one tab while others are on their way by older knowledge.
TEST(ExplorerSeeds, VolatilePagesOnManyTabsLeaveASoundGraph) {
  uint64_t edges = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    auto three = Copies(RandomSite(seed), 3);
    const Explored run = ExploreOnTabs(three, Deep());
    ASSERT_TRUE(run.outcome) << run.outcome.error().message;
    ASSERT_THAT(BrokenInvariants(run.sink), IsEmpty());
    EXPECT_LE(run.outcome->actions, Deep().max_actions);
    for (const SimSite& site : three) EXPECT_EQ(0U, site.leaks());
    edges += run.sink.edges.size();
  }
  EXPECT_GT(edges, kSeeds);
}

// A tab that cannot be opened costs nothing that the others can do.
TEST(ExplorerSeeds, TabsThatCannotBeOpenedAreDoneWithout) {
  for (uint64_t seed = 1; seed <= kSeeds / 4; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    SimSite site = RandomSite(seed), other = site;
    site.HoldStill(), other.HoldStill();
    const Explored alone = ExploreSite(site, Deep());
    ASSERT_EQ(alone.sink.Dump(), ExploreWithoutMoreTabs(other, Deep()).sink.Dump());
  }
}

// Whatever call of the driver fails, and however: the graph so far is sound.
TEST(ExplorerSeeds, EveryFailingDriverCallLeavesASoundGraph) {
  for (uint64_t seed = 1; seed <= kFaultSeeds; ++seed) {
    SimSite whole = RandomSite(seed);
    ExploreOptions options = Deep();
    options.max_actions = 8;
    ASSERT_TRUE(ExploreSite(whole, options).outcome);
    for (const ErrorCode code : {ErrorCode::kTimeout, ErrorCode::kTargetCrashed,
                                 ErrorCode::kBrowserGone, ErrorCode::kProtocol}) {
      for (uint64_t n = 1; n <= whole.calls(); ++n) {
        SCOPED_TRACE(::testing::Message()
                     << "seed " << seed << " call " << n << " " << ToString(code));
        SimSite site = RandomSite(seed);
        site.FailCall(n, code);
        const Explored run = ExploreSite(site, options);
        ASSERT_THAT(BrokenInvariants(run.sink), IsEmpty());
        if (!run.outcome) {
          ASSERT_EQ(code, run.outcome.error().code);
          ASSERT_LE(n, 3U) << "only the entry page may end the run";
          ASSERT_EQ(0U, run.sink.calls());
        }
      }
    }
  }
}

TEST(ExplorerSeeds, EveryFailingSinkCallEndsTheRunWithItsError) {
  for (uint64_t seed = 1; seed <= kFaultSeeds; ++seed) {
    SimSite whole = RandomSite(seed);
    const uint64_t calls = ExploreSite(whole, Deep()).sink.calls();
    for (uint64_t n = 1; n <= calls; ++n) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " sink call " << n);
      SimSite site = RandomSite(seed);
      RecordingSink sink;
      ASSERT_TRUE(sink.BeginRun(topodb::Run()));
      sink.FailCall(n);
      const auto outcome = ExploreInto(site, sink, Deep());
      ASSERT_FALSE(outcome);
      EXPECT_EQ(ErrorCode::kIo, outcome.error().code);
      EXPECT_EQ(n, sink.calls()) << "nothing is written after a failed write";
      ASSERT_THAT(BrokenInvariants(sink), IsEmpty());
    }
  }
}

}  // namespace
}  // namespace topodb::testing
