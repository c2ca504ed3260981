#include "store/graph_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schema/codec.h"
#include "store/graph_writer.h"
#include "store/keys.h"
#include "store/lookup.h"
#include "store/values.h"
#include "tests/store/run_rows.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::store {
namespace {

using testing::BuildRun;
using testing::BuildState;
using testing::MemKv;
using testing::WriteSmallGraph;

class GraphReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const uint32_t serial : {1U, 2U, 3U}) Write("run-" + std::to_string(serial), serial);
  }

  void Write(const std::string& name, uint32_t serial) { WriteRun(BuildRun(name, serial)); }

  void WriteRun(const topodb::Run& run) {
    GraphWriter writer(kv_, Durability::kProcess);
    ASSERT_TRUE(WriteSmallGraph(writer, run));
  }

  // Overwrites a row, as a damaged or hostile database would have it.
  void Put(const std::string& key, const std::string& value) {
    Batch batch;
    batch.Put(key, value);
    ASSERT_TRUE(kv_.Apply(batch, Durability::kProcess));
  }

  MemKv kv_;
  GraphReader reader_{kv_};
};

TEST_F(GraphReaderTest, ListsRunsNewestFirst) {
  std::vector<std::string> names;
  const auto runs = reader_.Runs().value();
  for (const StoredRun& stored : runs) names.push_back(stored.run.name);
  EXPECT_EQ((std::vector<std::string>{"run-3", "run-2", "run-1"}), names);
}

TEST_F(GraphReaderTest, FindsARunByNamePrefixAndAge) {
  const std::string id = BuildRun("run-2", 2).id.ToString();
  const std::string hex = id.substr(RunId::kPrefix.size());
  struct Case {
    std::string reference;
    std::optional<RunNumber> want;
  };
  const Case cases[] = {
      {"run-1", 1},
      {"run-3", 3},
      {"latest", 3},
      {"latest~0", 3},
      {"latest~2", 1},
      {id, 2},
      {hex, 2},
      {id.substr(0, 14), 2},
      {hex.substr(0, 8), 2},
      {"latest~3", {}},
      {"latest~", {}},
      {"latest~-1", {}},
      {"latest~x", {}},
      {"run-", {}},
      {"RUN-1", {}},
      {"", {}},
      {id + "0", {}},
      {"state_" + hex, {}},
      {"latest~99999999999999999999", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.reference);
    const auto found = reader_.FindRun(c.reference);
    if (c.want) {
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(*c.want, found->number);
    } else {
      ASSERT_FALSE(found);
      EXPECT_EQ(ErrorCode::kNotFound, found.error().code);
    }
  }
}

TEST_F(GraphReaderTest, AnAmbiguousPrefixListsAtMostFiveCandidates) {
  for (const uint32_t serial : {4U, 5U, 6U, 7U}) Write("", serial);
  const auto found = reader_.FindRun("crawl_");
  ASSERT_FALSE(found);
  EXPECT_EQ(ErrorCode::kAmbiguous, found.error().code);
  const std::string& message = found.error().message;
  size_t listed = 0;
  const auto runs = reader_.Runs().value();
  for (const StoredRun& stored : runs) {
    if (message.find(stored.run.id.ToString()) != std::string::npos) ++listed;
  }
  EXPECT_EQ(5U, listed);
  EXPECT_NE(std::string::npos, message.find("and 2 more")) << message;
}

TEST_F(GraphReaderTest, ANameThatLooksLikeHexIsStillAName) {
  Write("abc", 9);
  EXPECT_EQ(4U, reader_.FindRun("abc").value().number);
}

TEST_F(GraphReaderTest, AnEmptyDatabaseHasNoLatestRun) {
  MemKv empty;
  EXPECT_TRUE(GraphReader(empty).Runs().value().empty());
  const auto found = GraphReader(empty).FindRun("latest");
  ASSERT_FALSE(found);
  EXPECT_EQ(ErrorCode::kNotFound, found.error().code);
  EXPECT_NE("", found.error().hint);
}

TEST_F(GraphReaderTest, FindsRecordsByIdPrefix) {
  const StateBundle home = BuildState("/");
  const std::string id = home.state.id.ToString();
  const auto is_home = [&](const FoundRecord& found) {
    return found.kind == RecordKind::kState && found.id == home.state.id.bytes;
  };
  for (const std::string& prefix : {id, id.substr(0, 20), id.substr(6), id.substr(6, 15)}) {
    SCOPED_TRACE(prefix);
    const auto found = reader_.FindByIdPrefix(prefix, 2, 10).value();
    ASSERT_EQ(1U, found.size());
    EXPECT_TRUE(is_home(found[0]));
    EXPECT_EQ(2U, found[0].run);
    const auto everywhere = reader_.FindByIdPrefix(prefix, std::nullopt, 10).value();
    ASSERT_EQ(3U, everywhere.size());
    EXPECT_EQ(3U, everywhere[0].run);
    EXPECT_EQ(1U, everywhere[2].run);
  }
  EXPECT_EQ(3U, reader_.FindByIdPrefix("state_", 1, 10).value().size());
  EXPECT_EQ(5U, reader_.FindByIdPrefix("el_", 1, 10).value().size());
  EXPECT_EQ(3U, reader_.FindByIdPrefix("edge_", 1, 10).value().size());
  EXPECT_EQ(1U, reader_.FindByIdPrefix("skip_", 1, 10).value().size());
  EXPECT_EQ(2U, reader_.FindByIdPrefix("fail_", 1, 10).value().size());
  EXPECT_EQ(3U, reader_.FindByIdPrefix("mark_", 1, 10).value().size());
  EXPECT_EQ(17U, reader_.FindByIdPrefix("", 1, 100).value().size());
  EXPECT_EQ(4U, reader_.FindByIdPrefix("", std::nullopt, 4).value().size());
  for (const std::string& none : {id + "0", std::string("state_xyz"), std::string("hello")}) {
    EXPECT_TRUE(reader_.FindByIdPrefix(none, std::nullopt, 10).value().empty()) << none;
  }
  EXPECT_EQ(ErrorCode::kNotFound, reader_.FindByIdPrefix(id, 77, 10).error().code);
}

TEST_F(GraphReaderTest, IdentityRowsCoverWhatADiffNeeds) {
  const auto rows = reader_.IdentityRows(1, RecordKind::kElement).value();
  ASSERT_EQ(5U, rows.size());
  EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &IdentityRow::id));
  for (const IdentityRow& row : rows) {
    const Element element = reader_.GetElement(1, ElementId{row.id}).value();
    EXPECT_EQ(element.anchor_key, row.anchor_key);
    EXPECT_EQ(*element.role + "\t" + *element.accessible_name, row.name);
    EXPECT_EQ(ContentHash(element), row.content_hash);
  }
  const auto states = reader_.IdentityRows(1, RecordKind::kState).value();
  ASSERT_EQ(3U, states.size());
  EXPECT_EQ("", states[0].name);
}

TEST_F(GraphReaderTest, UnknownRecordsAndRunsAreNotFound) {
  const StateBundle unknown = BuildState("/unknown", {{}});
  const StateBundle home = BuildState("/");
  EXPECT_EQ(ErrorCode::kNotFound, reader_.GetState(1, unknown.state.id).error().code);
  EXPECT_EQ(ErrorCode::kNotFound, reader_.GetElement(1, unknown.elements[0].id).error().code);
  EXPECT_EQ(ErrorCode::kNotFound, reader_.ElementsOf(1, unknown.state.id).error().code);
  EXPECT_EQ(ErrorCode::kNotFound, reader_.EdgesTo(1, unknown.state.id).error().code);
  EXPECT_EQ(ErrorCode::kNotFound, reader_.GetState(9, home.state.id).error().code);
  EXPECT_EQ(ErrorCode::kNotFound, reader_.Edges(9).error().code);
}

TEST_F(GraphReaderTest, DamagedRecordsNameTheirKey) {
  const std::string key = RowsOfRun(kv_, 1).begin()->first;
  Put(key, "no record");
  const auto states = reader_.States(1);
  ASSERT_FALSE(states);
  EXPECT_EQ(ErrorCode::kCorruption, states.error().code);
  EXPECT_NE(std::string::npos, states.error().message.find(DescribeKey(key)))
      << states.error().message;
  EXPECT_TRUE(reader_.States(2));
}

TEST_F(GraphReaderTest, IndexRowsThatLieAreNotBelieved) {
  const StateBundle home = BuildState("/");
  const StateBundle docs = BuildState("/docs");
  const IdentityRow docs_row =
      FindIdentity(kv_, 1, RecordKind::kState, docs.state.id.bytes).value().value();
  Key key;
  key.kind = Kind::kIdentity;
  key.run = 1;
  key.tag = static_cast<uint8_t>(RecordKind::kState);
  key.id = home.state.id.bytes;
  IdentityRow beyond = docs_row;
  beyond.state = 4'000'000'000;
  for (const std::string& value :
       {EncodeIdentityValue(docs_row, RecordKind::kState),
        EncodeIdentityValue(beyond, RecordKind::kState), std::string("short")}) {
    Put(EncodeKey(key), value);
    const auto state = reader_.GetState(1, home.state.id);
    ASSERT_FALSE(state);
    EXPECT_EQ(ErrorCode::kCorruption, state.error().code);
  }
}

TEST_F(GraphReaderTest, DamagedManifestsAndNamesAreCorruption) {
  Put(ReadRows(kv_, RangeOf(Kind::kManifest)).begin()->first, "no manifest");
  EXPECT_EQ(ErrorCode::kCorruption, reader_.Runs().error().code);
  EXPECT_EQ(ErrorCode::kCorruption, reader_.FindRun("run-1").error().code);
  EXPECT_TRUE(reader_.FindRun("run-2"));
  Put(ReadRows(kv_, RangeOf(Kind::kRunName)).rbegin()->first, "x");
  EXPECT_EQ(ErrorCode::kCorruption, reader_.FindRun("run-3").error().code);
}

}  // namespace
}  // namespace topodb::store
