#include "query/each_record.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/graph_writer.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::query {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EachRecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store::GraphWriter writer(kv_, store::Durability::kProcess);
    ASSERT_TRUE(writer.BeginRun(testing::BuildRun("run")));
    ASSERT_TRUE(writer.AddState(testing::BuildState("/", {{"button", "Save ÄPFEL", "button"},
                                                          {"link", "save as", "a"},
                                                          {"button", kLong + "end", "button"}})));
    ASSERT_TRUE(writer.AddState(
        testing::BuildState("/b", {{"button", "Unsaved", "button"}, {"link", "Help", "a"}})));
    ASSERT_TRUE(writer.EndRun(testing::BuildRun("run")));
    run_ = reader_.FindRun("run")->number;
  }

  std::vector<std::string> Found(const ElementSearch& search) {
    const auto places = FindElements(reader_, run_, search);
    EXPECT_TRUE(places) << places.error().message;
    std::vector<std::string> names;
    const Status status = EachElement(reader_, run_, *places, [&](const Element& element) {
      names.push_back(*element.accessible_name);
      return Result<Walk>(Walk::kGoOn);
    });
    EXPECT_TRUE(status);
    return names;
  }

  const std::string kLong = std::string(400, 'x');
  testing::MemKv kv_;
  store::GraphReader reader_{kv_};
  store::RunNumber run_ = 0;
};

TEST_F(EachRecordTest, FindsElementsByRoleAndPartOfTheName) {
  EXPECT_THAT(Found({.role = {}, .name = "SAVE"}), ElementsAre("Save ÄPFEL", "save as", "Unsaved"));
  EXPECT_THAT(Found({.role = "button", .name = "save"}), ElementsAre("Save ÄPFEL", "Unsaved"));
  EXPECT_THAT(Found({.role = "link", .name = {}}), ElementsAre("save as", "Help"));
  EXPECT_THAT(Found({.role = {}, .name = "äpfel"}), ElementsAre("Save ÄPFEL"));
  EXPECT_THAT(Found({.role = "butt", .name = {}}), IsEmpty());
  EXPECT_THAT(Found({.role = {}, .name = "cancel"}), IsEmpty());
}

TEST_F(EachRecordTest, FindsWhatTheIndexHasNoRoomFor) {
  EXPECT_THAT(Found({.role = "button", .name = "xEND"}), ElementsAre(kLong + "end"));
  EXPECT_THAT(Found({.role = "button", .name = "xyz"}), IsEmpty());
}

TEST_F(EachRecordTest, StopsWhereItIsTold) {
  size_t seen = 0;
  const auto count = [&](const Element& /*element*/) {
    return Result<Walk>(++seen == 2 ? Walk::kStop : Walk::kGoOn);
  };
  EXPECT_TRUE(EachRecord<Element>(reader_, run_, count));
  EXPECT_EQ(2U, seen);
}

}  // namespace
}  // namespace topodb::query
