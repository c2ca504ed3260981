#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/diff.h"
#include "store/graph_writer.h"
#include "store/keys.h"
#include "tests/query/shop_graph.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"
#include "tests/support/run_graph.h"

// What a diff reads: index rows of everything, records of what differs.
namespace topodb::query {
namespace {

using ::testing::IsEmpty;

// Counts the rows that readers are shown, by kind; states by their ordinal.
class CountingKv : public store::Kv {
 public:
  Result<std::optional<std::string>> Get(std::string_view key) const override {
    Count(key);
    return rows_.Get(key);
  }
  std::unique_ptr<store::Iterator> Scan(std::string_view begin,
                                        std::string_view end) const override {
    return std::make_unique<CountingIterator>(rows_.Scan(begin, end), *this);
  }
  Status Apply(const store::Batch& batch, store::Durability durability) override {
    return rows_.Apply(batch, durability);
  }
  Status Flush() override { return rows_.Flush(); }

  void Reset() { reads_.clear(); }
  // Records of states and what belongs to them, by the ordinal of the state.
  std::map<uint32_t, int> RecordsRead() const {
    std::map<uint32_t, int> records;
    for (const auto& [key, times] : reads_) {
      const auto parsed = store::ParseKey(key);
      if (parsed && parsed->kind >= store::Kind::kState &&
          parsed->kind <= store::Kind::kObservation) {
        records[parsed->state] += times;
      }
    }
    return records;
  }

 private:
  class CountingIterator : public store::Iterator {
   public:
    CountingIterator(std::unique_ptr<store::Iterator> rows, const CountingKv& kv)
        : rows_(std::move(rows)), kv_(kv) {}
    bool Valid() const override { return rows_->Valid(); }
    void Next() override { rows_->Next(); }
    std::string_view key() const override { return rows_->key(); }
    std::string_view value() const override {
      kv_.Count(rows_->key());
      return rows_->value();
    }
    Status status() const override { return rows_->status(); }

   private:
    std::unique_ptr<store::Iterator> rows_;
    const CountingKv& kv_;
  };

  void Count(std::string_view key) const { ++reads_[std::string(key)]; }

  testing::MemKv rows_;
  mutable std::map<std::string, int> reads_;
};

// `pages` pages of three controls each, all linked from the first one.
RunGraph Site(size_t pages) {
  RunGraph graph;
  graph.run = testing::BuildRun("site");
  std::vector<testing::ElementSpec> links;
  for (size_t i = 1; i < pages; ++i) links.push_back({"link", "Page " + std::to_string(i), "a"});
  const StateBundle home = testing::BuildState("/", links);
  Add(graph, home);
  for (size_t i = 1; i < pages; ++i) {
    const StateBundle page = testing::BuildState(
        "/" + std::to_string(i),
        {{"link", "Home", "a"}, {"button", "Save", "button"}, {"button", "Print", "button"}});
    Add(graph, page);
    graph.edges.push_back(testing::BuildEdge(home, i - 1, page.state.id));
    graph.edges.push_back(testing::BuildEdge(page, 0, home.state.id));
    graph.skips.push_back(testing::BuildSkip(page.elements[1]));
  }
  Reidentify(graph);
  return graph;
}

class DiffReads : public ::testing::Test {
 protected:
  Result<Diff> Compare(const RunGraph& before, const RunGraph& after) {
    for (const auto& [kv, graph] : {std::pair(&before_, &before), std::pair(&after_, &after)}) {
      store::GraphWriter writer(*kv, store::Durability::kProcess);
      TOPODB_TRY_VOID(WriteRunGraph(writer, *graph));
    }
    const store::GraphReader was(before_), is(after_);
    TOPODB_TRY(const auto run_was, was.FindRun("latest"));
    TOPODB_TRY(const auto run_is, is.FindRun("latest"));
    before_.Reset();
    after_.Reset();
    return DiffRuns(was, run_was, is, run_is, {});
  }

  CountingKv before_, after_;
};

TEST_F(DiffReads, NoRecordOfEqualRuns) {
  const auto diff = Compare(Site(20), Site(20));
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_THAT(diff->differences, IsEmpty());
  EXPECT_EQ(20U, diff->aligned_states);
  EXPECT_THAT(before_.RecordsRead(), IsEmpty());
  EXPECT_THAT(after_.RecordsRead(), IsEmpty());
}

TEST_F(DiffReads, OnlyRecordsOfTheStateThatDiffers) {
  RunGraph after = Site(20);
  Find(after, "Save", 7).interactability.enabled = false;
  SetAttribute(Find(after, "Print", 7), "href", "/print");
  const auto diff = Compare(Site(20), after);
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_EQ(2U, diff->differences.size());
  for (const CountingKv* kv : {&before_, &after_}) {
    const auto records = kv->RecordsRead();
    ASSERT_EQ(1U, records.size());
    EXPECT_EQ(7U, records.begin()->first);
    EXPECT_GE(4, records.begin()->second);  // the state, its two elements, the state's page
  }
}

TEST_F(DiffReads, DoNotGrowWithWhatIsEqual) {
  const auto reads_of = [](size_t pages) {
    DiffReads_DoNotGrowWithWhatIsEqual_Test test;
    RunGraph after = Site(pages);
    Find(after, "Save", 3).interactability.enabled = false;
    EXPECT_TRUE(test.Compare(Site(pages), after));
    return test.before_.RecordsRead();
  };
  EXPECT_EQ(reads_of(10), reads_of(200));
}

}  // namespace
}  // namespace topodb::query
