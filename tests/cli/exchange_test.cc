#include <filesystem>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/files.h"
#include "tests/support/full_graph.h"

namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ExchangeTest = CommandTest;

TEST_F(ExchangeTest, AnExportCanBeImportedAndExportedAgain) {
  StoreSmallGraph("original", 1);
  const auto exported = Topodb({"export", "original"});
  EXPECT_EQ(exported.exit_code, 0);
  EXPECT_EQ(boost::json::parse(exported.out).at("schemaVersion"), "0.2");

  const auto imported = Topodb({"import", "-", "--db", "copy"}, exported.out);
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, ::testing::StartsWith("crawl_"));
  EXPECT_THAT(imported.err, HasSubstr("3 states, 5 elements, 3 edges, 1 skip, 2 failures"));
  EXPECT_EQ(Topodb({"query", "edges", "--db", "copy", "--format", "json"}).out,
            Topodb({"query", "edges", "--format", "json"}).out);

  const auto to_file = Topodb({"export", "-o", "graph.json", "--quiet"});
  EXPECT_EQ(to_file.exit_code, 0);
  EXPECT_THAT(to_file.out, IsEmpty());
  EXPECT_THAT(to_file.err, IsEmpty());
  EXPECT_EQ(Read("graph.json"), exported.out);
  // Once a database; another run's name and id are taken.
  EXPECT_EQ(Topodb({"import", "graph.json"}).exit_code, 2);
  EXPECT_EQ(Topodb({"import", "graph.json", "--as", "second", "--db", "other"}).exit_code, 0);
  EXPECT_THAT(Topodb({"runs", "--db", "other"}).out, HasSubstr("second"));
}

TEST_F(ExchangeTest, LinesNameTheKindOfEachRecord) {
  StoreSmallGraph("run", 1);
  const auto got = Topodb({"export", "--as", "jsonl"});
  EXPECT_THAT(got.out, ::testing::StartsWith("{\"record\":\"run\""));
  EXPECT_THAT(got.out, HasSubstr("\n{\"record\":\"edge\""));
}

// An independent validator (npm ajv) reads the schema and the documents.
TEST_F(ExchangeTest, DocumentsAreOfTheSchema) {
  StoreSmallGraph("small", 1);
  Store([](GraphSink& sink) { return testing::WriteFullGraph(sink, 2); });
  const std::string validate =
      "node '" TOPODB_SOURCE_DIR "/tests/web/validate.mjs' '" TOPODB_SOURCE_DIR
      "/docs/topology-graph.schema.json' ";
  const auto valid = Shell(
      "set -e; \"$TOPODB\" export small -o small.json -q; \"$TOPODB\" export latest -o full.json "
      "-q; "
      "\"$TOPODB\" import --as copy full.json --db copy -q; \"$TOPODB\" export --db copy -o "
      "copy.json "
      "-q; " +
      validate + "small.json full.json copy.json");
  EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;

  for (const std::string change : {"s/\"title\"/\"titel\"/", "s/\"low\"/\"lower\"/",
                                   "s/\"createdAt\":\"/&now /", "s/\"elements\":/\"parts\":/"}) {
    SCOPED_TRACE(change);
    const auto refused =
        Shell("sed '" + change + "' full.json > changed.json; " + validate + "changed.json");
    EXPECT_EQ(refused.exit_code, 1) << refused.err;
    EXPECT_THAT(refused.out, HasSubstr("changed.json: /"));
  }
}

TEST_F(ExchangeTest, AFileThatCannotBeWrittenLeavesNothing) {
  StoreSmallGraph("run", 1);
  const auto got = Topodb({"export", "-o", "no/such/folder/graph.json"});
  EXPECT_EQ(got.exit_code, 3);
  EXPECT_THAT(got.err, HasSubstr("cannot write 'no/such/folder/graph.json'"));
}

TEST_F(ExchangeTest, MalformedImportsAreRefusedAndStoreNothing) {
  struct Case {
    std::string_view name, text;
  };
  const Case kCases[] = {
      {"empty", ""},
      {"no JSON", "hello"},
      {"cut", R"({"schemaVersion": "0.2", "states": [)"},
      {"another shape", R"({"a": 1})"},
      {"an array", "[]"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto got = Topodb({"import", "-"}, std::string(c.text));
    EXPECT_EQ(got.exit_code, 2) << got.err;
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_THAT(got.err, HasSubstr("importing standard input"));
  }
  EXPECT_EQ(Topodb({"runs", "--format", "json"}).out, "[]\n");
  EXPECT_EQ(Topodb({"import", "missing.json"}).exit_code, 3);
}

}  // namespace
}  // namespace topodb::cli
