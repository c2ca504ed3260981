#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/explore/judgement.h"
#include "query/check.h"
#include "query/diff.h"
#include "tests/support/live_site.h"

// What a capture of an ordinary page must hold, from the browser to the database.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class AccountsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    site_ = std::make_unique<LiveSite>();
    site_->server().HandlePage("/accounts.html", ReadFixture("accounts.html"));
    auto run = site_->Capture(ExplorationOf(site_->Url("/accounts.html")));
    ASSERT_TRUE(run) << run.error().message;
    explored_ = *std::move(run);
  }
  static void TearDownTestSuite() {
    explored_.reset();
    site_.reset();
  }

  void SetUp() override { ASSERT_TRUE(explored_); }

  static const RunGraph& explored() { return *explored_; }
  static const State& entry() { return explored().states.front(); }
  static const Element& InEntry(std::string_view role, std::string_view name) {
    const Element* found = TheElement(explored(), entry().id, role, name);
    EXPECT_NE(nullptr, found) << role << ' ' << name;
    static const Element kNone;
    return found == nullptr ? kNone : *found;
  }
  // The state that clicking this entry button opens.
  static const State* Behind(std::string_view button) {
    const ActionEdge* edge = EdgeOf(explored(), InEntry("button", button));
    return edge == nullptr ? nullptr : FindState(explored(), edge->to_state_id.value_or(StateId{}));
  }
  static RunGraph Captured(const capture::CaptureOptions& options) {
    auto run = site_->Capture(options);
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run).value_or(RunGraph{});
  }

  static std::unique_ptr<LiveSite> site_;
  static std::optional<RunGraph> explored_;
};

std::unique_ptr<LiveSite> AccountsTest::site_;
std::optional<RunGraph> AccountsTest::explored_;

template <class Record>
std::vector<std::string> IdsOf(const std::vector<Record>& records) {
  std::vector<std::string> ids;
  for (const Record& record : records) ids.push_back(record.id.ToString());
  return ids;
}

std::vector<query::Difference> DifferencesOf(const LiveSite& site, const RunGraph& before,
                                             const RunGraph& after) {
  const auto diff = site.Diff(before, after, {});
  EXPECT_TRUE(diff) << diff.error().message;
  return diff ? diff->differences : std::vector<query::Difference>(1);
}

TEST_F(AccountsTest, AScanLooksAndTouchesNothing) {
  const RunGraph scan = Captured(ScanOf(site_->Url("/accounts.html")));
  EXPECT_EQ(RunStatus::kComplete, scan.run.status);
  ASSERT_THAT(scan.states, SizeIs(1));
  EXPECT_THAT(scan.edges, IsEmpty());
  EXPECT_THAT(scan.skips, IsEmpty());
  EXPECT_THAT(scan.failures, IsEmpty());
  EXPECT_THAT(scan.elements, SizeIs(10));
  EXPECT_EQ(nullptr, TheElement(scan, scan.states[0].id, "button", "Delete ledger"));
  EXPECT_NE(nullptr, TheElement(scan, scan.states[0].id, "button", "Open preferences"));
  EXPECT_EQ(entry().id, scan.states[0].id);
}

TEST_F(AccountsTest, LowRiskActionsBecomeEdgesFromTheEntry) {
  std::vector<std::string> acted;
  for (const ActionEdge& edge : explored().edges) {
    const Element* element = FindElement(explored(), edge.element_id);
    ASSERT_NE(nullptr, element);
    acted.push_back(element->accessible_name.value_or(""));
    SCOPED_TRACE(acted.back());
    EXPECT_EQ(entry().id, edge.from_state_id);
    EXPECT_EQ(entry().id, element->state_id);
    EXPECT_EQ(RiskLevel::kLow, edge.risk_level);
    ASSERT_TRUE(edge.to_state_id);
    EXPECT_NE(nullptr, FindState(explored(), *edge.to_state_id));
    EXPECT_THAT(edge.effects, Not(IsEmpty()));
    EXPECT_TRUE(edge.settle.settled);
  }
  EXPECT_THAT(
      acted, ElementsAre("Summary", "Statements", "Edit", "Edit", "Open preferences", "Show help"));
}

TEST_F(AccountsTest, EditingEachCustomerLeadsElsewhere) {
  std::set<StateId> places;
  for (const Element* edit : ElementsNamed(explored(), entry().id, "button", "Edit")) {
    const ActionEdge* edge = EdgeOf(explored(), *edit);
    ASSERT_NE(nullptr, edge);
    places.insert(edge->to_state_id.value_or(StateId{}));
  }
  EXPECT_THAT(places, SizeIs(2));
  EXPECT_FALSE(places.contains(entry().id));
}

TEST_F(AccountsTest, SubmittingIsRefused) {
  const Element& find = InEntry("button", "Find");
  const SkippedAction* skip = SkipOf(explored(), find);
  ASSERT_NE(nullptr, skip);
  EXPECT_EQ(RiskCategory::kFormSubmit, skip->risk_category);
  EXPECT_EQ(RiskLevel::kHigh, skip->risk_level);
  EXPECT_EQ("blocked:form_submit", skip->reason);
  EXPECT_EQ(nullptr, EdgeOf(explored(), find));
}

TEST_F(AccountsTest, DeletingIsRefusedWhereItIsSeen) {
  const State* dialog = Behind("Open preferences");
  ASSERT_NE(nullptr, dialog);
  EXPECT_THAT(dialog->modal_stack, ElementsAre("Preferences"));
  const Element* remove = TheElement(explored(), dialog->id, "button", "Delete ledger");
  ASSERT_NE(nullptr, remove);
  std::vector<ElementId> refused;
  for (const SkippedAction& skip : explored().skips) {
    if (skip.risk_category != RiskCategory::kDestructive) continue;
    refused.push_back(skip.element_id);
    EXPECT_EQ(dialog->id, skip.state_id);
    EXPECT_EQ(RiskLevel::kHigh, skip.risk_level);
  }
  EXPECT_THAT(refused, ElementsAre(remove->id));
  EXPECT_EQ(nullptr, EdgeOf(explored(), *remove));
}

TEST_F(AccountsTest, ADisabledButtonFailsAndIsNotRefused) {
  const Element& merge = InEntry("button", "Show merged view");
  EXPECT_FALSE(merge.interactability.enabled);
  const FailedObservation* failure = FailureOf(explored(), merge);
  ASSERT_NE(nullptr, failure);
  EXPECT_EQ(FailureReason::kElementDisabled, failure->reason);
  EXPECT_EQ(entry().id, failure->state_id);
  EXPECT_EQ(nullptr, SkipOf(explored(), merge));
  EXPECT_EQ(nullptr, EdgeOf(explored(), merge));
  EXPECT_THAT(explored().failures, SizeIs(1));
}

TEST_F(AccountsTest, EqualButtonsAreToldApartByTheirRows) {
  const auto edits = ElementsNamed(explored(), entry().id, "button", "Edit");
  ASSERT_THAT(edits, SizeIs(2));
  const std::string customers[] = {"Northwind Traders", "Contoso Bakery"};
  for (size_t i = 0; i < edits.size(); ++i) {
    SCOPED_TRACE(customers[i]);
    const Locator* best = capture::BestLocator(*edits[i]);
    ASSERT_NE(nullptr, best);
    EXPECT_TRUE(best->verified);
    EXPECT_EQ(1U, best->match_count);
    EXPECT_FALSE(best->descriptor.nth);
    EXPECT_EQ(LocatorStrategy::kRole, best->descriptor.strategy);
    ASSERT_THAT(best->descriptor.within, SizeIs(1));
    EXPECT_EQ(ContextKind::kRow, best->descriptor.within[0].kind);
    EXPECT_EQ(customers[i], best->descriptor.within[0].text);
    EXPECT_THAT(edits[i]->context, Contains(AllOf(Field(&ContextAnchor::kind, ContextKind::kRow),
                                                  Field(&ContextAnchor::key, customers[i]))));
  }
}

TEST_F(AccountsTest, ParametersOfControlsAreRead) {
  const Element& customer = InEntry("textbox", "Customer name");
  ASSERT_TRUE(customer.parameter_surface);
  EXPECT_EQ("customer", customer.parameter_surface->name);
  EXPECT_TRUE(customer.parameter_surface->required);
  EXPECT_EQ(40, customer.parameter_surface->max_length);
  EXPECT_EQ("get", customer.parameter_surface->form_method);
  EXPECT_EQ(site_->Url("/find.html"), customer.parameter_surface->form_action);
  EXPECT_EQ("Part of the name", customer.placeholder);
  EXPECT_THAT(customer.context, Contains(AllOf(Field(&ContextAnchor::kind, ContextKind::kForm),
                                               Field(&ContextAnchor::name, "Find accounts"))));

  const Element& plan = InEntry("combobox", "Plan");
  ASSERT_TRUE(plan.parameter_surface);
  EXPECT_FALSE(plan.parameter_surface->required);
  EXPECT_THAT(plan.parameter_surface->options,
              ElementsAre(SelectOption{.label = "All plans", .value = "", .selected = true},
                          SelectOption{.label = "Yearly", .value = "yearly"},
                          SelectOption{.label = "Monthly", .value = "monthly"}));
  EXPECT_EQ("Plan", plan.label);
}

TEST_F(AccountsTest, ADialogKnowsTheEdgeThatOpenedIt) {
  const ActionEdge* open = EdgeOf(explored(), InEntry("button", "Open preferences"));
  ASSERT_NE(nullptr, open);
  const State* dialog = Behind("Open preferences");
  ASSERT_NE(nullptr, dialog);
  EXPECT_EQ(open->id, dialog->opened_by_edge_id);
  EXPECT_FALSE(entry().opened_by_edge_id);
}

TEST_F(AccountsTest, WhatIsStoredIsWhole) {
  const auto report = query::Check(site_->reader());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GE(report->runs, 1U);
  EXPECT_EQ(0U, report->found) << report->violations.front().message;
}

TEST_F(AccountsTest, AnotherCaptureIsTheSame) {
  const RunGraph again = Captured(ExplorationOf(site_->Url("/accounts.html")));
  EXPECT_EQ(IdsOf(explored().states), IdsOf(again.states));
  EXPECT_EQ(IdsOf(explored().elements), IdsOf(again.elements));
  EXPECT_EQ(IdsOf(explored().edges), IdsOf(again.edges));
  EXPECT_THAT(DifferencesOf(*site_, explored(), again), IsEmpty());
}

TEST_F(AccountsTest, TheSameSiteOnAnotherPortIsTheSame) {
  FixtureServer elsewhere;
  elsewhere.HandlePage("/accounts.html", ReadFixture("accounts.html"));
  auto options = ExplorationOf(site_->Url("/accounts.html"));
  options.seed = "accounts";
  const RunGraph here = Captured(options);
  options.input = elsewhere.Url("/accounts.html");
  const RunGraph there = Captured(options);
  EXPECT_NE(here.run.entry_url, there.run.entry_url);
  EXPECT_EQ(here.run.input_fingerprint, there.run.input_fingerprint);
  EXPECT_EQ(IdsOf(here.states), IdsOf(there.states));
  EXPECT_EQ(IdsOf(here.elements), IdsOf(there.elements));
  EXPECT_THAT(DifferencesOf(*site_, here, there), IsEmpty());
}

TEST_F(AccountsTest, WithASeedTheFolderIsNoPartOfIds) {
  site_->server().HandlePage("/moved/accounts.html", ReadFixture("accounts.html"));
  auto options = ScanOf(site_->Url("/accounts.html"));
  options.seed = "accounts";
  const RunGraph here = Captured(options);
  options.input = site_->Url("/moved/accounts.html");
  const RunGraph there = Captured(options);
  EXPECT_EQ(IdsOf(here.states), IdsOf(there.states));
  EXPECT_EQ(IdsOf(here.elements), IdsOf(there.elements));
  EXPECT_THAT(DifferencesOf(*site_, here, there), IsEmpty());
}

TEST_F(AccountsTest, TenCapturesExportTheSameBytes) {
  const std::string first = site_->Export(explored(), query::VolatileFields::kOmit);
  ASSERT_GT(first.size(), 10'000U);
  for (int i = 1; i < 10; ++i) {
    const RunGraph again = Captured(ExplorationOf(site_->Url("/accounts.html")));
    ASSERT_EQ(first, site_->Export(again, query::VolatileFields::kOmit)) << "capture " << i + 1;
  }
}

}  // namespace
}  // namespace topodb::testing
