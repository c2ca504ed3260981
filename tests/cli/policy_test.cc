#include <fstream>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

// The words of the risk policy, given by a file, in a whole run.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kPage = R"html(<!doctype html><title>Index</title><h1>Index</h1>
<p id=out></p>
<button type=button onclick="out.textContent = 'more'">Show more</button>
<button type=button onclick="out.textContent = 'again'">Teleport shelves</button>
<button type=button onclick="out.textContent = 'trash'">Delete shelves</button>)html";

class PolicyTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    Write("page.html", kPage);
  }

  void Write(const char* name, std::string_view text) const {
    std::ofstream(directory_ / name) << text;
  }

  std::vector<std::string> Skipped(const std::string& run) const {
    std::vector<std::string> names;
    const auto skips =
        boost::json::parse(Topodb({"query", "skips", "--run", run, "--format", "json"}).out);
    for (const auto& skip : skips.as_array()) {
      const auto element =
          boost::json::parse(Topodb({"show", skip.at("elementId").as_string().c_str(), "--run", run,
                                     "--format", "json"})
                                 .out);
      names.emplace_back(element.at("accessibleName").as_string());
    }
    return names;
  }
};

TEST_F(PolicyTest, AFileAddsWordsAndTakesThemOut) {
  Write("policy.json", R"json({"terms": [{"category": "data_mutation", "verb": ["teleport"]}],
    "without": ["delete"]})json");
  ASSERT_EQ(Topodb({"capture", "page.html", "--name", "plain"}).exit_code, 0);
  const auto strict =
      Topodb({"capture", "page.html", "--name", "strict", "--policy", "policy.json"});
  ASSERT_EQ(strict.exit_code, 0) << strict.err;
  EXPECT_THAT(Skipped("plain"), UnorderedElementsAre("Delete shelves"));
  EXPECT_THAT(Skipped("strict"), UnorderedElementsAre("Teleport shelves"));

  // Runs under other words are no runs of one input.
  const auto diff = Topodb({"diff", "plain", "strict"});
  EXPECT_EQ(diff.exit_code, 2);
  EXPECT_THAT(diff.err, HasSubstr("policy"));
}

TEST_F(PolicyTest, AStepThatTheFileStopsIsNotReplayed) {
  Write("policy.json",
        R"json({"terms": [{"category": "data_mutation", "verb": ["teleport"]}]})json");
  ASSERT_EQ(Topodb({"capture", "page.html"}).exit_code, 0);
  EXPECT_EQ(Topodb({"replay"}).exit_code, 0);
  const auto replay = Topodb({"replay", "--policy", "policy.json"});
  EXPECT_EQ(replay.exit_code, 1);
  EXPECT_THAT(replay.out, HasSubstr("risk:data_mutation"));
}

TEST_F(PolicyTest, AFileThatIsNoPolicyIsRefusedBeforeAnythingStarts) {
  Write("words.json", R"json({"terms": [{"category": "harmful", "verb": ["teleport"]}]})json");
  const auto words = Topodb({"capture", "page.html", "--policy", "words.json"});
  EXPECT_EQ(words.exit_code, 2);
  EXPECT_THAT(words.err, HasSubstr("terms[0].category"));
  Write("text.json", "teleport");
  EXPECT_EQ(Topodb({"capture", "page.html", "--policy", "text.json"}).exit_code, 2);
  EXPECT_EQ(Topodb({"capture", "page.html", "--policy", "none.json"}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(directory_ / ".topodb"));
}

}  // namespace
}  // namespace topodb::cli
