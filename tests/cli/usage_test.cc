#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

// What every command has in common: usage, databases, errors, pipes.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using UsageTest = CommandTest;

TEST_F(UsageTest, VersionAndHelpGoToStdout) {
  const auto version = Topodb({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("topodb "));
  EXPECT_THAT(version.out, HasSubstr("\nformat "));
  EXPECT_THAT(version.out, HasSubstr("rocksdb "));
  EXPECT_THAT(version.err, IsEmpty());

  const auto help = Topodb({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("runs"));
  const auto command_help = Topodb({"query", "edges", "--help"});
  EXPECT_EQ(command_help.exit_code, 0);
  EXPECT_THAT(command_help.out, HasSubstr("topodb query edges"));
  EXPECT_THAT(command_help.out, HasSubstr("--risk"));
}

TEST_F(UsageTest, WrongUsageIsExitCodeTwo) {
  struct Case {
    std::vector<std::string> arguments;
    std::string_view says;
  };
  const Case kCases[] = {
      {{}, "a command is missing"},
      {{"frobnicate"}, "unexpected 'frobnicate'"},
      {{"runs", "--frobnicate"}, "unexpected '--frobnicate'"},
      {{"query"}, "a command is missing"},
      {{"query", "frobs"}, "unexpected 'frobs'"},
      {{"query", "states", "--risk", "low"}, "unexpected '--risk'"},
      {{"query", "edges", "--run", "a", "--all-runs"}, "excludes"},
      {{"runs", "--format", "xml"}, "'xml' is none of text, json, jsonl, csv"},
      {{"runs", "--format", "junit"}, "'junit' is none of text, json, jsonl, csv"},
      {{"runs", "--color", "red"}, "'red' is none of auto, always, never"},
      {{"show"}, "ID"},
      {{"import"}, "FILE"},
      {{"capture"}, "URL"},
      {{"capture", "gopher://x/"}, "gopher"},
      {{"capture", "http://x/", "--max-time", "soon"}, "'soon' is not a duration"},
      {{"capture", "http://x/", "--viewport", "wide"}, "'wide' is no size"},
      {{"capture", "http://x/", "--allow", "murder"}, "'murder' is no risk category"},
      {{"capture", "http://x/", "--guard", "maybe"}, "'maybe' is no guard mode"},
      {{"capture", "http://x/", "--guard", "off"}, "without a guard"},
      {{"capture", "http://x/", "--date", "today"}, "'today' is no date"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.arguments));
    const auto got = Topodb(c.arguments);
    EXPECT_EQ(got.exit_code, 2);
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_THAT(got.err, StartsWith("topodb: "));
    EXPECT_THAT(got.err, HasSubstr(c.says));
  }
  EXPECT_FALSE(std::filesystem::exists(directory_ / ".topodb"));  // nothing was begun
}

TEST_F(UsageTest, DatabasesThatAreNone) {
  std::filesystem::create_directory(directory_ / "empty");
  std::filesystem::create_directory(directory_ / "other");
  std::ofstream(directory_ / "other/notes.txt") << "not a database";
  std::ofstream(directory_ / "file") << "not a directory";
  for (const std::string name : {"missing", "empty", "other", "file"}) {
    SCOPED_TRACE(name);
    const auto got = Topodb({"runs", "--db", name});
    EXPECT_EQ(got.exit_code, 3);
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_THAT(got.err, HasSubstr("'" + name + "'"));
    EXPECT_THAT(got.err, HasSubstr("--db"));  // what to do
  }
  EXPECT_FALSE(std::filesystem::exists(directory_ / "missing"));
  EXPECT_TRUE(std::filesystem::is_empty(directory_ / "empty"));
}

TEST_F(UsageTest, DatabaseComesFromTheFlagThenTheEnvironmentThenTheDirectory) {
  StoreSmallGraph("here", 1);
  EXPECT_THAT(Topodb({"runs"}).out, HasSubstr("here"));
  std::filesystem::rename(directory_ / ".topodb", directory_ / "moved");
  EXPECT_EQ(Topodb({"runs"}).exit_code, 3);
  EXPECT_THAT(Topodb({"runs", "--db", "moved"}).out, HasSubstr("here"));
  EXPECT_THAT(Shell("TOPODB_DB=moved \"$TOPODB\" runs").out, HasSubstr("here"));
  EXPECT_EQ(Shell("TOPODB_DB=moved \"$TOPODB\" runs --db nowhere").exit_code, 3);
}

TEST_F(UsageTest, ErrorsAsJsonStandOnStderr) {
  for (const auto& [arguments, code] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"runs", "--format", "json"}, "not_found"},
           {{"query", "frobs", "--format=json"}, "invalid_argument"}}) {
    const auto got = Topodb(arguments);
    EXPECT_THAT(got.out, IsEmpty());
    const size_t line = got.err.rfind('\n', got.err.size() - 2) + 1;
    const auto document = boost::json::parse(got.err.substr(line));
    const auto& error = document.at("error").as_object();
    EXPECT_EQ(error.at("code").as_string(), code);
    EXPECT_THAT(got.err, HasSubstr(std::string(error.at("message").as_string())));
    EXPECT_TRUE(error.contains("hint"));
  }
}

TEST_F(UsageTest, AReaderThatGoesAwayEndsItQuietly) {
  // More than a pipe holds, so that writing meets the closed end.
  Store([](GraphSink& sink) -> Status {
    const topodb::Run run = testing::BuildRun("large");
    TOPODB_TRY_VOID(sink.BeginRun(run));
    std::vector<testing::ElementSpec> elements;
    for (int i = 0; i < 2000; ++i) elements.push_back({.name = "Button " + std::to_string(i)});
    TOPODB_TRY_VOID(sink.AddState(testing::BuildState("/", elements)));
    return sink.EndRun(run);
  });
  const auto got = Shell(
      "set -o pipefail; \"$TOPODB\" query elements --format json | head -c 10; "
      "echo \" ${PIPESTATUS[0]}\"");
  EXPECT_EQ(got.out, "[\n{\"elemen 0\n");
  EXPECT_THAT(got.err, IsEmpty());
}

TEST_F(UsageTest, AFullDiskIsAnError) {
  StoreSmallGraph("run", 1);
  const auto got = Shell("\"$TOPODB\" runs > /dev/full");
  EXPECT_EQ(got.exit_code, 3);
  EXPECT_THAT(got.err, HasSubstr("cannot write to standard output: No space left"));
}

TEST_F(UsageTest, ReadingLeavesTheDatabaseAsItWas) {
  StoreSmallGraph("run", 1);
  const std::string list = "find .topodb -printf '%p %s %T@ %m\\n' | sort";
  const std::string before = Shell(list).out;
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"runs"}, {"query", "edges"}, {"show", "run"}, {"export"}, {"explain", "run"}}) {
    EXPECT_EQ(Topodb(arguments).exit_code, 0) << arguments.front();
  }
  EXPECT_EQ(Shell(list).out, before);
}

TEST_F(UsageTest, ARepeatableFlagTakesOneValueAtATime) {
  // The word after the value is the URL, which has no such scheme.
  for (const char* flag : {"--allow", "--allow-origin", "--guard-allow", "--browser-arg"}) {
    SCOPED_TRACE(flag);
    const auto got =
        Topodb({"capture", flag, "navigation", flag, "input_edit", "gopher://x/", "--name", "n"});
    EXPECT_EQ(got.exit_code, 2);
    EXPECT_THAT(got.err, HasSubstr("gopher"));
  }
  const auto replay = Topodb({"replay", "--edge", "a", "--edge", "b", "run", "extra"});
  EXPECT_THAT(replay.err, HasSubstr("unexpected 'extra'"));
}

TEST_F(UsageTest, WithoutABrowserCaptureStoresNothing) {
  const auto got = Topodb({"capture", "http://127.0.0.1:9/", "--browser", "/nonexistent/browser"});
  EXPECT_EQ(got.exit_code, 7);
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("/nonexistent/browser"));
  EXPECT_THAT(Topodb({"runs", "--format", "json"}).out, ::testing::AnyOf(IsEmpty(), "[]\n"));
}

}  // namespace
}  // namespace topodb::cli
