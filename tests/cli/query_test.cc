#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

size_t Lines(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A text member of a JSON object.
std::string Member(const std::string& document, std::string_view name) {
  const auto parsed = boost::json::parse(document);
  const auto& value = parsed.at(boost::json::string_view(name.data(), name.size()));
  return std::string(value.as_string());
}

class QueryTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    StoreSmallGraph("run-a", 1);
    StoreSmallGraph("run-b", 2);
  }

  // The members `field` of what a query lists.
  std::vector<std::string> Fields(std::vector<std::string> arguments,
                                  std::string_view field) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto got = Topodb(arguments);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    std::vector<std::string> values;
    const auto records = boost::json::parse(got.out);
    for (const auto& record : records.as_array()) {
      values.emplace_back(
          record.at(boost::json::string_view(field.data(), field.size())).as_string());
    }
    return values;
  }
};

TEST_F(QueryTest, RunsAreListedNewestFirst) {
  EXPECT_THAT(Fields({"runs"}, "status"), ::testing::ElementsAre("complete", "complete"));
  const auto got = Topodb({"runs"});
  EXPECT_LT(got.out.find("run-b"), got.out.find("run-a"));
  EXPECT_EQ(Lines(got.out), 3U);
  const auto fingerprints = Fields({"runs"}, "inputFingerprint");
  EXPECT_EQ(Fields({"runs", "--input", fingerprints.front()}, "status").size(), 2U);
  EXPECT_THAT(Fields({"runs", "--input", "input_ffffffff"}, "status"), IsEmpty());
}

TEST_F(QueryTest, FiltersKeepWhatTheySay) {
  struct Case {
    std::vector<std::string> arguments;
    size_t count;
  };
  const Case kCases[] = {
      {{"states"}, 3},
      {{"states", "--url", "shop.test"}, 3},
      {{"states", "--url", "*/docs"}, 1},
      {{"states", "--url", "*/nowhere"}, 0},
      {{"states", "--state", "entry"}, 1},
      {{"states", "--state", "https://shop.test/docs"}, 1},
      {{"states", "--all-runs"}, 6},
      {{"states", "--all-runs", "--limit", "4"}, 4},
      {{"states", "--run", "run-a", "--limit", "1"}, 1},
      {{"elements"}, 5},
      {{"elements", "--role", "button"}, 2},
      {{"elements", "--role", "butt"}, 0},
      {{"elements", "--name", "DOCS"}, 1},
      {{"elements", "--role", "link", "--url", "*/guide"}, 1},
      {{"elements", "--state", "entry"}, 2},
      {{"edges"}, 3},
      {{"edges", "--risk", "low"}, 3},
      {{"edges", "--risk", "high"}, 0},
      {{"edges", "--category", "navigation", "--name", "guide"}, 1},
      {{"edges", "--from", "entry"}, 1},
      {{"edges", "--to", "entry"}, 1},
      {{"edges", "--state", "entry"}, 2},
      {{"edges", "--from", "entry", "--to", "entry"}, 0},
      {{"edges", "--all-runs", "--from", "entry"}, 2},
      {{"skips"}, 1},
      {{"skips", "--category", "destructive", "--reason", "blocked:destructive"}, 1},
      {{"skips", "--category", "navigation"}, 0},
      {{"failures"}, 2},
      {{"failures", "--reason", "element_disabled"}, 1},
      {{"failures", "--state", "entry"}, 0},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.arguments));
    std::vector<std::string> arguments = {"query"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const auto table = Topodb(arguments);
    arguments.insert(arguments.end(), {"--format", "json"});
    EXPECT_EQ(boost::json::parse(Topodb(arguments).out).as_array().size(), c.count);
    EXPECT_EQ(Lines(table.out), c.count == 0 ? 0 : c.count + 1);  // and the header
  }
}

TEST_F(QueryTest, CountsInsteadOfListing) {
  EXPECT_EQ(Topodb({"query", "edges", "--count"}).out, "3\n");
  EXPECT_EQ(Topodb({"query", "edges", "--count", "--limit", "1"}).out, "3\n");
  EXPECT_EQ(Topodb({"query", "edges", "--count", "--format", "json"}).out, "{\"count\":3}\n");
  EXPECT_EQ(Topodb({"query", "edges", "--count", "--format", "csv"}).out, "count\r\n3\r\n");
}

TEST_F(QueryTest, AnEdgeRowSpeaksOfTitlesAndNames) {
  const auto got = Topodb({"query", "edges", "--from", "entry"});
  const std::string row = got.out.substr(got.out.find('\n') + 1);
  for (const char* word :
       {"Page /", "click", "link \"Docs\"", "Page /docs", "low navigation", "dom", "edge_"}) {
    EXPECT_THAT(row, HasSubstr(word));
  }
  EXPECT_THAT(got.out, Not(HasSubstr("\x1b")));  // no colour into a pipe
  EXPECT_THAT(Topodb({"query", "edges", "--color", "always"}).out, HasSubstr("\x1b[32mlow"));
}

TEST_F(QueryTest, LinesAndCsvCarryTheSameRecords) {
  const auto ids = Fields({"query", "edges"}, "edgeId");
  const auto lines = Topodb({"query", "edges", "--format", "jsonl"});
  const auto csv = Topodb({"query", "edges", "--format", "csv"});
  EXPECT_EQ(Lines(lines.out), 3U);
  EXPECT_EQ(Lines(csv.out), 4U);
  EXPECT_THAT(csv.out, ::testing::StartsWith("edgeId,fromStateId,toStateId,"));
  for (const std::string& id : ids) {
    EXPECT_EQ(id.size(), std::string("edge_").size() + 32);
    EXPECT_THAT(lines.out, HasSubstr("{\"edgeId\":\"" + id + "\""));
    EXPECT_THAT(csv.out, HasSubstr("\n" + id + ","));
  }
}

TEST_F(QueryTest, UnknownThingsAreNamed) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string_view says;
  };
  const Case kCases[] = {
      {{"query", "edges", "--run", "run-z"}, 3, "run-z"},
      {{"query", "edges", "--run", "run-"}, 3, "run-"},
      {{"query", "edges", "--run", "crawl_"}, 2, "crawl_"},
      {{"query", "edges", "--from", "state_zz"}, 3, "its states:"},
      {{"query", "edges", "--from", "state_"}, 2, "candidates:"},
      {{"query", "edges", "--element", "el_zz"}, 3, "el_zz"},
      {{"query", "edges", "--element", "el_"}, 2, "more than one"},
      {{"query", "edges", "--risk", "huge"}, 2, "'huge' is no risk level"},
      {{"query", "edges", "--category", "huge"}, 2, "'huge' is no risk category"},
      {{"show", "edge_zz"}, 3, "no record has the id 'edge_zz'"},
      {{"show", "state_"}, 2, "begins several ids"},
      {{"explain", "state_"}, 2, "begins several ids"},
      {{"export", "run-z"}, 3, "run-z"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.arguments));
    const auto got = Topodb(c.arguments);
    EXPECT_EQ(got.exit_code, c.exit_code) << got.err;
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_THAT(got.err, HasSubstr(c.says));
  }
}

TEST_F(QueryTest, ShowFindsAnyRecordByTheBeginningOfItsId) {
  struct Case {
    std::vector<std::string> query;
    std::string_view id, says;
  };
  const Case kCases[] = {{{"query", "states"}, "stateId", "title: Page /"},
                         {{"query", "elements"}, "elementId", "accessibleName: Docs"},
                         {{"query", "edges"}, "edgeId", "actionType: click"},
                         {{"query", "skips"}, "skippedActionId", "reason: blocked:destructive"},
                         {{"query", "failures"}, "failedObservationId", "message: "},
                         {{"runs"}, "crawlSessionId", "name: run-b"}};
  for (const auto& c : kCases) {
    const std::string id = Fields(c.query, c.id).front();
    SCOPED_TRACE(id);
    const auto text = Topodb({"show", id.substr(0, id.size() - 16)});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr(c.says));
    const auto json = Topodb({"show", id, "--format", "json"});
    EXPECT_EQ(Member(json.out, c.id), id);
  }
  // The same state is in both runs: the newest one's is shown, or the one asked for.
  const std::string state = Fields({"query", "states"}, "stateId").front();
  EXPECT_EQ(Topodb({"show", state, "--run", "run-a"}).exit_code, 0);
  EXPECT_EQ(Topodb({"show", "run-a"}).exit_code, 0);
}

TEST_F(QueryTest, ExplainNamesWhatARecordRestsOn) {
  const auto states = Fields({"query", "states"}, "stateId");
  EXPECT_THAT(Topodb({"explain", states[0]}).out, HasSubstr("@entry/"));
  const auto apart = Topodb({"explain", states[0], states[1], "--format", "csv"});
  EXPECT_THAT(apart.out, HasSubstr("only in first,heading,Page /\r\n"));
  EXPECT_THAT(apart.out, HasSubstr("only in second,heading,Page /docs\r\n"));
  const auto skip = Fields({"query", "skips"}, "skippedActionId").front();
  EXPECT_THAT(Topodb({"explain", skip}).out, HasSubstr("name says so"));
  const auto element = Fields({"query", "elements"}, "elementId").front();
  EXPECT_THAT(Topodb({"explain", element}).out, HasSubstr("0.95 verified"));
  EXPECT_EQ(Topodb({"explain", states[0], element}).exit_code, 2);
}

}  // namespace
}  // namespace topodb::cli
