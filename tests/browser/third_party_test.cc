#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/check.h"
#include "query/diff.h"
#include "schema/names.h"
#include "tests/support/live_site.h"

// Pages that other people wrote, from the packages pinned in tests/web. Without them these tests
// fail: `./dev test` installs them.
namespace topodb::testing {
namespace {

using ::testing::IsEmpty;

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
// state or as a failure that says why.
TEST(ThirdPartyTest, EverySeleniumPageIsScannedOrNamed) {
  const auto folder = Package("selenium-webdriver") / "lib/test/data";
  const FixtureServer pages(folder);
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto extension = file.path().extension();
    if (extension == ".html" || extension == ".xhtml") names.push_back(file.path().filename());
  }
  std::sort(names.begin(), names.end());
  ASSERT_GE(names.size(), 90U);

  LiveSite site;
  size_t stored = 0;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    auto options = ScanOf(pages.Url('/' + name));
    options.drive.timeout = capture::Millis(20'000);
    const auto run = site.Capture(options);
    if (run) {
      ++stored;
      EXPECT_EQ(1U, run->states.size());
      EXPECT_THAT(run->edges, IsEmpty());
    } else {
      std::cout << name << ": " << ToString(run.error().code) << ": " << run.error().message
                << '\n';
      EXPECT_THAT(run.error().message, ::testing::Not(IsEmpty()));
    }
  }
  std::cout << "selenium pages: " << stored << " of " << names.size() << " stored\n";
  EXPECT_GE(stored, names.size() * 95 / 100);
  EXPECT_THAT(UnsafeRequests(pages), IsEmpty());
  const auto report = query::Check(site.reader());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->violations, IsEmpty());
}

}  // namespace
}  // namespace topodb::testing
