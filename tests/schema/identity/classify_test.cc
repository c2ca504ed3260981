#include "schema/identity/classify.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schema/identity/build_identity.h"
#include "tests/schema/identity/mutation_case.h"
#include "tests/support/page_builder.h"

namespace topodb {
namespace {

using classify_testing::BuildPage;
using classify_testing::Button;
using classify_testing::Case;
using classify_testing::Expect;
using classify_testing::InRow;
using classify_testing::kNone;
using classify_testing::NodeSpec;
using classify_testing::Of;
using classify_testing::PageSpec;

TEST(ClassifyTest, EveryPathAndItsNegative) {
  const PageSpec save = Of({Button("Save", "save"), Button("Cancel", "cancel")});
  const Case kCases[] = {
      {"4: unchanged", save, 0, save, {0}, BindingPath::kSame, BindingKind::kVerified, "", 0},
      {"2: the locator finds nothing",
       save,
       0,
       Of({Button("Cancel", "cancel")}),
       {},
       BindingPath::kNothingMatched,
       BindingKind::kSelectorMiss,
       "",
       kNone},
      {"3: what it finds is something else",
       save,
       0,
       Of({Button("Erase"), Button("Cancel")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"3c: its id is carried by two",
       save,
       0,
       Of({Button("Save", "save"), Button("Save", "save")}),
       {0},
       BindingPath::kIdCollision,
       BindingKind::kIdentityUnverifiable,
       "id-collision",
       kNone},
      {"5: the target is another node than the one found",
       save,
       0,
       Of({Button("Other"), Button("Save", "save")}),
       {0},
       BindingPath::kElsewhere,
       BindingKind::kIdentityMismatch,
       "moved",
       kNone},
      {"S: another path",
       save,
       0,
       {.path = "/admin", .nodes = save.nodes},
       {0},
       BindingPath::kScope,
       BindingKind::kScopeMismatch,
       "pathTemplate",
       kNone},
      {"S: digits in the path are the template's",
       {.path = "/o/1", .nodes = save.nodes},
       0,
       {.path = "/o/2", .nodes = save.nodes},
       {0},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       0},
      {"S: a dialog is open",
       save,
       0,
       {.nodes = save.nodes, .modal_stack = {"dialog Sure?"}},
       {0},
       BindingPath::kScope,
       BindingKind::kScopeMismatch,
       "topLayer",
       kNone},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, PathZeroAndOneResolveNothing) {
  const PageSnapshot page = BuildPage(Of({Button("Save")}));
  const auto none = Classify(TargetIdentity{}, page, {0}, ActionClass::kRead);
  EXPECT_EQ(none.path, BindingPath::kNoRecord);
  EXPECT_EQ(none.kind, BindingKind::kUnverified);
  EXPECT_FALSE(none.may_act());

  TargetIdentity unverifiable = BuildTargetIdentity(page, page.nodes[0]);
  unverifiable.verification = Verification::kUnverifiable;
  unverifiable.verification_reason = "row-key-twice";
  const auto refused = Classify(unverifiable, page, {0}, ActionClass::kRead);
  EXPECT_EQ(refused.path, BindingPath::kRecordedUnverifiable);
  EXPECT_EQ(refused.kind, BindingKind::kIdentityUnverifiable);
  EXPECT_EQ(refused.cause, "row-key-twice");
  EXPECT_FALSE(refused.may_act());
}

TEST(ClassifyTest, RowsAreToldApartByTheirKey) {
  const PageSpec rows = Of({InRow("Edit", "Acme"), InRow("Edit", "Beta")});
  const PageSpec with_ids =
      Of({InRow("Delete", "Acme", "row-1-del"), InRow("Delete", "Beta", "row-2-del")});
  const Case kCases[] = {
      {"rows swapped",
       rows,
       0,
       Of({InRow("Edit", "Beta"), InRow("Edit", "Acme")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
      {"rows swapped, the locator finds both",
       rows,
       0,
       Of({InRow("Edit", "Beta"), InRow("Edit", "Acme")}),
       {0, 1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
      {"row inserted above",
       rows,
       0,
       Of({InRow("Edit", "New"), InRow("Edit", "Acme"), InRow("Edit", "Beta")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
      {"row gone",
       rows,
       0,
       Of({InRow("Edit", "Beta")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "row-gone",
       kNone},
      {"row removed and its id inherited",
       with_ids,
       0,
       Of({InRow("Delete", "Beta", "row-1-del")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "row-gone",
       kNone},
      {"key twice",
       rows,
       0,
       Of({InRow("Edit", "Acme"), InRow("Edit", "Acme")}),
       {0},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "row-key-twice",
       kNone},
      {"a virtual list recycled the node",
       with_ids,
       0,
       Of({InRow("Delete", "Omega", "row-1-del"), InRow("Delete", "Beta", "row-2-del")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "row-gone",
       kNone},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, RowsWithoutKeysAreToldApartByTheirNames) {
  NodeSpec first = Button("Delete");
  first.dom_id = "row-1-del";
  first.ancestry = {{"row", "Acme Delete"}};
  NodeSpec heir = first;
  heir.ancestry = {{"row", "Beta Delete"}};
  Expect({"the id was inherited",
          Of({first}),
          0,
          Of({heir}),
          {0},
          BindingPath::kNoCarrier,
          BindingKind::kIdentityMismatch,
          "",
          kNone});
}

TEST(ClassifyTest, NamesAreExact) {
  const PageSpec save = Of({Button("Save", "save")});
  const PageSpec bare = Of({Button("Submit")});
  const Case kCases[] = {
      {"renamed",
       save,
       0,
       Of({Button("Store", "save")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"id reused on another control",
       save,
       0,
       Of({Button("Delete", "save"), Button("Save")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"changed case",
       save,
       0,
       Of({Button("SAVE", "save")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"changed white space only",
       save,
       0,
       Of({Button(" Save\n ", "save")}),
       {0},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       0},
      {"a confusable letter",
       save,
       0,
       Of({Button("S\xD0\xB0ve", "save")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"label prefix",
       bare,
       0,
       Of({Button("Submit all")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"without its id",
       save,
       0,
       Of({Button("Save")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
  };
  for (const auto& c : kCases) Expect(c);
}

// The id may have been given to the twin.
TEST(ClassifyTest, ATwinThatAppearedBesideAnIdLeavesNothingToChange) {
  const PageSpec before = Of({Button("Save", "save"), Button("Send", "send")});
  const PageSpec twin = Of({Button("Save"), Button("Save", "save"), Button("Send", "send")});
  const Case kCases[] = {
      {"a mutation",
       before,
       0,
       twin,
       {0, 1},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "new-twin",
       kNone,
       ActionClass::kMutation},
      {"a read",
       before,
       0,
       twin,
       {0, 1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1,
       ActionClass::kRead},
      {"found by the id alone",
       before,
       0,
       twin,
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1,
       ActionClass::kMutation},
      {"twins from the start",
       twin,
       1,
       twin,
       {0, 1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1,
       ActionClass::kMutation},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, DigitDriftNeedsAnIdAndAHarmlessAction) {
  const PageSpec inbox = Of({Button("Inbox (3)", "inbox"), Button("Drafts (1)", "drafts")});
  const PageSpec drifted = Of({Button("Inbox (4)", "inbox"), Button("Drafts (1)", "drafts")});
  const PageSpec records = Of({Button("Show record 1041", "a"), Button("Show record 1052", "b")});
  const PageSpec alone = Of({Button("Show record 1041", "a")});
  const Case kCases[] = {
      {"a read",
       inbox,
       0,
       drifted,
       {0},
       BindingPath::kSame,
       BindingKind::kVerified,
       "label-drift",
       0,
       ActionClass::kRead},
      {"a reveal",
       inbox,
       0,
       drifted,
       {0},
       BindingPath::kSame,
       BindingKind::kVerified,
       "label-drift",
       0,
       ActionClass::kReveal},
      {"a mutation",
       inbox,
       0,
       drifted,
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone,
       ActionClass::kMutation},
      {"no id",
       Of({Button("Inbox (3)")}),
       0,
       Of({Button("Inbox (4)")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone,
       ActionClass::kRead},
      {"a digit twin when recorded",
       records,
       0,
       Of({Button("Show record 1052", "a")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone,
       ActionClass::kRead},
      {"a digit twin now",
       alone,
       0,
       Of({Button("Show record 1052", "a"), Button("Show record 1041", "b")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone,
       ActionClass::kRead},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, RefusalsSayWhatWasSeenAndWhatMayBeMeant) {
  const PageSnapshot before = BuildPage(Of({InRow("Edit", "Acme"), InRow("Edit", "Beta")}));
  const TargetIdentity recorded = BuildTargetIdentity(before, before.nodes[0]);
  const PageSnapshot after = BuildPage(Of({InRow("Edit", "Beta"), InRow("Edit", "Gamma")}));
  const Classification outcome = Classify(recorded, after, {1}, ActionClass::kMutation);
  EXPECT_EQ(outcome.observed, 1U);
  ASSERT_FALSE(outcome.mismatches.empty());
  EXPECT_EQ(outcome.mismatches[0], (Mismatch{"rowKey", "Acme", "Gamma"}));
  EXPECT_EQ(outcome.candidates, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(outcome.match_count, 1U);
  EXPECT_TRUE(outcome.container_present);

  const Classification gone =
      Classify(recorded, BuildPage(Of({Button("Edit")})), {}, ActionClass::kMutation);
  EXPECT_EQ(gone.kind, BindingKind::kSelectorMiss);
  EXPECT_FALSE(gone.container_present);
}

TEST(ClassifyTest, ReportsAreBounded) {
  std::vector<NodeSpec> many(40, Button("Edit"));
  const PageSnapshot page = BuildPage(Of(many));
  const TargetIdentity recorded = BuildTargetIdentity(page, page.nodes[0]);
  const Classification outcome =
      Classify(recorded, BuildPage(Of({many.begin(), many.begin() + 20})), {3}, ActionClass::kRead);
  EXPECT_LE(outcome.candidates.size(), kMaxCandidates);
  EXPECT_EQ(outcome.identity_count, 20U);
}

TEST(ActionClassTest, OnlyReadingAndRevealingAreHarmless) {
  EXPECT_EQ(ActionClassOf(RiskCategory::kNavigation), ActionClass::kRead);
  EXPECT_EQ(ActionClassOf(RiskCategory::kReadOnly), ActionClass::kRead);
  EXPECT_EQ(ActionClassOf(RiskCategory::kUiReveal), ActionClass::kReveal);
  for (const auto category :
       {RiskCategory::kInputEdit, RiskCategory::kFormSubmit, RiskCategory::kDataMutation,
        RiskCategory::kDestructive, RiskCategory::kAuthSensitive, RiskCategory::kPaymentSensitive,
        RiskCategory::kUnknown}) {
    EXPECT_EQ(ActionClassOf(category), ActionClass::kMutation);
  }
}

TEST(ClassifyLandmarkTest, AnyCarrierWillDo) {
  const PageSnapshot before = BuildPage({.marks = {{.name = "Orders"}}});
  const auto recorded = BuildLandmarkIdentity(before, before.marks[0]);
  ASSERT_TRUE(recorded.has_value());
  EXPECT_TRUE(ClassifyLandmark(*recorded, before).found);
  const auto twice = ClassifyLandmark(
      *recorded, BuildPage({.marks = {{.name = "News"}, {.name = "Orders"}, {.name = "Orders"}}}));
  EXPECT_TRUE(twice.found);
  EXPECT_EQ(twice.carriers, 2U);

  const auto renamed = ClassifyLandmark(*recorded, BuildPage({.marks = {{.name = "Order"}}}));
  EXPECT_FALSE(renamed.found);
  ASSERT_FALSE(renamed.mismatches.empty());
  EXPECT_EQ(renamed.mismatches[0], (Mismatch{"name", "Orders", "Order"}));
  EXPECT_FALSE(
      ClassifyLandmark(*recorded, BuildPage({.marks = {{.role = "alert", .name = "Orders"}}}))
          .found);
  EXPECT_FALSE(
      ClassifyLandmark(*recorded,
                       BuildPage({.marks = {{.name = "Orders", .ancestry = {{"dialog", "Help"}}}}}))
          .found);
}

}  // namespace
}  // namespace topodb
