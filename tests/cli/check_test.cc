#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CheckTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    StoreSmallGraph("run", 1);
  }

  // Changes the first row of a kind (docs/format.md) behind the store's back.
  void Spoil(char kind, const std::string* value) const {
    auto store = store::GraphStore::OpenForWrite(directory_ / ".topodb", {});
    ASSERT_TRUE(store) << store.error().message;
    store::Kv& kv = (*store)->kv();
    const auto row = kv.Scan(std::string(1, kind), std::string(1, static_cast<char>(kind + 1)));
    ASSERT_TRUE(row->Valid());
    store::Batch batch;
    if (value == nullptr) {
      batch.Delete(std::string(row->key()));
    } else {
      batch.Put(std::string(row->key()), *value);
    }
    ASSERT_TRUE(kv.Apply(batch, store::Durability::kSync));
  }
};

TEST_F(CheckTest, ASoundRunHasNoViolations) {
  const auto got = Topodb({"check"});
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(got.out, HasSubstr("1 run"));
  EXPECT_THAT(got.out, HasSubstr("0 violations"));
  EXPECT_EQ(Topodb({"check", "run"}).exit_code, 0);
  EXPECT_EQ(Topodb({"check", "other"}).exit_code, 3);
  const auto junit = Topodb({"check", "--format", "junit"});
  EXPECT_THAT(junit.out, HasSubstr("failures=\"0\""));
}

TEST_F(CheckTest, AMissingIndexRowIsFoundAndRepaired) {
  Spoil(0x22, nullptr);
  const auto text = Topodb({"check"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, HasSubstr("index-rows"));
  const auto json = boost::json::parse(Topodb({"check", "--format", "json"}).out);
  EXPECT_EQ(json.at("violations").at(0).at("invariant"), "index-rows");
  EXPECT_THAT(Topodb({"check", "--format", "junit"}).out, HasSubstr("failures=\"1\""));

  const auto repaired = Topodb({"check", "--repair-indexes"});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.out;
  EXPECT_THAT(repaired.err, HasSubstr("1 index row repaired"));
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
}

TEST_F(CheckTest, BytesThatDoNotVerifyAreCorruption) {
  const std::string garbage = "garbage";
  Spoil(0x10, &garbage);
  const auto got = Topodb({"check"});
  EXPECT_EQ(got.exit_code, 5);
  EXPECT_THAT(got.out, HasSubstr("record-form"));
  const auto query = Topodb({"query", "states"});
  EXPECT_EQ(query.exit_code, 5);
  EXPECT_THAT(query.out, IsEmpty());
}

TEST_F(CheckTest, ADamagedFileIsNamedAndTheOtherRunsAreChecked) {
  Store([&](GraphSink& sink) -> Status {
    TOPODB_TRY_VOID(sink.BeginRun(testing::BuildRun("damaged", 2)));
    for (int i = 0; i < 200; ++i) {
      TOPODB_TRY_VOID(sink.AddState(
          testing::BuildState("/" + std::to_string(i), std::vector(20, testing::ElementSpec{}))));
    }
    return sink.EndRun(testing::BuildRun("damaged", 2));
  });
  std::filesystem::path largest;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / ".topodb")) {
    if (entry.path().extension() != ".sst") continue;
    if (largest.empty() || entry.file_size() > file_size(largest)) largest = entry.path();
  }
  std::fstream file(largest, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(file_size(largest) / 2));
  file.write("damage", 6);
  file.close();
  const auto got = Topodb({"check", "--format", "json"});
  EXPECT_EQ(got.exit_code, 5) << got.out << got.err;
  const auto report = boost::json::parse(got.out);
  EXPECT_EQ(report.at("runs"), 2);
  EXPECT_EQ(report.at("violations").at(0).at("invariant"), "readable");
  EXPECT_THAT(std::string(report.at("violations").at(0).at("message").as_string()),
              HasSubstr(largest.filename().string()));
  EXPECT_EQ(Topodb({"check", "run"}).exit_code, 0);
}

TEST_F(CheckTest, PathsAreFound) {
  const auto text = Topodb({"query", "path", "--to", "https://shop.test/docs/guide"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_LT(text.out.find("link \"Docs\""), text.out.find("link \"Guide\""));
  const auto json = boost::json::parse(
      Topodb({"query", "path", "--to", "https://shop.test/docs/guide", "--format", "json"}).out);
  EXPECT_EQ(json.as_array().size(), 2U);
  EXPECT_EQ(Topodb({"query", "path", "--to", "entry"}).exit_code, 0);
  EXPECT_EQ(Topodb({"query", "path", "--to", "https://elsewhere.test/"}).exit_code, 3);
  EXPECT_EQ(Topodb({"query", "path"}).exit_code, 2);
}

}  // namespace
}  // namespace topodb::cli
