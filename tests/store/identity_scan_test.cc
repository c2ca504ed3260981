#include "store/identity_scan.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/graph_writer.h"
#include "store/keys.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::store {
namespace {

class IdentityScanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    GraphWriter writer(kv_, Durability::kProcess);
    ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("small")));
  }

  testing::MemKv kv_;
};

TEST_F(IdentityScanTest, GivesTheRowsThatTheReaderGives) {
  const GraphReader reader(kv_);
  const auto run = reader.FindRun("small");
  ASSERT_TRUE(run);
  for (const RecordKind kind : {RecordKind::kState, RecordKind::kElement, RecordKind::kEdge,
                                RecordKind::kSkip, RecordKind::kFailure}) {
    const auto rows = reader.IdentityRows(run->number, kind);
    ASSERT_TRUE(rows);
    ASSERT_FALSE(rows->empty());
    size_t at = 0;
    IdentityScan scan(kv_, run->number, kind);
    for (; scan.Valid(); scan.Next(), ++at) {
      const auto row = scan.Row();
      ASSERT_TRUE(row);
      ASSERT_LT(at, rows->size());
      EXPECT_EQ((*rows)[at].id, row->id);
      EXPECT_EQ((*rows)[at].content_hash, row->content_hash);
      EXPECT_EQ(std::string(row->id.begin(), row->id.end()), scan.id());
      EXPECT_EQ(8U, scan.content().size());
    }
    EXPECT_TRUE(scan.status());
    EXPECT_EQ(rows->size(), at);
  }
}

TEST_F(IdentityScanTest, StopsAtARowThatIsNone) {
  const RunNumber run = GraphReader(kv_).FindRun("small")->number;
  Key key;
  key.kind = Kind::kIdentity;
  key.run = run;
  key.tag = static_cast<uint8_t>(RecordKind::kState);
  Batch batch;
  batch.Put(EncodeKey(key), "short");
  ASSERT_TRUE(kv_.Apply(batch, Durability::kProcess));
  const IdentityScan scan(kv_, run, RecordKind::kState);
  EXPECT_FALSE(scan.Valid());
  ASSERT_FALSE(scan.status());
  EXPECT_EQ(ErrorCode::kCorruption, scan.status().error().code);
}

}  // namespace
}  // namespace topodb::store
