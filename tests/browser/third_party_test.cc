#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/check.h"
#include "query/diff.h"
#include "query/diff_text.h"
#include "query/exchange/import_json.h"
#include "query/exchange/text_source.h"
#include "schema/names.h"
#include "store/graph_writer.h"
#include "tests/support/live_site.h"
#include "tests/support/mem_kv.h"

// Pages that other people wrote, from the packages pinned in tests/web. Without them these tests
// fail: `./dev test` installs them.
namespace topodb::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::filesystem::path Package(std::string_view name) {
  const auto folder = std::filesystem::path(TOPODB_SOURCE_DIR) / "tests/web/node_modules" / name;
  EXPECT_TRUE(std::filesystem::is_directory(folder))
      << folder << " is missing: run ./dev test, which installs the packages of tests/web";
  return folder;
}

std::vector<std::string> UnsafeRequests(const FixtureServer& server) {
  std::vector<std::string> unsafe;
  for (const HttpRequest& request : server.requests()) {
    if (request.method != "GET" && request.method != "HEAD" && request.method != "OPTIONS") {
      unsafe.push_back(request.method + ' ' + request.target);
    }
  }
  return unsafe;
}

std::string Summary(const query::RunGraph& graph) {
  const RunCounts& counts = graph.run.counts;
  return std::to_string(counts.states) + " states, " + std::to_string(counts.elements) +
         " elements, " + std::to_string(counts.edges) + " edges, " +
         std::to_string(counts.skipped_actions) + " skips, " +
         std::to_string(counts.failed_observations) + " failures, " +
         std::to_string(graph.run.protocol_commands) + " commands";
}

TEST(ThirdPartyTest, AdminTemplateIsExploredTheSameWayTwice) {
  const FixtureServer pages(Package("startbootstrap-sb-admin-2"));
  LiveSite site;
  auto options = ExplorationOf(pages.Url("/index.html"));
  options.explore.max_actions = 25;
  const auto first = site.Capture(options);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = site.Capture(options);
  ASSERT_TRUE(second) << second.error().message;
  std::cout << "admin template: " << Summary(*first) << '\n';

  EXPECT_EQ(RunStatus::kComplete, first->run.status);
  EXPECT_GE(first->edges.size(), 8U);
  EXPECT_GE(first->states.size(), 5U);
  for (const ActionEdge& edge : first->edges) EXPECT_EQ(first->states[0].id, edge.from_state_id);
  EXPECT_THAT(UnsafeRequests(pages), IsEmpty());

  const auto report = query::Check(site.reader());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->violations, IsEmpty());

  // The document of the run is strict enough for our own reader, which gives it back unchanged.
  const std::string document = site.Export(*first, query::VolatileFields::kWrite);
  MemKv copy;
  store::GraphWriter writer(copy, store::Durability::kProcess);
  const auto source = query::FromText(document);
  const auto imported = query::ImportJson(
      *source, {.name = {}, .strictness = query::ImportStrictness::kRefuse}, writer);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(first->run.counts, imported->counts);

  const auto diff =
      query::DiffRuns(site.reader(), site.Stored(*first), site.reader(), site.Stored(*second), {});
  ASSERT_TRUE(diff) << diff.error().message;
  for (const query::Difference& difference : diff->differences) {
    ADD_FAILURE() << query::ToString(difference.change) << ' '
                  << query::ToString(difference.section) << ' ' << difference.role << ' '
                  << difference.name << " where " << difference.where;
  }
}

// Frames, dialogs at load, redirects, XHTML, SVG, hundreds of forms: each page ends as a stored
// state or as a failure that says why. In parts, so that they can run side by side.
class SeleniumPagesTest : public ::testing::TestWithParam<size_t> {
 protected:
  static constexpr size_t kParts = 4;

  // Every page of the package, below `folder`, sorted; only this part's.
  static std::vector<std::string> PagesOfPart(const std::filesystem::path& folder) {
    std::vector<std::string> pages;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = file.path().extension();
      if (extension != ".html" && extension != ".xhtml") continue;
      pages.push_back(file.path().lexically_relative(folder).generic_string());
    }
    EXPECT_GE(pages.size(), 190U);
    std::sort(pages.begin(), pages.end());
    std::vector<std::string> part;
    for (size_t i = GetParam(); i < pages.size(); i += kParts) part.push_back(pages[i]);
    return part;
  }
};

TEST_P(SeleniumPagesTest, EveryPageIsScannedOrNamed) {
  const auto folder = Package("selenium-webdriver") / "lib/test/data";
  const FixtureServer pages(folder);
  LiveSite site;
  size_t stored = 0, scanned = 0;
  for (const std::string& page : PagesOfPart(folder)) {
    SCOPED_TRACE(page);
    auto options = ScanOf(pages.Url('/' + page));
    options.drive.timeout = capture::Millis(20'000);
    const auto run = site.Capture(options);
    ++scanned;
    if (!run) {
      EXPECT_THAT(run.error().message, Not(IsEmpty()));
      std::cout << page << ": " << ToString(run.error().code) << ": " << run.error().message
                << '\n';
      continue;
    }
    ++stored;
    EXPECT_EQ(1U, run->states.size());
    EXPECT_THAT(run->edges, IsEmpty());
    for (const FailedObservation& failure : run->failures) {
      std::cout << page << ": " << ToString(failure.reason) << ": " << failure.message << '\n';
    }
  }
  std::cout << "selenium pages: " << stored << " of " << scanned << " stored\n";
  EXPECT_GE(stored, scanned * 95 / 100);
  EXPECT_THAT(UnsafeRequests(pages), IsEmpty());
  const auto report = query::Check(site.reader());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->violations, IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Parts, SeleniumPagesTest, ::testing::Range<size_t>(0, 4));

// ---- two versions of one product ---------------------------------------------------------------

// What a diff says of a page of two packages, as people read it.
std::vector<std::string> ChangesOf(std::string_view before, std::string_view after,
                                   const std::string& path) {
  const FixtureServer pages_before{Package(before)}, pages_after{Package(after)};
  LiveSite site;
  auto options = ScanOf(pages_before.Url(path));
  options.seed = "product";
  const auto was = site.Capture(options);
  options.input = pages_after.Url(path);
  const auto is = site.Capture(options);
  if (!was || !is) return {"no capture"};
  const auto diff = site.Diff(*was, *is, {});
  if (!diff) return {diff.error().message};
  EXPECT_FALSE(was->elements.empty());
  EXPECT_EQ(1U, diff->aligned_states);
  std::vector<std::string> lines;
  for (const query::DiffLine& line : query::DescribeDiff(*diff)) lines.push_back(line.text);
  return lines;
}

TEST(ProductDiffTest, SaysWhatANewVersionChanged) {
  EXPECT_THAT(
      ChangesOf("startbootstrap-sb-admin-2-old", "startbootstrap-sb-admin-2", "/index.html"),
      ElementsAre(R"(~ renamed button "Douglas McGee" (page "SB Admin 2 - Dashboard"): )"
                  R"(accessibleName "Valerie Luna" -> "Douglas McGee")",
                  R"(+ link "Upgrade to Pro!" (page "SB Admin 2 - Dashboard"))"));
}

TEST(ProductDiffTest, SaysNothingWhereNothingChanged) {
  for (const char* path : {"/app/index.html", "/app/todo.html", "/app/commands/actions.html"}) {
    SCOPED_TRACE(path);
    EXPECT_THAT(ChangesOf("kitchensink-old", "kitchensink-new", path), IsEmpty());
  }
}

}  // namespace
}  // namespace topodb::testing
