#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/diff.h"
#include "tests/support/accounts_page.h"
#include "tests/support/live_site.h"

// A diff of two captures says what was edited between them, and nothing else.
namespace topodb::testing {
namespace {

using query::Change;
using query::Difference;
using query::DiffSection;
using query::RunGraph;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kPath = "/accounts.html";

// A difference without ids: 'renamed button "Show help" accessibleName "Show help" > "Help"'.
std::string ToText(const Difference& difference) {
  std::string text(ToString(difference.change));
  text += " " + difference.role + " \"" + difference.name + "\"";
  for (const query::FieldChange& field : difference.fields) {
    text += " " + field.field;
    text += " \"" + field.before.value_or("") + "\" > \"" + field.after.value_or("") + "\"";
  }
  return text;
}

struct Edit {
  std::string_view what;
  std::string from, to;  // in the page's text
  std::vector<std::string> want;
};

const std::vector<Edit>& Edits() {
  static const std::vector<Edit> kEdits = {
      {"renamed button",
       ">Show help<",
       ">Explain this page<",
       {R"(renamed button "Explain this page" accessibleName "Show help" > "Explain this page")"}},
      {"renamed button without a test id",
       ">Find<",
       ">Look up<",
       {R"(removed button "Find")", R"(added button "Look up")"}},
      {"renamed link",
       ">Summary<",
       ">Overview<",
       {R"(renamed link "Overview" accessibleName "Summary" > "Overview")"}},
      {"added button",
       R"(<p id="help")",
       R"(<button type="button">Show totals</button><p id="help")",
       {R"(added button "Show totals")"}},
      {"removed link",
       R"(    <a href="#statements" data-testid="nav-statements">Statements</a>)",
       "",
       {R"(removed link "Statements")"}},
      {"retargeted link",
       R"(href="#statements")",
       R"(href="statements.html")",
       {R"(changed link "Statements" href "#statements" > "statements.html")"}},
      {"enabled button",
       R"(data-testid="merge" disabled)",
       R"(data-testid="merge")",
       {R"(changed button "Show merged view" interactability.enabled "false" > "true")"}},
      {"disabled button",
       R"(data-testid="toggle-help")",
       R"(data-testid="toggle-help" disabled)",
       {R"(changed button "Show help" interactability.enabled "true" > "false")"}},
      {"removed row", ContosoRow(), "", {R"(removed button "Edit")"}},
      {"moved row", NorthwindRow() + ContosoRow(), ContosoRow() + NorthwindRow(), {}},
      {"changed placeholder",
       "Part of the name",
       "Any part",
       {R"(changed textbox "Customer name" placeholder "Part of the name" > "Any part")"}},
      {"removed placeholder",
       R"( placeholder="Part of the name")",
       "",
       {R"(changed textbox "Customer name" placeholder "Part of the name" > "")"}},
      {"changed maxlength",
       R"(maxlength="40")",
       R"(maxlength="60")",
       {R"(changed textbox "Customer name" parameterSurface.maxLength "40" > "60")"}},
      {"no longer required",
       " required ",
       " ",
       {R"(changed textbox "Customer name" parameterSurface.required "true" > "false")"}},
      {"made read-only",
       " required ",
       " required readonly ",
       {R"(changed textbox "Customer name" parameterSurface.readonly "false" > "true")"}},
      {"added pattern",
       " required ",
       R"( required pattern="[A-Z].*" )",
       {R"(changed textbox "Customer name" parameterSurface.pattern "" > "[A-Z].*")"}},
      {"added option",
       R"(<option value="yearly">)",
       R"(<option value="weekly">Weekly</option><option value="yearly">)",
       {R"(changed combobox "Plan" parameterSurface.options )"
        R"("=All plans, yearly=Yearly, monthly=Monthly" > )"
        R"("=All plans, weekly=Weekly, yearly=Yearly, monthly=Monthly")"}},
      {"changed label of a control without an id",
       ">Customer name <",
       ">Client <",
       {R"(renamed textbox "Client" accessibleName "Customer name" > "Client")"}},
      {"control became another",
       R"(<button type="submit">Find</button>)",
       R"(<input type="submit" value="Find">)",
       {R"(changed button "Find" tag "button" > "input" text "Find" > "")"}},
      {"a form that ends later",
       "  </form>\n",
       "",
       {R"(moved button "Show merged view" context "" > "form "Find accounts"")",
        R"(moved button "Open preferences" context "" > "form "Find accounts"")",
        R"(moved button "Show help" context "" > "form "Find accounts"")"}},
      {"another style", "border-collapse: collapse", "border-collapse: separate", {}},
      {"a wrapper", R"(<div class="bar">)", R"(<div></div><div class="bar">)", {}},
  };
  return kEdits;
}

capture::CaptureOptions Seeded(capture::CaptureOptions options) {
  options.seed = "accounts";
  return options;
}

TEST(EditsTest, ADiffNamesTheEditAndNothingElse) {
  LiveSite site;
  const std::string original = ReadFixture("accounts.html");
  site.server().HandlePage(std::string(kPath), original);
  const auto options = Seeded(ScanOf(site.Url(kPath)));
  const auto before = site.Capture(options);
  ASSERT_TRUE(before) << before.error().message;

  const uint32_t seed = std::random_device()();
  std::vector<size_t> order(Edits().size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  for (const size_t number : order) {
    const Edit& edit = Edits()[number];
    SCOPED_TRACE(std::string(edit.what) + ", order of seed " + std::to_string(seed));
    site.server().HandlePage(std::string(kPath), WithChange(original, edit.from, edit.to));
    const auto after = site.Capture(options);
    ASSERT_TRUE(after) << after.error().message;
    const auto diff = site.Diff(*before, *after, {.only = {DiffSection::kElements}});
    ASSERT_TRUE(diff) << diff.error().message;
    EXPECT_EQ(1U, diff->aligned_states);
    std::vector<std::string> found;
    std::ranges::transform(diff->differences, std::back_inserter(found), ToText);
    EXPECT_EQ(edit.want, found);
  }
}

TEST(EditsTest, WhatARunHadNoTimeForIsNotRemoved) {
  LiveSite site;
  site.server().HandlePage(std::string(kPath), ReadFixture("accounts.html"));
  auto options = ExplorationOf(site.Url(kPath));
  const auto whole = site.Capture(options);
  ASSERT_TRUE(whole) << whole.error().message;
  options.explore.max_actions = 2;
  const auto part = site.Capture(options);
  ASSERT_TRUE(part) << part.error().message;
  ASSERT_LT(part->edges.size(), whole->edges.size());

  const auto diff = site.Diff(*whole, *part, {});
  ASSERT_TRUE(diff) << diff.error().message;
  for (const DiffSection section :
       {DiffSection::kStates, DiffSection::kElements, DiffSection::kEdges, DiffSection::kSkips,
        DiffSection::kFailures}) {
    EXPECT_EQ(0U, CountOf(*diff, section, Change::kRemoved)) << ToString(section);
  }
  EXPECT_EQ(whole->edges.size() - part->edges.size(),
            CountOf(*diff, DiffSection::kEdges, Change::kNotObserved));
  EXPECT_FALSE(HasDifferences(*diff));
}

}  // namespace
}  // namespace topodb::testing
