#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/check.h"
#include "query/diff.h"
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

}  // namespace
}  // namespace topodb::testing
