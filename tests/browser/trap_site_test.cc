#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/fixture_server.h"
#include "tests/support/run_binary.h"
#include "tests/support/temp_directory.h"

// The built program on a site full of traps: nothing that changes the server arrives there, and
// what is safe is found. `./dev bench traps` does the same a thousand times.
namespace topodb::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::IsEmpty;
using Names = std::set<std::string>;

constexpr int kRuns = 3;
constexpr double kGoal = 0.95;  // of the safe states

const fs::path kSite = fs::path(TOPODB_SOURCE_DIR) / "fixtures/trap_site";

json::value ReadJson(const fs::path& path) { return json::parse(ReadFile(path)); }

// Everything that a word or the guard should have stopped: "POST /go/10".
std::vector<std::string> DestructiveOf(const FixtureServer& server) {
  std::vector<std::string> found;
  for (const HttpRequest& request : server.requests()) {
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (!reads || request.path.starts_with("/go/")) {
      found.push_back(request.method + " " + request.target);
    }
  }
  return found;
}

Names HeadingsOf(const json::value& document) {
  Names headings;
  for (const json::value& state : document.at("states").as_array()) {
    for (const json::value& part : state.at("identityParts").as_array()) {
      if (part.at("kind") == "heading") headings.emplace(part.at("value").as_string());
    }
  }
  return headings;
}

TEST(TrapSiteTest, NothingIsDestroyedAndWhatIsSafeIsFound) {
  const json::value labels = ReadJson(kSite / "safe_states.json");
  for (int run = 0; run < kRuns; ++run) {
    SCOPED_TRACE(run);
    const FixtureServer server(kSite);
    const TempDirectory folder;
    const auto got =
        RunBinary(TOPODB_BINARY,
                  {.arguments = {"capture", server.Url("/"), "--max-depth", "3", "--max-actions",
                                 "300", "--jobs", "2", "--quiet", "--out", "run.json"},
                   .directory = folder.path(),
                   .input = {},
                   .environment = {},
                   .deadline = std::chrono::seconds(120)});
    ASSERT_EQ(0, got.exit_code) << got.err;
    EXPECT_THAT(DestructiveOf(server), IsEmpty());
    const Names headings = HeadingsOf(ReadJson(folder.path() / "run.json"));
    Names missed;
    for (const json::value& name : labels.as_array()) {
      if (!headings.contains(std::string(name.as_string()))) missed.emplace(name.as_string());
    }
    EXPECT_LE(static_cast<double>(missed.size()),
              (1 - kGoal) * static_cast<double>(labels.as_array().size()))
        << ::testing::PrintToString(missed);
  }
}

}  // namespace
}  // namespace topodb::testing
