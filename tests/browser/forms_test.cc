#include <algorithm>
#include <atomic>
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
#include "tests/support/live_site.h"

// Forms, explored by somebody who allowed it, and replayed.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kPage = R"html(<!doctype html><html lang=en><title>Order</title>
<h1>Order</h1>
<form action=/found>
<label>Customer <input name=customer></label>
<label>Plan <select name=plan><option value=monthly>Monthly<option value=yearly>Yearly</select></label>
<label>Gift <input type=checkbox name=gift></label>
<label>Password <input type=password name=pass></label>
<label>Fixed <input name=fixed value=kept readonly></label>
<button>Find</button>
</form>
<form method=post action=/placed><button>Place</button></form>
<p id=note role=status></p>
<script>
  document.addEventListener('input', (event) => {
    note.textContent = event.target.name === 'pass' ? 'Typed' : 'Chosen: ' + event.target.name + ' '
        + (event.target.type === 'checkbox' ? event.target.checked : event.target.value);
  });
</script></html>)html";

class FormsTest : public ::testing::Test {
 protected:
  FormsTest() {
    site_.server().HandlePage("/", std::string(kPage));
    site_.server().HandlePage("/found", "<!doctype html><title>Found</title><h1>Found</h1>");
    site_.server().HandlePage("/placed", "<!doctype html><title>Placed</title><h1>Placed</h1>");
  }

  RunGraph Explore(std::vector<RiskCategory> allowed, std::vector<NameValue> values) {
    capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
    options.explore.allowed = std::move(allowed);
    options.explore.values = std::move(values);
    auto run = site_.Capture(options);
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run).value_or(RunGraph{});
  }

  // Of the entry's control with that name; empty when there is no such edge.
  static ActionEdge EdgeOn(const RunGraph& run, std::string_view name) {
    for (const Element& element : run.elements) {
      if (element.accessible_name != name || element.state_id != run.states.front().id) continue;
      const ActionEdge* edge = EdgeOf(run, element);
      return edge == nullptr ? ActionEdge{} : *edge;
    }
    return {};
  }
  static FailedObservation FailureOn(const RunGraph& run, std::string_view name) {
    for (const Element& element : run.elements) {
      if (element.accessible_name != name || element.state_id != run.states.front().id) continue;
      const FailedObservation* failure = FailureOf(run, element);
      return failure == nullptr ? FailedObservation{} : *failure;
    }
    return {};
  }

  LiveSite site_;
};

TEST_F(FormsTest, ControlsAreFilledWhenThatIsAllowed) {
  const RunGraph run =
      Explore({RiskCategory::kInputEdit}, {{"Customer", "acme"}, {"pass", "hunter2-secret"}});
  const ActionEdge fill = EdgeOn(run, "Customer");
  EXPECT_EQ(ActionType::kFill, fill.action_type);
  EXPECT_THAT(fill.action_params, ElementsAre(NameValue("value", "acme")));
  EXPECT_NE(nullptr, FindEffect(fill.effects, EffectType::kFormState));
  const ActionEdge select = EdgeOn(run, "Plan");
  EXPECT_EQ(ActionType::kSelect, select.action_type);
  EXPECT_THAT(select.action_params, ElementsAre(NameValue("value", "yearly")));
  const ActionEdge check = EdgeOn(run, "Gift");
  EXPECT_EQ(ActionType::kCheck, check.action_type);
  EXPECT_THAT(check.action_params, IsEmpty());
  const ActionEdge secret = EdgeOn(run, "Password");
  EXPECT_EQ(ActionType::kFill, secret.action_type);
  EXPECT_THAT(secret.action_params, ElementsAre(NameValue("secret", "true")));
  EXPECT_EQ(FailureReason::kElementDisabled, FailureOn(run, "Fixed").reason);
  EXPECT_THAT(site_.DatabaseBytes(), Not(HasSubstr("hunter2-secret")));
  EXPECT_EQ(0U, site_.server().CountRequests("GET", "/found"));
}

TEST_F(FormsTest, ASecretIsNotInventedAndNothingIsFilledUnasked) {
  EXPECT_EQ(FailureReason::kStatePreconditionMissing,
            FailureOn(Explore({RiskCategory::kInputEdit}, {}), "Password").reason);
  const RunGraph unasked = Explore({}, {});
  EXPECT_THAT(unasked.edges, IsEmpty());
  EXPECT_THAT(unasked.skips, Contains(Field(&SkippedAction::reason, "blocked:input_edit")));
  EXPECT_THAT(unasked.skips, Contains(Field(&SkippedAction::reason, "blocked:form_submit")));
}

TEST_F(FormsTest, AllowedSubmitsReadAndNeverSend) {
  const RunGraph run = Explore({RiskCategory::kFormSubmit, RiskCategory::kPaymentSensitive}, {});
  EXPECT_NE(nullptr, FindEffect(EdgeOn(run, "Find").effects, EffectType::kUrl));
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, FailureOn(run, "Place").reason);
  EXPECT_EQ(0U, site_.server().CountRequests("POST", "/placed"));
}

TEST_F(FormsTest, AReplayEntersTheSame) {
  const RunGraph run = Explore({RiskCategory::kInputEdit}, {{"Customer", "acme"}});
  const capture::SystemClock clock;
  const std::atomic<bool> never = false;
  auto drive = capture::Drive::Open(LoopbackDrive(), {.url = run.run.entry_url}, clock);
  ASSERT_TRUE(drive) << drive.error().message;
  replay::ReplayObserver observer;
  const auto report = replay::Replay((*drive)->page(), site_.reader(), site_.Stored(run).number,
                                     {.allowed = {RiskCategory::kInputEdit}},
                                     capture::RiskPolicy::BuiltIn(), clock, observer, never);
  ASSERT_TRUE(report) << report.error().message;
  std::vector<std::string> passed;
  for (const replay::StepReport& step : report->steps) {
    if (step.verdict == replay::StepVerdict::kPassed) passed.push_back(step.name);
  }
  EXPECT_THAT(passed, UnorderedElementsAre("Customer", "Plan", "Gift"));
}

}  // namespace
}  // namespace topodb::testing
