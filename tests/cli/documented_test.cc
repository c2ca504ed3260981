#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

// Every command and flag of --help stands in the man page and in the completion.
namespace topodb::cli {
namespace {

using DocumentedTest = CommandTest;

std::string Source(const std::string& path) {
  return testing::ReadFile(std::string(TOPODB_SOURCE_DIR) + "/" + path);
}

std::set<std::string> Matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

// The subcommands that a help text lists.
std::set<std::string> CommandsOf(const std::string& help) {
  const size_t list = help.find("Subcommands:");
  if (list == std::string::npos) return {};
  return Matches(help.substr(list), "\n  ([a-z]+) ");
}

TEST_F(DocumentedTest, ManPageAndCompletionKnowEverything) {
  const std::string manual = std::regex_replace(Source("docs/topodb.1"), std::regex(R"(\\-)"), "-");
  const std::string completion = Source("scripts/completion/topodb.bash");
  const std::set<std::string> in_manual = Matches(manual, "(--[a-z-]+)");
  const std::set<std::string> in_completion = Matches(completion, "(--[a-z-]+)");

  std::vector<std::vector<std::string>> pending = {{}};
  size_t flags = 0;
  while (!pending.empty()) {
    std::vector<std::string> command = pending.back();
    pending.pop_back();
    std::vector<std::string> arguments = command;
    arguments.push_back("--help");
    const std::string help = Topodb(arguments).out;
    SCOPED_TRACE(::testing::PrintToString(command));
    for (const std::string& name : CommandsOf(help)) {
      EXPECT_NE(manual.find(name), std::string::npos) << name;
      EXPECT_NE(completion.find(name), std::string::npos) << name;
      pending.push_back(command);
      pending.back().push_back(name);
    }
    for (const std::string& flag : Matches(help, "\n  (?:-[a-z],)?(--[a-z-]+)")) {
      EXPECT_TRUE(in_manual.contains(flag)) << flag;
      EXPECT_TRUE(in_completion.contains(flag)) << flag;
      ++flags;
    }
  }
  EXPECT_GT(flags, 50U);  // the help texts were understood
}

}  // namespace
}  // namespace topodb::cli
