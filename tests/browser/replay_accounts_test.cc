#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "capture/guard/url.h"
#include "capture/risk/risk_policy.h"
#include "query/replay/replayer.h"
#include "tests/support/accounts_page.h"
#include "tests/support/live_site.h"

// A replay clicks what was recorded or nothing: the page's own log of clicks is the witness.
namespace topodb::testing {
namespace {

using replay::ReplayReport;
using replay::StepReport;
using replay::StepVerdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kPath = "/accounts.html";

// The accounts page, telling the server of every click: its row, if any, and its target.
std::string LoggingPage() {
  return WithChange(ReadFixture("accounts.html"), "  const preferences =",
                    R"js(  document.addEventListener('click', (event) => {
    const row = event.target.closest('tr');
    const where = row ? row.cells[0].textContent + ': ' : '';
    fetch('/log?' + encodeURIComponent(where + event.target.textContent));
  }, true);
  const preferences =)js");
}

class ReplayAccountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Serve(LoggingPage());
    site_.server().HandlePage("/log", "");
    auto run = site_.Capture(ExplorationOf(site_.Url(kPath)));
    ASSERT_TRUE(run) << run.error().message;
    recorded_ = *std::move(run);
    site_.server().ForgetRequests();
  }

  void Serve(const std::string& page) { site_.server().HandlePage(std::string(kPath), page); }

  ReplayReport Replay(const replay::Selection& selection = {}) {
    const capture::SystemClock clock;
    const std::atomic<bool> never = false;
    const std::string url = recorded_.run.entry_url;
    auto drive = capture::Drive::Open(LoopbackDrive(), capture::UrlEntry{.url = url}, clock);
    EXPECT_TRUE(drive) << drive.error().message;
    if (!drive) return {};
    replay::ReplayObserver observer;
    const replay::ReplayOptions options{
        .selection = selection,
        .in_scope = [&](const std::string& address) { return (*drive)->InScope(address); }};
    auto report = replay::Replay((*drive)->page(), site_.reader(), site_.Stored(recorded_).number,
                                 options, capture::RiskPolicy::BuiltIn(), clock, observer, never);
    EXPECT_TRUE(report) << report.error().message;
    return std::move(report).value_or(ReplayReport{});
  }

  // What was clicked, in order.
  std::vector<std::string> Clicks() const {
    std::vector<std::string> clicks;
    for (const HttpRequest& request : site_.requests()) {
      if (request.path == "/log") clicks.push_back(request.query);
    }
    return clicks;
  }

  // Editing that customer.
  replay::Selection EditOf(std::string_view customer) const {
    for (const ActionEdge& edge : recorded_.edges) {
      if (edge.target.name == "Edit" && edge.target.row_key == customer) {
        return {.edges = {edge.id}};
      }
    }
    ADD_FAILURE() << "no edge edits " << customer;
    return {};
  }

  LiveSite site_;
  query::RunGraph recorded_;
};

TEST_F(ReplayAccountsTest, AnUnchangedPageIsReplayedClickByClick) {
  const ReplayReport report = Replay();
  ASSERT_THAT(report.steps, SizeIs(6));
  for (const StepReport& step : report.steps) {
    EXPECT_EQ(StepVerdict::kPassed, step.verdict)
        << step.name << ": " << (step.divergence ? step.divergence->cause.message : step.reason);
  }
  EXPECT_TRUE(report.AllPassed());
  EXPECT_THAT(Clicks(),
              ElementsAre("Summary", "Statements", "Northwind%20Traders%3A%20Edit",
                          "Contoso%20Bakery%3A%20Edit", "Open%20preferences", "Show%20help"));
}

TEST_F(ReplayAccountsTest, RowsAreFoundWhereverTheyStand) {
  Serve(WithChange(LoggingPage(), NorthwindRow() + ContosoRow(), ContosoRow() + NorthwindRow()));
  EXPECT_TRUE(Replay(EditOf("Northwind Traders")).AllPassed());
  EXPECT_TRUE(Replay(EditOf("Contoso Bakery")).AllPassed());
  EXPECT_THAT(Clicks(), ElementsAre("Northwind%20Traders%3A%20Edit", "Contoso%20Bakery%3A%20Edit"));
}

TEST_F(ReplayAccountsTest, AnotherRowThatInheritedTheTestIdIsLeftAlone) {
  const std::string page = WithChange(LoggingPage(), NorthwindRow(), "");
  Serve(WithChange(page, "edit-contoso", "edit-northwind"));
  const ReplayReport report = Replay(EditOf("Northwind Traders"));
  ASSERT_THAT(report.steps, SizeIs(1));
  EXPECT_EQ(StepVerdict::kDiverged, report.steps[0].verdict);
  ASSERT_TRUE(report.steps[0].divergence);
  EXPECT_EQ("identity-mismatch", report.steps[0].divergence->kind);
  EXPECT_EQ(replay::RepairHint::kCaution, report.steps[0].divergence->repair_hint);
  EXPECT_FALSE(report.AllPassed());
  EXPECT_THAT(Clicks(), IsEmpty());
  EXPECT_GE(site_.server().CountRequests("GET", kPath), 1U);
}

}  // namespace
}  // namespace topodb::testing
