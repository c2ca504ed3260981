#include "schema/identity/build_identity.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/page_builder.h"

namespace topodb {
namespace {

using testing::BuildPage;
using testing::NodeSpec;

NodeSpec Button(std::string name) {
  NodeSpec spec;
  spec.name = std::move(name);
  return spec;
}

TEST(LooksGeneratedTest, TellsIdsMadeOnEveryLoadFromAuthoredOnes) {
  for (const auto* id :
       {":r3:", "radix-:r1a:", "ember1042", "headlessui-menu-7", "input-3f9a1c77e2", "x7f2k9q",
        "t1700000000123", "mui-12", "\xC2\xABr3\xC2\xBB"}) {
    EXPECT_TRUE(LooksGenerated(id)) << id;
  }
  for (const auto* id : {"save", "row-1-del", "order-10423", "step2", "h1", "main-content",
                         "sha256", "utf8", "ng-view", "emberfield", "a1b2"}) {
    EXPECT_FALSE(LooksGenerated(id)) << id;
  }
}

TEST(IsDemotedTest, SharedEmptyAndGeneratedIdsProveNothing) {
  EXPECT_FALSE(IsDemoted({IdKind::kDomId, "", "save", 1}));
  EXPECT_TRUE(IsDemoted({IdKind::kDomId, "", "save", 2}));
  EXPECT_TRUE(IsDemoted({IdKind::kDomId, "", "", 1}));
  EXPECT_TRUE(IsDemoted({IdKind::kDomId, "", "ember12", 1}));
  EXPECT_FALSE(IsDemoted({IdKind::kTestId, "data-testid", "ember12", 1}));
  EXPECT_FALSE(IsDemoted({IdKind::kHref, "", "/u/3f9a1c77e2", 1}));
  EXPECT_TRUE(IsDemoted({IdKind::kHref, "", "/about", 2}));
}

TEST(PathTemplateOfKeyTest, MasksDigitsAndDropsTheQuery) {
  EXPECT_EQ(PathTemplateOfKey("@entry/orders/17"), PathTemplateOfKey("@entry/orders/42?page=2"));
  EXPECT_NE(PathTemplateOfKey("@entry/orders/17"), PathTemplateOfKey("@entry/users/17"));
  EXPECT_NE(PathTemplateOfKey("@entry/#/users"), PathTemplateOfKey("@entry/#/admins"));
  EXPECT_EQ(PathTemplateOfKey("@entry/#/users?sort=a"), PathTemplateOfKey("@entry/#/users?sort=b"));
  EXPECT_NE(PathTemplateOfKey("@entry/"), PathTemplateOfKey("https://other.test/"));
  EXPECT_LE(PathTemplateOfKey("data:text/html," + std::string(5000, 'x')).size(),
            kMaxIdentityString);
  EXPECT_EQ(PathTemplateOfKey(""), "");
}

TEST(BuildTargetIdentityTest, RecordsAUniqueTargetAsVerified) {
  NodeSpec save = Button(" Save\xC2\xA0 all ");
  save.test_id = "save";
  save.dom_id = "ember7";
  save.ancestry = {{"form", "Settings"}, {"main", std::nullopt}};
  const PageSnapshot page = BuildPage({.path = "/orders/17", .nodes = {Button("Other"), save}});
  const TargetIdentity identity = BuildTargetIdentity(page, page.nodes[1]);
  EXPECT_EQ(identity.name, "Save all");
  EXPECT_EQ(identity.role, "button");
  ASSERT_EQ(identity.ids.size(), 1U) << "the generated id is demoted";
  EXPECT_EQ(identity.ids[0].value, "save");
  EXPECT_EQ(identity.ancestry, save.ancestry);
  EXPECT_EQ(identity.scope.origin, "@entry");
  EXPECT_EQ(identity.identity_count, 1U);
  EXPECT_EQ(identity.matched_count, 1U);
  EXPECT_EQ(identity.verification, Verification::kVerified);
  EXPECT_EQ(identity.verification_reason, "");
}

TEST(BuildTargetIdentityTest, SelfCheckNamesWhatARecordCannotProve) {
  NodeSpec in_row = Button("Edit");
  in_row.row_key = "Acme";
  NodeSpec nameless = Button("");
  NodeSpec hidden = Button("Menu");
  hidden.visible = false;
  struct Case {
    const char* what;
    std::vector<NodeSpec> nodes;
    Verification verification;
    const char* reason;
  };
  const Case kCases[] = {
      {"twins at two positions",
       {Button("Edit"), Button("Edit")},
       Verification::kPositional,
       "told from its twins by position alone"},
      {"one row key twice", {in_row, in_row}, Verification::kUnverifiable, "row-key-twice"},
      {"neither id nor name", {nameless}, Verification::kUnverifiable, "no-id-and-no-name"},
      {"a hidden copy", {Button("Menu"), hidden}, Verification::kVerified, ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.what);
    const PageSnapshot page = BuildPage({.nodes = c.nodes});
    const TargetIdentity identity = BuildTargetIdentity(page, page.nodes[0]);
    EXPECT_EQ(identity.verification, c.verification);
    EXPECT_EQ(identity.verification_reason, c.reason);
  }
}

TEST(BuildTargetIdentityTest, DropsASharedTestId) {
  NodeSpec first = Button("Edit");
  first.test_id = "edit";
  NodeSpec second = Button("Delete");
  second.test_id = "edit";
  const PageSnapshot page = BuildPage({.nodes = {first, second}});
  const TargetIdentity identity = BuildTargetIdentity(page, page.nodes[0]);
  EXPECT_TRUE(identity.ids.empty());
  EXPECT_EQ(identity.verification, Verification::kVerified) << "role and name still denote it";
}

TEST(BuildTargetIdentityTest, DigitsThatTellTwinsApartAreNotMasked) {
  const PageSnapshot twins =
      BuildPage({.nodes = {Button("Show record 1041"), Button("Show record 1052")}});
  EXPECT_EQ(BuildTargetIdentity(twins, twins.nodes[0]).masked_hash, 0U);
  const PageSnapshot alone = BuildPage({.nodes = {Button("Inbox (3)"), Button("Drafts (4)")}});
  EXPECT_NE(BuildTargetIdentity(alone, alone.nodes[0]).masked_hash, 0U);
}

TEST(BuildTargetIdentityTest, EveryRecordStaysInItsBounds) {
  const std::string longer(4000, 'n');
  NodeSpec spec = Button("\xC3\xA9" + longer);
  spec.test_id = "t" + longer;
  spec.href = "/" + longer;
  spec.row_key = longer;
  for (int i = 0; i < 12; ++i) spec.ancestry.push_back({"group", longer + std::to_string(i)});
  for (int i = 0; i < 3; ++i) spec.frame_path.push_back(longer + std::to_string(i));
  PageSnapshot page = BuildPage({.nodes = {spec}, .frames = {spec.frame_path}});
  TargetIdentity identity = BuildTargetIdentity(page, page.nodes[0]);
  EXPECT_LE(RecordSize(identity), kMaxIdentityRecord);
  EXPECT_LE(identity.name.size(), kMaxIdentityString);
  EXPECT_LE(identity.row_key->size(), kMaxIdentityString);
  EXPECT_LE(identity.ancestry.size(), kMaxAncestry);
  EXPECT_EQ(identity.verification, Verification::kVerified) << identity.verification_reason;

  page.nodes[0].element.frame_path.assign(40, longer);
  page.frames[1].path = page.nodes[0].element.frame_path;
  identity = BuildTargetIdentity(page, page.nodes[0]);
  EXPECT_LE(RecordSize(identity), kMaxIdentityRecord);
  EXPECT_EQ(identity.verification, Verification::kUnverifiable);
}

TEST(BuildTargetIdentityTest, LongTextsWithOneBeginningStayDifferent) {
  const std::string longer(300, 'x');
  NodeSpec first = Button(longer + "1st");
  NodeSpec second = Button(longer + "2nd");
  const PageSnapshot page = BuildPage({.nodes = {first, second}});
  const TargetIdentity a = BuildTargetIdentity(page, page.nodes[0]);
  const TargetIdentity b = BuildTargetIdentity(page, page.nodes[1]);
  EXPECT_EQ(a.name, b.name);
  EXPECT_NE(a.name_hash, b.name_hash);
  EXPECT_EQ(a.identity_count, 1U);
}

TEST(BuildTargetIdentityTest, ANodeOfAnotherPageIsUnverifiable) {
  const PageSnapshot page = BuildPage({.nodes = {Button("Save")}});
  SnapshotNode stranger = page.nodes[0];
  stranger.ref.generation = 7;
  EXPECT_EQ(BuildTargetIdentity(page, stranger).verification, Verification::kUnverifiable);
}

TEST(BuildLandmarkIdentityTest, MembershipIsEnough) {
  const PageSnapshot page =
      BuildPage({.marks = {{.name = "Orders"}, {.name = "Orders"}, {.role = "main", .name = ""}}});
  const auto heading = BuildLandmarkIdentity(page, page.marks[0]);
  ASSERT_TRUE(heading.has_value());
  EXPECT_EQ(heading->verification, Verification::kVerified);
  EXPECT_EQ(heading->identity_count, 2U);
  EXPECT_FALSE(BuildLandmarkIdentity(page, page.marks[2]).has_value());
}

}  // namespace
}  // namespace topodb
