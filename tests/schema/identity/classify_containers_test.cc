#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schema/identity/build_identity.h"
#include "schema/identity/classify.h"
#include "tests/schema/identity/mutation_case.h"
#include "tests/support/page_builder.h"

namespace topodb {
namespace {

using classify_testing::Button;
using classify_testing::Case;
using classify_testing::Expect;
using classify_testing::kNone;
using classify_testing::Link;
using classify_testing::NodeSpec;
using classify_testing::Of;
using classify_testing::PageSpec;

TEST(ClassifyTest, LinksAreTheirNameAndTheirDestination) {
  const PageSpec docs = Of({Link("Docs", "/docs"), Link("News", "/news")});
  const Case kCases[] = {
      {"same text, other href",
       docs,
       0,
       Of({Link("Docs", "/ads"), Link("News", "/news")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"same href, other text",
       docs,
       0,
       Of({Link("Manual", "/docs"), Link("News", "/news")}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "label-drift",
       kNone},
      {"a second link to the same place",
       docs,
       0,
       Of({Link("Manual", "/docs"), Link("Docs", "/docs")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, ContainersThatMatterBlock) {
  NodeSpec save = Button("Save", "save");
  save.ancestry = {{"group", "Profile"}, {"main", std::nullopt}};
  const auto under = [&](std::vector<AncestryStep> ancestry, std::string test_id) {
    NodeSpec moved = save;
    moved.test_id = std::move(test_id);
    moved.ancestry = std::move(ancestry);
    return Of({moved});
  };
  const PageSpec with_id = Of({save});
  const PageSpec bare = under(save.ancestry, "");
  const Case kCases[] = {
      {"another group, with an id",
       with_id,
       0,
       under({{"group", "Other"}, {"main", {}}}, "save"),
       {0},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       0},
      {"another group, without",
       bare,
       0,
       under({{"group", "Other"}, {"main", {}}}, ""),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"another landmark, with an id",
       with_id,
       0,
       under({{"group", "Profile"}, {"contentinfo", {}}}, "save"),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"a dialog around it",
       with_id,
       0,
       under({{"group", "Profile"}, {"dialog", "Sure?"}, {"main", {}}}, "save"),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"a landmark where there was none",
       under({}, ""),
       0,
       under({{"navigation", {}}}, ""),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, FramesAndShadowTreesAreScopes) {
  NodeSpec in_frame = Button("Pay");
  in_frame.frame_path = {"checkout"};
  NodeSpec in_shadow = Button("Pay");
  in_shadow.shadow_path = {"pay-box"};
  const PageSpec framed = {.nodes = {in_frame}, .frames = {{"checkout"}}};
  const Case kCases[] = {
      {"same label in another frame",
       Of({Button("Pay")}),
       0,
       framed,
       {0},
       BindingPath::kScope,
       BindingKind::kScopeMismatch,
       "framePath",
       kNone},
      {"both: the recorded frame counts",
       framed,
       0,
       {.nodes = {Button("Pay"), in_frame}, .frames = {{"checkout"}}},
       {0, 1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
      {"the frame is gone",
       framed,
       0,
       Of({Button("Pay")}),
       {0},
       BindingPath::kScope,
       BindingKind::kScopeMismatch,
       "framePath",
       kNone},
      {"same label in another shadow root",
       Of({Button("Pay")}),
       0,
       Of({in_shadow}),
       {0},
       BindingPath::kNoCarrier,
       BindingKind::kIdentityMismatch,
       "",
       kNone},
      {"both: the recorded tree counts",
       Of({in_shadow}),
       0,
       Of({Button("Pay"), in_shadow}),
       {0, 1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, PositionIsWeakAndOnlyAmongTheSameTwins) {
  const PageSpec twins = Of({Button("Edit"), Button("Edit")});
  NodeSpec disabled = Button("Save");
  disabled.enabled = false;
  NodeSpec hidden = Button("Save");
  hidden.visible = false;
  const PageSpec save = Of({Button("Save")});
  const Case kCases[] = {
      {"unchanged twins",
       twins,
       1,
       twins,
       {0, 1},
       BindingPath::kSeveral,
       BindingKind::kPositional,
       "position",
       1},
      {"one twin gone",
       twins,
       1,
       Of({Button("Edit")}),
       {0},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "twins-changed",
       kNone},
      {"a third twin",
       twins,
       1,
       Of({Button("Edit"), Button("Edit"), Button("Edit")}),
       {1},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "twins-changed",
       kNone},
      {"position found, but not by the locator",
       twins,
       1,
       twins,
       {0},
       BindingPath::kElsewhere,
       BindingKind::kIdentityMismatch,
       "moved",
       kNone},
      {"a twin of a once unique target",
       save,
       0,
       Of({Button("Save"), Button("Save")}),
       {0, 1},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "twins-changed",
       kNone},
      {"a disabled twin first",
       save,
       0,
       Of({disabled, Button("Save")}),
       {0, 1},
       BindingPath::kSeveral,
       BindingKind::kIdentityUnverifiable,
       "twins-changed",
       kNone},
      {"a hidden twin first",
       save,
       0,
       Of({hidden, Button("Save")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
  };
  for (const auto& c : kCases) Expect(c);
}

TEST(ClassifyTest, BenignChangesPass) {
  NodeSpec save = Button("Save");
  save.ancestry = {{"group", "Updated 3 minutes ago"}, {"main", std::nullopt}};
  NodeSpec attributed = save;
  attributed.test_id = "added-later";
  NodeSpec later = save;
  later.ancestry[0].name = "Updated 5 minutes ago";
  const PageSpec before = Of({Button("Help"), save, Button("Quit")});
  const Case kCases[] = {
      {"unrelated nodes reordered",
       before,
       1,
       Of({Button("Quit"), Button("Help"), save}),
       {2},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       2},
      {"attribute added",
       before,
       1,
       Of({Button("Help"), attributed, Button("Quit")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
      {"unrelated node added",
       before,
       1,
       Of({Button("Help"), Button("New"), save, Button("Quit")}),
       {2},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       2},
      {"a time in a container's name",
       before,
       1,
       Of({Button("Help"), later, Button("Quit")}),
       {1},
       BindingPath::kSame,
       BindingKind::kVerified,
       "",
       1},
  };
  for (const auto& c : kCases) Expect(c);
}

}  // namespace
}  // namespace topodb
