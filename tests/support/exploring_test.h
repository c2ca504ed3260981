#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/live_site.h"

// What tests share that explore pages which they write themselves.
namespace topodb::testing {

// A document with this title and heading.
inline std::string Page(std::string_view title, std::string_view body) {
  return "<!doctype html><html lang=en><title>" + std::string(title) + "</title><h1>" +
         std::string(title) + "</h1>" + std::string(body) + "</html>";
}
inline std::string Page(std::string_view body) { return Page("Page", body); }

class ExploringTest : public ::testing::Test {
 protected:
  // Explores one page, to the end.
  query::RunGraph Explore(const std::string& html) {
    site_.server().HandlePage("/", html);
    return Run(ExplorationOf(site_.Url("/")));
  }
  query::RunGraph Run(const capture::CaptureOptions& options) {
    auto run = site_.Capture(options);
    EXPECT_TRUE(run) << run.error().message;
    query::RunGraph graph = std::move(run).value_or(query::RunGraph{});
    EXPECT_EQ(RunStatus::kComplete, graph.run.status) << graph.run.status_reason;
    return graph;
  }
  static const Element* InEntry(const query::RunGraph& run, std::string_view role,
                                std::string_view name) {
    return run.states.empty() ? nullptr : TheElement(run, run.states.front().id, role, name);
  }

  LiveSite site_;
};

}  // namespace topodb::testing
