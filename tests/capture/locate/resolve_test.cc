#include "capture/locate/resolve.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/page_builder.h"

namespace topodb::capture {
namespace {

using testing::BuildPage;
using testing::NodeSpec;

PageSnapshot Page() {
  NodeSpec email;
  email.role = "textbox";
  email.tag = "input";
  email.name = email.label = "E-mail";
  email.placeholder = "you@example.com";
  email.control_name = "mail";
  email.dom_id = "4th field";
  NodeSpec save;
  save.name = save.text = "Save  all";
  save.test_id = "save";
  NodeSpec hidden = save;
  hidden.test_id = "";
  hidden.visible = false;
  NodeSpec framed = save;
  framed.test_id = "";
  framed.frame_path = {"side"};
  NodeSpec in_row = save;
  in_row.test_id = "";
  in_row.row_key = "Acme";
  PageSnapshot page =
      BuildPage({.nodes = {email, save, hidden, framed, in_row}, .frames = {{"side"}}});
  page.nodes[1].hints.title = "Keep everything";
  page.nodes[1].element.attributes.emplace_back("alt", "Disk");
  return page;
}

TEST(ResolveTest, FindsByEveryStrategyAndRefusesNearMisses) {
  const LocatorScope acme{ContextKind::kRow, "row", std::nullopt, "Acme"};
  const LocatorScope beta{ContextKind::kRow, "row", std::nullopt, "Beta"};
  const LocatorScope list{ContextKind::kListItem, "row", std::nullopt, "Acme"};
  struct Case {
    const char* what;
    LocatorDescriptor descriptor;
    std::vector<size_t> want;
  };
  using S = LocatorStrategy;
  const Case kCases[] = {
      {"role and name, not the hidden one",
       {S::kRole, "button", "", "Save all", {}, {}},
       {1, 3, 4}},
      {"another role", {S::kRole, "link", "", "Save all", {}, {}}, {}},
      {"part of a name", {S::kRole, "button", "", "Save", {}, {}}, {}},
      {"another case", {S::kRole, "button", "", "save all", {}, {}}, {}},
      {"label", {S::kLabel, "", "", " E-mail ", {}, {}}, {0}},
      {"placeholder", {S::kPlaceholder, "", "", "you@example.com", {}, {}}, {0}},
      {"text", {S::kText, "", "", "Save all", {}, {}}, {1, 2, 3, 4}},
      {"alt", {S::kAltText, "", "", "Disk", {}, {}}, {1}},
      {"title", {S::kTitle, "", "", "Keep everything", {}, {}}, {1}},
      {"test id", {S::kTestId, "", "data-testid", "save", {}, {}}, {1}},
      {"test id of another attribute", {S::kTestId, "", "data-qa", "save", {}, {}}, {}},
      {"test ids are exact", {S::kTestId, "", "data-testid", "save ", {}, {}}, {}},
      {"css id", {S::kCss, "", "", "#\\34 th\\ field", {}, {}}, {0}},
      {"css name", {S::kCss, "", "", "input[name=\"mail\"]", {}, {}}, {0}},
      {"css name of another tag", {S::kCss, "", "", "select[name=\"mail\"]", {}, {}}, {}},
      {"css attribute", {S::kCss, "", "", "[data-testid=\"save\"]", {}, {}}, {1}},
      {"tag", {S::kCss, "", "", "input", {}, {}}, {0}},
      {"a selector that locators never use", {S::kCss, "", "", "button:first-child", {}, {}}, {}},
      {"within a row", {S::kRole, "button", "", "Save all", {acme}, {}}, {4}},
      {"within another row", {S::kRole, "button", "", "Save all", {beta}, {}}, {}},
      {"within another kind", {S::kRole, "button", "", "Save all", {list}, {}}, {}},
      {"nth counts per frame", {S::kRole, "button", "", "Save all", {}, 0}, {1, 3}},
      {"nth beyond the last", {S::kRole, "button", "", "Save all", {}, 2}, {}},
  };
  const PageSnapshot page = Page();
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Resolve(c.descriptor, page), c.want);
  }
}

}  // namespace
}  // namespace topodb::capture
