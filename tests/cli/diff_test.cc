#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// An entry state with one link and one button, as a run.
Status WriteSite(GraphSink& sink, const Run& run, const std::string& button) {
  TOPODB_TRY_VOID(sink.BeginRun(run));
  TOPODB_TRY_VOID(sink.AddState(
      testing::BuildState("/", {{"link", "Docs", "a"}, {"button", button, "button"}})));
  return sink.EndRun(run);
}

class DiffTest : public CommandTest {
 protected:
  void StoreSite(const std::string& name, uint32_t serial, const std::string& button) const {
    Store(
        [&](GraphSink& sink) { return WriteSite(sink, testing::BuildRun(name, serial), button); });
  }
};

TEST_F(DiffTest, EqualRunsHaveNoDifferences) {
  StoreSite("before", 1, "Save");
  StoreSite("after", 2, "Save");
  const auto got = Topodb({"diff", "before", "after"});
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_EQ(got.out, "no differences\n");
}

TEST_F(DiffTest, AChangeIsSaidInEveryFormat) {
  StoreSite("before", 1, "Save");
  StoreSite("after", 2, "Store");
  const auto text = Topodb({"diff", "before", "after"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, HasSubstr("button \"Store\""));
  EXPECT_THAT(text.out, HasSubstr("elements: "));

  const auto summary = Topodb({"diff", "before", "after", "--summary"});
  EXPECT_EQ(summary.exit_code, 1);
  EXPECT_THAT(summary.out, HasSubstr("elements: "));
  EXPECT_THAT(summary.out, Not(HasSubstr("button")));

  const auto json = boost::json::parse(Topodb({"diff", "before", "after", "--format", "json"}).out);
  EXPECT_FALSE(json.at("differences").as_array().empty());
  const auto junit = Topodb({"diff", "before", "after", "--format", "junit"});
  EXPECT_EQ(junit.exit_code, 1);
  EXPECT_THAT(junit.out, HasSubstr("<testcase name=\"elements\"><failure"));
  EXPECT_THAT(junit.out, HasSubstr("<testcase name=\"skips\"/>"));

  EXPECT_EQ(Topodb({"diff", "before", "after", "--only", "skips"}).exit_code, 0);
  EXPECT_EQ(Topodb({"diff", "before", "after", "--only", "skips", "--only", "elements"}).exit_code,
            1);
}

TEST_F(DiffTest, RunsOfDifferentInputAreRefusedUnlessForced) {
  StoreSite("before", 1, "Save");
  Store([&](GraphSink& sink) {
    topodb::Run run = testing::BuildRun("other", 2);
    run.input_seed = "https://other.test/";
    run.input_fingerprint = {testing::BuildState("/other").state.id.bytes};
    return WriteSite(sink, run, "Save");
  });
  const auto refused = Topodb({"diff", "before", "other"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(Topodb({"diff", "before", "other", "--force"}).exit_code, 0);
  EXPECT_EQ(Topodb({"diff", "before", "missing"}).exit_code, 3);
  EXPECT_EQ(Topodb({"diff", "before"}).exit_code, 2);
  EXPECT_EQ(Topodb({"diff", "before", "other", "--only", "hats"}).exit_code, 2);
}

}  // namespace
}  // namespace topodb::cli
