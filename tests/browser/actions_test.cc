#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "tests/support/fixture_server.h"
#include "tests/support/live_site.h"
#include "tests/support/temp_directory.h"

// Every kind of action, on controls that keep an account of what reached them.
namespace topodb::testing {
namespace {

using capture::ActionOutcome;
using capture::ActionReport;
using capture::ActionRequest;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const auto kFixtures = std::filesystem::path(TOPODB_SOURCE_DIR) / "fixtures/actions";

class ActionsTest : public ::testing::Test {
 protected:
  ActionsTest() : pages_(kFixtures) {}

  void SetUp() override {
    const capture::SystemClock now;
    auto drive = capture::Drive::Open(LoopbackDrive(), {.url = pages_.Url("/")}, now);
    ASSERT_TRUE(drive) << drive.error().message;
    drive_ = *std::move(drive);
  }

  // A fresh page, and the only control of that name acted on.
  ActionReport Perform(std::string_view name, const ActionRequest& action) {
    capture::PageDriver& page = drive_->page();
    EXPECT_TRUE(page.Reset());
    EXPECT_TRUE(page.Navigate(pages_.Url("/controls.html")));
    auto seen = page.Snapshot();
    if (!seen) {
      ADD_FAILURE() << seen.error().message;
      return {};
    }
    before_ = *std::move(seen);
    for (const SnapshotNode& node : before_.nodes) {
      if (node.element.accessible_name != name) continue;
      auto report = page.Perform(node.ref, action);
      if (!report) ADD_FAILURE() << report.error().message;
      auto after = page.Snapshot();
      if (after) after_ = *std::move(after);
      return report ? *std::move(report) : ActionReport{};
    }
    ADD_FAILURE() << "no control is called " << name;
    return {};
  }

  FixtureServer pages_;
  std::unique_ptr<capture::Drive> drive_;
  PageSnapshot before_, after_;
};

TEST_F(ActionsTest, EveryKindReachesItsControl) {
  const TempDirectory directory;
  const std::string file = directory.path() / "note.txt";
  std::ofstream(file) << "note";
  struct Case {
    std::string_view control;
    ActionType type;
    std::string value;
    std::string account;  // the page's
  };
  const Case kCases[] = {
      {"Text", ActionType::kFill, "héllo wörld", "text input héllo wörld"},
      {"Empty", ActionType::kFill, "", "empty input"},
      {"Number", ActionType::kFill, "42", "number input 42"},
      {"Password", ActionType::kFill, "hunter2", "password input hunter2"},
      {"Area", ActionType::kFill, "one\ntwo",
       "area input one two; area input one two; area input one two"},
      {"Rich", ActionType::kFill, "after", "rich input after"},
      {"Date", ActionType::kFill, "2024-01-02",
       "date input 2024-01-02 (untrusted); date change 2024-01-02 (untrusted)"},
      {"Color", ActionType::kFill, "#336699",
       "color input #336699 (untrusted); color change #336699 (untrusted)"},
      {"Range", ActionType::kFill, "7", "range input 7 (untrusted); range change 7 (untrusted)"},
      {"One", ActionType::kSelect, "b", "one input b (untrusted); one change b (untrusted)"},
      {"One", ActionType::kSelect, "B", "one input b (untrusted); one change b (untrusted)"},
      {"Many", ActionType::kSelect, "a\nc",
       "many input a,c (untrusted); many change a,c (untrusted)"},
      {"Box", ActionType::kCheck, "", "box input true; box change true"},
      {"Switch", ActionType::kClick, "", "switch click Switch"},
      {"Key", ActionType::kPress, "ArrowDown", "key keydown ArrowDown"},
      {"Key", ActionType::kPress, "Control+a", "key keydown a"},
      {"Menu", ActionType::kHover, "", "menu mouseover"},
      {"File", ActionType::kUpload, file, "file input note.txt; file change note.txt"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.control) + " " + c.value);
    const ActionReport report = Perform(c.control, {.type = c.type, .value = c.value});
    EXPECT_EQ(ActionOutcome::kDispatched, report.outcome)
        << static_cast<int>(report.outcome) << ' ' << report.detail;
    EXPECT_EQ(c.account, after_.title);
  }
}

TEST_F(ActionsTest, WhatAControlDoesNotTakeChangesNothing) {
  struct Case {
    std::string_view control;
    ActionType type;
    std::string value;
    std::string_view detail;
  };
  const Case kCases[] = {
      {"Fixed", ActionType::kFill, "x", "cannot be edited"},
      {"Date", ActionType::kFill, "soon", "no date"},
      {"Color", ActionType::kFill, "red", "no color"},
      {"Range", ActionType::kFill, "much", "no range"},
      {"One", ActionType::kSelect, "c", "no such option"},
      {"One", ActionType::kSelect, "d", "no such option"},
      {"Many", ActionType::kSelect, "a\nd", "no such option"},
      {"Key", ActionType::kFill, "x", "cannot be edited"},
      {"Key", ActionType::kPress, "Any", "no such key"},
      {"Key", ActionType::kUpload, "/", "no such file"},
      {"Thief", ActionType::kFill, "stolen", "the keyboard cannot be given to it"},
      {"Thief", ActionType::kPress, "Enter", "the keyboard cannot be given to it"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.control) + " " + c.value);
    const ActionReport report = Perform(c.control, {.type = c.type, .value = c.value});
    EXPECT_EQ(ActionOutcome::kNotTaken, report.outcome);
    EXPECT_THAT(report.detail, HasSubstr(c.detail));
    EXPECT_EQ("none", after_.title);
  }
}

}  // namespace
}  // namespace topodb::testing
