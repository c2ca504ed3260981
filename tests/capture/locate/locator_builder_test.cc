#include "capture/locate/locator_builder.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/locate/resolve.h"
#include "tests/support/page_builder.h"

namespace topodb::capture {
namespace {

using testing::BuildPage;
using testing::NodeSpec;

constexpr Timestamp kNow{1000};

NodeSpec Button(std::string name, std::string row_key = "") {
  NodeSpec spec;
  spec.name = std::move(name);
  spec.row_key = std::move(row_key);
  return spec;
}

const Locator* Find(const std::vector<Locator>& locators, LocatorStrategy strategy) {
  const auto found = std::find_if(locators.begin(), locators.end(), [&](const Locator& locator) {
    return locator.descriptor.strategy == strategy;
  });
  return found == locators.end() ? nullptr : &*found;
}

TEST(BuildLocatorsTest, OffersEveryFeatureBestFirst) {
  NodeSpec field;
  field.role = "textbox";
  field.tag = "input";
  field.name = "E-mail";
  field.label = "E-mail";
  field.placeholder = "you@example.com";
  field.test_id = "email";
  field.dom_id = "email-field";
  field.control_name = "email";
  const PageSnapshot page = BuildPage({.nodes = {field, Button("Send")}});
  const auto locators = BuildLocators(page, page.nodes[0], kNow);
  struct Want {
    double score;
    const char* expression;
  };
  // CSS by name counts nothing in this page, so it comes last, unverified.
  const Want kWant[] = {
      {0.95, R"(page.getByRole("textbox", { name: "E-mail", exact: true }))"},
      {0.9, R"(page.getByLabel("E-mail", { exact: true }))"},
      {0.88, R"(page.getByTestId("email"))"},
      {0.82, R"(page.getByPlaceholder("you@example.com", { exact: true }))"},
      {0.5, R"(page.locator("#email-field"))"},
      {0.1, R"(page.locator("input[name=\"email\"]"))"},
  };
  ASSERT_EQ(locators.size(), std::size(kWant));
  for (size_t i = 0; i < locators.size(); ++i) {
    SCOPED_TRACE(kWant[i].expression);
    EXPECT_EQ(locators[i].expression, kWant[i].expression);
    EXPECT_DOUBLE_EQ(locators[i].score, kWant[i].score);
    EXPECT_EQ(locators[i].verified, i + 1 < locators.size());
    EXPECT_EQ(locators[i].identity.has_value(), locators[i].verified);
    EXPECT_EQ(locators[i].failure_count, locators[i].verified ? 0U : 1U);
    EXPECT_EQ(locators[i].last_verified_at, kNow);
    EXPECT_FALSE(locators[i].evidence.empty());
  }
}

TEST(BuildLocatorsTest, ADuplicateIsFoundInsideItsRow) {
  const PageSnapshot page =
      BuildPage({.nodes = {Button("Edit", "Acme Co"), Button("Edit", "Beta \"B\" Ltd")}});
  const auto locators = BuildLocators(page, page.nodes[1], kNow);
  const Locator& best = locators.front();
  EXPECT_TRUE(best.verified);
  EXPECT_EQ(best.match_count, 1U);
  EXPECT_EQ(best.expression,
            R"(page.getByRole("row").filter({ has: page.getByText("Beta \"B\" Ltd", )"
            R"({ exact: true }) }).getByRole("button", { name: "Edit", exact: true }))");
  EXPECT_EQ(Resolve(best.descriptor, page), (std::vector<size_t>{1}));
  ASSERT_EQ(best.scopes.size(), 1U);
  EXPECT_EQ(best.scopes[0].text, "Beta \"B\" Ltd");

  const auto plain = std::find_if(locators.begin(), locators.end(), [](const Locator& locator) {
    return locator.descriptor.within.empty();
  });
  ASSERT_NE(plain, locators.end());
  EXPECT_FALSE(plain->verified);
  EXPECT_EQ(plain->match_count, 2U);
  EXPECT_DOUBLE_EQ(plain->score, 0.95 - 0.35);
  EXPECT_EQ(plain->reason, "role and accessible name; matches 2 elements");
}

TEST(BuildLocatorsTest, AContainerThatIsNotUniqueIsNoScope) {
  const auto build = [](uint32_t containers, uint32_t inside) {
    PageSnapshot page = BuildPage({.nodes = {Button("Edit", "Acme"), Button("Edit", "Acme")}});
    page.nodes[0].counts.containers = {containers};
    page.nodes[0].counts.role_in_context = {inside};
    return BuildLocators(page, page.nodes[0], kNow);
  };
  for (const auto& [containers, inside] : {std::pair{2U, 1U}, std::pair{1U, 2U}}) {
    const auto locators = build(containers, inside);
    EXPECT_TRUE(std::all_of(locators.begin(), locators.end(), [](const Locator& locator) {
      return locator.descriptor.within.empty() && !locator.verified;
    }));
  }
  EXPECT_TRUE(build(1, 1).front().verified);
}

TEST(BuildLocatorsTest, PositionIsTheLastResortAndNeverVerified) {
  const PageSnapshot page = BuildPage({.nodes = {Button("Edit"), Button("Edit")}});
  const auto locators = BuildLocators(page, page.nodes[1], kNow);
  const auto positional = std::find_if(locators.begin(), locators.end(), [](const Locator& l) {
    return l.descriptor.nth.has_value();
  });
  ASSERT_NE(positional, locators.end());
  EXPECT_FALSE(positional->verified);
  EXPECT_EQ(positional->expression,
            R"(page.getByRole("button", { name: "Edit", exact: true }).nth(1))");
  EXPECT_TRUE(positional->reason.starts_with("positional"));
  EXPECT_EQ(Resolve(positional->descriptor, page), (std::vector<size_t>{1}));

  NodeSpec with_id = Button("Edit");
  with_id.test_id = "edit-2";
  const PageSnapshot better = BuildPage({.nodes = {Button("Edit"), with_id}});
  for (const auto& locator : BuildLocators(better, better.nodes[1], kNow)) {
    EXPECT_FALSE(locator.descriptor.nth.has_value()) << "something verified was there";
  }
}

TEST(BuildLocatorsTest, DemotedIdsAreNotUsed) {
  NodeSpec spec = Button("Save");
  spec.test_id = "shared";
  spec.dom_id = "radix-:r3:";
  NodeSpec other = Button("Quit");
  other.test_id = "shared";
  const PageSnapshot page = BuildPage({.nodes = {spec, other}});
  const auto locators = BuildLocators(page, page.nodes[0], kNow);
  EXPECT_EQ(Find(locators, LocatorStrategy::kTestId), nullptr);
  EXPECT_EQ(Find(locators, LocatorStrategy::kCss), nullptr);
}

TEST(BuildLocatorsTest, LongTextIsContentNotALabel) {
  NodeSpec spec;
  spec.role = "generic";
  spec.text = std::string(80, 'x');
  const auto find = [](const NodeSpec& of) {
    const PageSnapshot page = BuildPage({.nodes = {of}});
    return Find(BuildLocators(page, page.nodes[0], kNow), LocatorStrategy::kText) != nullptr;
  };
  EXPECT_TRUE(find(spec));
  spec.text += 'x';
  EXPECT_FALSE(find(spec));
}

TEST(BuildLocatorsTest, AHiddenElementIsNotFoundByRole) {
  NodeSpec hidden = Button("Menu");
  hidden.visible = false;
  const PageSnapshot page = BuildPage({.nodes = {hidden, Button("Menu")}});
  const auto locators = BuildLocators(page, page.nodes[0], kNow);
  EXPECT_FALSE(locators.front().verified);
  EXPECT_DOUBLE_EQ(locators.front().score, 0.95 - 0.2) << "its one match is another element";
  EXPECT_FALSE(locators.front().identity.has_value());
}

TEST(BuildLocatorsTest, AnElementWithoutFeaturesKeepsItsTag) {
  NodeSpec bare;
  bare.role = "";
  bare.tag = "my-widget";
  const PageSnapshot page = BuildPage({.nodes = {bare}});
  const auto locators = BuildLocators(page, page.nodes[0], kNow);
  ASSERT_EQ(locators.size(), 1U);
  EXPECT_EQ(locators[0].expression, R"(page.locator("my-widget"))");
  EXPECT_FALSE(locators[0].verified);
}

TEST(ToExpressionTest, SpeaksPlaywright) {
  struct Case {
    LocatorDescriptor descriptor;
    const char* want;
  };
  const LocatorScope dialog{ContextKind::kDialog, "dialog", "Sure?", std::nullopt};
  const Case kCases[] = {
      {{LocatorStrategy::kTestId, "", "data-qa", "go", {}, {}},
       R"(page.locator("[data-qa=\"go\"]"))"},
      {{LocatorStrategy::kAltText, "", "", "Logo", {}, {}},
       R"(page.getByAltText("Logo", { exact: true }))"},
      {{LocatorStrategy::kTitle, "", "", "Close", {}, {}},
       R"(page.getByTitle("Close", { exact: true }))"},
      {{LocatorStrategy::kRole, "button", "", "Yes\n", {dialog}, 2},
       R"(page.getByRole("dialog", { name: "Sure?", exact: true }))"
       R"(.getByRole("button", { name: "Yes\n", exact: true }).nth(2))"},
  };
  for (const auto& c : kCases) EXPECT_EQ(ToExpression(c.descriptor), c.want);
}

}  // namespace
}  // namespace topodb::capture
