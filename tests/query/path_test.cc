#include "query/path.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/graph_writer.h"
#include "store/keys.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::query {
namespace {

using testing::BuildEdge;
using testing::BuildState;

// a -> b -> d, a -> c -> d, d -> a; e stands alone.
class PathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* path : {"/a", "/b", "/c", "/d", "/e"}) {
      states_.push_back(BuildState(path, {{"link", "one", "a"}, {"link", "two", "a"}}));
    }
    store::GraphWriter writer(kv_, store::Durability::kProcess);
    const topodb::Run run = testing::BuildRun("paths");
    ASSERT_TRUE(writer.BeginRun(run));
    for (const StateBundle& state : states_) ASSERT_TRUE(writer.AddState(state));
    for (const auto& [from, element, to] :
         {std::tuple{0, 0, 2}, {0, 1, 1}, {1, 0, 3}, {2, 0, 3}, {3, 0, 0}, {3, 1, 3}}) {
      ASSERT_TRUE(writer.AddTransition(
          {BuildEdge(At(from), static_cast<size_t>(element), IdOf(to)), std::nullopt}));
    }
    ASSERT_TRUE(writer.EndRun(run));
  }

  const StateBundle& At(int i) const { return states_.at(static_cast<size_t>(i)); }
  const StateId& IdOf(int i) const { return At(i).state.id; }

  Result<std::vector<ActionEdge>> Path(const StateId& from, const StateId& to) const {
    return FindShortestPath(store::GraphReader(kv_), 1, from, to);
  }

  testing::MemKv kv_;
  std::vector<StateBundle> states_;
};

TEST_F(PathTest, TakesTheShortestAndOfEqualOnesTheFirstCaptured) {
  const auto path = Path(IdOf(0), IdOf(3));
  ASSERT_TRUE(path) << path.error().message;
  ASSERT_EQ(2U, path->size());
  EXPECT_EQ(IdOf(0), path->at(0).from_state_id);
  EXPECT_EQ(IdOf(1), path->at(0).to_state_id);
  EXPECT_EQ(IdOf(1), path->at(1).from_state_id);
  EXPECT_EQ(IdOf(3), path->at(1).to_state_id);
}

TEST_F(PathTest, IsEmptyFromAStateToItself) {
  const auto path = Path(IdOf(3), IdOf(3));
  ASSERT_TRUE(path);
  EXPECT_TRUE(path->empty());
}

TEST_F(PathTest, SaysWhenThereIsNone) {
  for (const auto& [from, to] : {std::pair{IdOf(0), IdOf(4)},
                                 {IdOf(4), IdOf(0)},
                                 {IdOf(0), StateId{}},
                                 {StateId{}, IdOf(0)}}) {
    const auto path = Path(from, to);
    ASSERT_FALSE(path);
    EXPECT_EQ(ErrorCode::kNotFound, path.error().code);
  }
}

TEST_F(PathTest, FollowsEveryDestinationOfAConflictedEdge) {
  store::GraphWriter writer(kv_, store::Durability::kProcess);
  const topodb::Run run = testing::BuildRun("conflicted", 2);
  ASSERT_TRUE(writer.BeginRun(run));
  for (const StateBundle& state : states_) ASSERT_TRUE(writer.AddState(state));
  for (const int to : {1, 4}) {
    ASSERT_TRUE(writer.AddTransition({BuildEdge(At(0), 0, IdOf(to)), std::nullopt}));
  }
  ASSERT_TRUE(writer.EndRun(run));
  const auto path = FindShortestPath(store::GraphReader(kv_), 2, IdOf(0), IdOf(4));
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(1U, path->size());
}

TEST_F(PathTest, DoesNotBelieveAnIndexThatLies) {
  store::Key lie;
  lie.kind = store::Kind::kAdjacency;
  lie.run = 1;
  lie.state = 0;
  lie.to = 4;
  lie.ordinal = 0;  // an edge that is there, and leads elsewhere
  store::Batch batch;
  batch.Put(store::EncodeKey(lie), "\x01");
  ASSERT_TRUE(kv_.Apply(batch, store::Durability::kProcess));
  const auto path = Path(IdOf(0), IdOf(4));
  ASSERT_FALSE(path);
  EXPECT_EQ(ErrorCode::kCorruption, path.error().code);
}

}  // namespace
}  // namespace topodb::query
