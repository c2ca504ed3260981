#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

namespace topodb::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class HousekeepingTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    for (uint32_t serial = 1; serial <= 4; ++serial) {
      StoreSmallGraph("run" + std::to_string(serial), serial);
    }
  }

  static std::vector<std::string> Names(const testing::BinaryResult& result) {
    std::vector<std::string> names;
    const boost::json::value list = boost::json::parse(result.out);
    for (const auto& run : list.as_array()) {
      names.emplace_back(run.at("name").as_string());
    }
    return names;
  }
  std::vector<std::string> Runs() const { return Names(Topodb({"runs", "--format", "json"})); }
};

TEST_F(HousekeepingTest, RemovesAndListsTheRunsThatAreNamed) {
  const auto got = Topodb({"rm", "run2", "latest", "run4", "--format", "json"});
  EXPECT_EQ(got.exit_code, 0) << got.err;
  EXPECT_THAT(Names(got), ElementsAre("run2", "run4"));
  EXPECT_THAT(got.err, HasSubstr("2 runs removed"));
  EXPECT_THAT(Runs(), ElementsAre("run3", "run1"));
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
  EXPECT_THAT(Topodb({"rm", "run1"}).out, HasSubstr("run1"));
}

TEST_F(HousekeepingTest, ARunThatCannotBeFoundKeepsAll) {
  EXPECT_EQ(Topodb({"rm", "run1", "other"}).exit_code, 3);
  EXPECT_EQ(Topodb({"rm"}).exit_code, 2);
  EXPECT_THAT(Runs(), ElementsAre("run4", "run3", "run2", "run1"));
}

TEST_F(HousekeepingTest, GcKeepsTheNewestAndTheYoung) {
  EXPECT_THAT(Topodb({"gc"}).err, HasSubstr("0 runs removed"));
  EXPECT_THAT(Names(Topodb({"gc", "--keep-last", "3", "--format", "json"})), ElementsAre("run1"));
  // Made at the time that BuildRun says: long ago, but not since the epoch.
  EXPECT_THAT(Names(Topodb({"gc", "--older-than", "36500d", "--format", "json"})), IsEmpty());
  EXPECT_THAT(Names(Topodb({"gc", "--older-than", "1d", "--keep-last", "2", "--format", "json"})),
              ElementsAre("run2"));
  EXPECT_THAT(Runs(), ElementsAre("run4", "run3"));
  EXPECT_THAT(Names(Topodb({"gc", "--older-than", "1d", "--format", "json"})),
              ElementsAre("run4", "run3"));
  EXPECT_EQ(Topodb({"gc", "--keep-last", "many"}).exit_code, 2);
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
}

TEST_F(HousekeepingTest, ABackupIsADatabase) {
  const auto got = Topodb({"backup", "copy"});
  EXPECT_EQ(got.exit_code, 0) << got.err;
  EXPECT_THAT(got.err, HasSubstr("4 runs in 'copy'"));
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_EQ(Topodb({"runs", "--db", "copy", "--format", "json"}).out,
            Topodb({"runs", "--format", "json"}).out);
  EXPECT_EQ(Topodb({"check", "--db", "copy"}).exit_code, 0);
  const auto again = Topodb({"backup", "copy"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("'copy' is not an empty directory"));
}

TEST_F(HousekeepingTest, NothingIsMadeWhereNoDatabaseIs) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"rm", "latest"},
                                                  {"gc"},
                                                  {"backup", "copy"},
                                                  {"check", "--repair-indexes"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--db", "missing"});
    EXPECT_EQ(Topodb(arguments).exit_code, 3) << command.front();
  }
  EXPECT_FALSE(std::filesystem::exists(directory_ / "missing"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "copy"));
}

}  // namespace
}  // namespace topodb::cli
