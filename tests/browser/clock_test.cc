#include "capture/browser/clock.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/drive.h"
#include "tests/support/fixture_server.h"
#include "tests/support/live_site.h"

namespace topodb::capture {
void PrintTo(ClockMode mode, std::ostream* out) { *out << ToString(mode); }
}  // namespace topodb::capture

// Pages of which each shows one thing that time does. What is there in the end is known by
// construction, and every clock must find it.
namespace topodb::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using capture::ClockMode;
using capture::Millis;
using query::RunGraph;
using Names = std::vector<std::string>;

const auto kFixtures = std::filesystem::path(TOPODB_SOURCE_DIR) / "fixtures/clock";

// The buttons that were found, by name.
Names ButtonsOf(const PageSnapshot& page) {
  Names names;
  for (const SnapshotNode& node : page.nodes) {
    const Element& element = node.element;
    if (element.role == "button") names.push_back(element.accessible_name.value_or(""));
  }
  return names;
}

class ClockTest : public ::testing::Test {
 protected:
  ClockTest() : pages_(kFixtures) {
    pages_.HandleLater("/slow", Millis{900}, [](const HttpRequest&) {
      return HttpResponse{.content_type = "text/plain", .body = "Show the answer"};
    });
    pages_.NeverAnswer("/never");
    pages_.HandleEventStream("/events", Millis{20}, Once("Show the event"));
    pages_.HandleSocket("/once", Millis{20}, Once("Show the message"));
    pages_.HandleSocket("/forever", Millis{10}, [](size_t n) { return std::to_string(n); });
  }

  static Messages Once(std::string message) {
    return [message](size_t n) { return n == 0 ? std::optional(message) : std::nullopt; };
  }

  std::string Url(const std::string& page) const { return pages_.Url('/' + page + ".html"); }

  FixtureServer pages_;
};

// ---- what is there after a load -----------------------------------------------------------------

struct Page {
  std::string file;
  Names buttons;
};

struct Pages {
  std::string of;
  std::vector<Page> pages;
};
void PrintTo(const Pages& pages, std::ostream* out) { *out << pages.of; }

class LoadTest : public ClockTest,
                 public ::testing::WithParamInterface<std::tuple<Pages, ClockMode>> {};

TEST_P(LoadTest, WhatComesLateIsThere) {
  const auto& [pages, clock] = GetParam();
  capture::DriveOptions options = LoopbackDrive();
  options.clock = clock;
  options.guard_allow = {"GET ws" + pages_.Url("/*").substr(4)};
  const capture::SystemClock now;
  const auto drive = capture::Drive::Open(options, {.url = pages_.Url("/")}, now);
  ASSERT_TRUE(drive) << drive.error().message;
  capture::PageDriver& driver = (*drive)->page();
  for (const Page& page : pages.pages) {
    SCOPED_TRACE(page.file);
    ASSERT_TRUE(driver.Reset());
    const auto load = driver.Navigate(Url(page.file));
    ASSERT_TRUE(load) << load.error().message;
    const auto seen = driver.Snapshot();
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_THAT(ButtonsOf(*seen), ElementsAreArray(page.buttons));
    std::cout << page.file << ": " << load->settle.clock << ' ' << load->settle.tier << ' '
              << load->settle.elapsed_ms << " ms\n";
  }
}

const std::vector<Pages> kPages = {
    {"timers",
     {{"timeout_chain", {"Show the end"}},
      {"interval", {"Show beat 1", "Show beat 2", "Show beat 3", "Show beat 4", "Show beat 5"}},
      {"idle", {"Show when idle"}},
      {"late_rendering", {"Show the whole"}},
      {"refresh", {"Show when idle"}}}},
    {"drawing",
     {{"animation_frames", {"Show frame 30"}},
      {"transition", {"Show what came after"}},
      {"web_animation", {"Show what came after"}},
      {"intersection", {"Show what came into view"}},
      {"resize", {"Show the size"}}}},
    {"network",
     {{"slow_fetch", {"Show the answer"}},
      {"long_poll", {"Show beside the poll"}},
      {"event_source", {"Show the event"}},
      {"socket_once", {"Show the message"}},
      {"socket_forever", {"Show prices"}}}},
    {"threads",
     {{"worker", {"Show what the worker found"}},
      {"service_worker", {"Show what the worker answered"}},
      {"database", {"Show the note"}}}},
    {"waits",
     {{"busy_wait", {"Show after the wait"}},
      {"worker_busy_wait", {"Show what the worker waited for"}}}},
};
INSTANTIATE_TEST_SUITE_P(Kinds, LoadTest,
                         ::testing::Combine(::testing::ValuesIn(kPages),
                                            ::testing::Values(ClockMode::kAuto, ClockMode::kReal)),
                         [](const auto& test) {
                           return std::get<0>(test.param).of + "_" +
                                  std::string(ToString(std::get<1>(test.param)));
                         });

// ---- what is there after a click ----------------------------------------------------------------

class ActionTest : public ClockTest, public ::testing::WithParamInterface<ClockMode> {
 protected:
  RunGraph Run(capture::CaptureOptions options) {
    options.drive.clock = GetParam();
    auto run = site_.Capture(options);
    EXPECT_TRUE(run) << run.error().message;
    return run ? *std::move(run) : RunGraph();
  }

  LiveSite site_;
};

TEST_P(ActionTest, EffectsThatComeLateAreSeen) {
  const RunGraph run = Run(ExplorationOf(Url("late_effects")));
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_EQ(ToString(GetParam()), run.run.clock);
  ASSERT_THAT(run.edges, SizeIs(2));
  for (const ActionEdge& edge : run.edges) {
    EXPECT_TRUE(edge.settle.settled);
    EXPECT_EQ(GetParam() == ClockMode::kReal ? "real" : "virtual", edge.settle.clock);
  }
  EXPECT_THAT(run.states, SizeIs(3));
  for (const std::string name : {"Show after 600 ms", "Show after 3 s"}) {
    EXPECT_TRUE(std::ranges::any_of(run.elements, [&](const Element& element) {
      return element.accessible_name == name;
    })) << name;
  }
}

// A page that somebody else wrote has the same elements by either clock.
TEST_P(ActionTest, AnAdminTemplateHasTheSameElements) {
  const FixtureServer pages(std::filesystem::path(TOPODB_SOURCE_DIR) /
                            "tests/web/node_modules/startbootstrap-sb-admin-2");
  auto options = ScanOf(pages.Url("/index.html"));
  options.drive.clock = GetParam();
  const auto run = site_.Capture(options);
  ASSERT_TRUE(run) << run.error().message;
  options.drive.clock = ClockMode::kVirtual;
  const auto by_virtual_clock = site_.Capture(options);
  ASSERT_TRUE(by_virtual_clock) << by_virtual_clock.error().message;
  std::set<ElementId> these, those;
  for (const Element& element : run->elements) these.insert(element.id);
  for (const Element& element : by_virtual_clock->elements) those.insert(element.id);
  EXPECT_GE(these.size(), 20U);
  EXPECT_EQ(those, these);
}

INSTANTIATE_TEST_SUITE_P(Clocks, ActionTest, ::testing::Values(ClockMode::kAuto, ClockMode::kReal),
                         [](const auto& test) { return std::string(ToString(test.param)); });

// ---- which clock it was -------------------------------------------------------------------------

TEST_F(ClockTest, ARunNamesThePagesThatWereLeftToTheRealClock) {
  LiveSite site;
  const auto run = site.Capture(ScanOf(Url("busy_wait")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ("auto", run->run.clock);
  EXPECT_THAT(run->run.warnings,
              Contains(AllOf(HasSubstr(Url("busy_wait")), HasSubstr("settled by the real clock"))));
}

TEST_F(ClockTest, AScriptWithoutEndFailsInTimeAndIsNamed) {
  pages_.HandlePage("/hangs", "<!doctype html><title>Hangs</title><script>for (;;);</script>");
  LiveSite site;
  auto options = ScanOf(pages_.Url("/hangs"));
  options.drive.timeout = Millis{4'000};
  const auto begin = std::chrono::steady_clock::now();
  const auto run = site.Capture(options);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, Millis{12'000});  // the browser's start too
  ASSERT_FALSE(run);
  EXPECT_EQ(ErrorCode::kTimeout, run.error().code);
  EXPECT_THAT(run.error().message,
              AllOf(HasSubstr(pages_.Url("/hangs")), HasSubstr("does not answer within 4 s"),
                    HasSubstr("its script runs on and on")));
  EXPECT_THAT(run.error().hint, HasSubstr("--timeout"));
}

}  // namespace
}  // namespace topodb::testing
