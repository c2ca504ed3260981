#include "capture/risk/risk_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/names.h"
#include "tests/capture/risk/risk_builders.h"

namespace topodb::capture {
namespace {

using enum RiskCategory;
using ::testing::HasSubstr;

void ExpectCategory(const Subject& subject, RiskCategory want,
                    ActionType action = ActionType::kClick) {
  const auto verdict = Assess(subject, action);
  EXPECT_EQ(ToString(verdict.category), ToString(want)) << verdict.evidence.front().description;
}

TEST(RiskPolicy, ReadsCommandsInLinkTargets) {
  const struct {
    const char* href;
    RiskCategory want;
  } kCases[] = {
      {"https://a.example/logout", kAuthSensitive},
      {"https://a.example/users/sign_out", kAuthSensitive},
      {"https://a.example/login", kAuthSensitive},
      {"https://a.example/login.php", kAuthSensitive},
      {"https://a.example/delete?id=1", kDestructive},
      {"https://a.example/items/5/delete", kDestructive},
      {"https://a.example/deleteItem.do", kDestructive},
      {"https://a.example/users/bulk-delete", kDestructive},
      {"https://a.example/items/5/%64elete", kDestructive},
      {"https://a.example/index.php?action=delete&id=3", kDestructive},
      {"https://a.example/?do=logout", kAuthSensitive},
      {"https://a.example/?delete=1", kDestructive},
      {"https://a.example/items/3?_method=delete", kDestructive},
      {"https://a.example/checkout", kPaymentSensitive},
      {"https://a.example/app#/items/3/delete", kDestructive},
      {"https://a.example/#logout", kAuthSensitive},
      {"https://a.example/items/5/publish", kDataMutation},
      {"https://a.example/items/5/move", kDataMutation},
      {"https://a.example/items/5/archive", kDataMutation},
      {"https://a.example/?do=archive", kDataMutation},
      {"https://a.example/server/restart/", kDestructive},
      {"https://a.example/help/delete", kDestructive},
      {"/relative/remove/4", kDestructive},
      {"https://a.example/konto/l%C3%B6schen", kDestructive},
      {"javascript:deleteItem(5)", kDestructive},
      {"javascript:document.forms[0].submit()", kFormSubmit},

      {"https://a.example/help/drop-shadow", kNavigation},
      {"https://a.example/help/delete-account", kNavigation},
      {"https://a.example/blog/removing-old-code", kNavigation},
      {"https://a.example/news/why-we-delete-old-code-every-year", kNavigation},
      {"https://a.example/deleted", kNavigation},
      {"https://a.example/payload/viewer", kNavigation},
      {"https://a.example/orders", kNavigation},
      {"https://a.example/order/17", kNavigation},
      {"https://a.example/post/17", kNavigation},
      {"https://a.example/archive", kNavigation},
      {"https://a.example/order-history", kNavigation},
      {"https://a.example/search?q=delete+files", kNavigation},
      {"https://a.example/go?next=/logout", kNavigation},
      {"https://a.example/login-history", kNavigation},
      {"https://a.example/docs#delete-account", kNavigation},
      {"https://delete.example/", kNavigation},
      {"mailto:remove@a.example", kNavigation},
      {"tel:+123", kNavigation},
      {"javascript:void(0)", kUiReveal},
      {"#", kNavigation},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.href);
    ExpectCategory(Link("Go on", c.href), c.want);
  }
}

TEST(RiskPolicy, ReadsHeadlinesOfLinksAsProse) {
  const std::string href = "https://a.example/x";
  ExpectCategory(Link("How to delete your account", href), kNavigation);
  ExpectCategory(Link("Company plans to remove three old factories in the north this year", href),
                 kNavigation);
  ExpectCategory(Link("Delete this workspace and every document that has ever been in it", href),
                 kDestructive);
  ExpectCategory(Link("Delete account", href), kDestructive);
  // A button asks for no explanation, and its text is no headline.
  ExpectCategory(Button("How to delete your account"), kDestructive);
  ExpectCategory(Button("I have read all of the warnings above and want to delete my account"),
                 kDestructive);
}

TEST(RiskPolicy, KnowsEffectiveSubmits) {
  auto bare = Button("Go");
  bare.hints.effective_type = "submit";
  ExpectCategory(bare, kUiReveal);  // outside a form it submits nothing
  bare.hints.in_form = true;
  ExpectCategory(bare, kFormSubmit);
  bare.hints.form_action = "https://a.example/account/delete";
  ExpectCategory(bare, kDestructive);

  auto written = Button("Go");
  written.element.attributes = {{"type", "submit"}};
  ExpectCategory(written, kFormSubmit);

  auto associated = Button("Go");
  associated.hints.effective_type = "submit";
  associated.hints.form_action = "https://a.example/find";
  ExpectCategory(associated, kFormSubmit);

  auto image = Button("Go");
  image.element.tag = "input";
  image.hints.effective_type = "image";
  image.hints.in_form = true;
  ExpectCategory(image, kFormSubmit);

  auto plain = Button("Go");
  plain.hints.in_form = true;
  ExpectCategory(plain, kUiReveal);

  auto reset = Button("Anew");
  reset.hints.effective_type = "reset";
  reset.hints.in_form = true;
  ExpectCategory(reset, kInputEdit);
}

TEST(RiskPolicy, ReadsValuesOfInputButtons) {
  Subject subject;
  subject.element.tag = "input";
  subject.element.attributes = {{"type", "button"}, {"value", "Delete"}};
  subject.hints.effective_type = "button";
  ExpectCategory(subject, kDestructive);
  subject.element.attributes[1].second = "More";
  ExpectCategory(subject, kUiReveal);
}

TEST(RiskPolicy, ReadsRequestAttributes) {
  const struct {
    NameValue attribute;
    RiskCategory want;
  } kCases[] = {
      {{"hx-delete", "/items/1"}, kDestructive},
      {{"data-hx-delete", "/items/1"}, kDestructive},
      {{"hx-post", "/items"}, kDataMutation},
      {{"hx-put", "/items/1"}, kDataMutation},
      {{"hx-get", "/items/1"}, kUiReveal},
      {{"data-method", "delete"}, kDestructive},
      {{"data-method", "DELETE"}, kDestructive},
      {{"data-turbo-method", "post"}, kDataMutation},
      {{"data-method", "get"}, kUiReveal},
      {{"onclick", "removeRow(3)"}, kDestructive},
      {{"onclick", "toggleMenu()"}, kUiReveal},
      {{"wire:click", "delete(3)"}, kDestructive},
      {{"data-confirm", "Really delete?"}, kDestructive},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.attribute.first + "=" + c.attribute.second);
    auto link = Link("Go on", "https://a.example/x");
    link.hints.request_attributes = {c.attribute};
    ExpectCategory(link, c.want);
  }
}

TEST(RiskPolicy, ReadsIconsAndClasses) {
  const struct {
    const char* token;
    RiskCategory want;
  } kCases[] = {
      {"fa-trash", kDestructive},
      {"bi-trash3", kDestructive},
      {"icon-delete", kDestructive},
      {"fa-sign-out-alt", kAuthSensitive},
      {"mdi-logout", kAuthSensitive},
      {"icon-exit", kAuthSensitive},
      {"fa-power-off", kDestructive},
      {"fa-credit-card", kPaymentSensitive},
      {"fa-floppy-disk", kDataMutation},
      {"btn-delete", kDestructive},
      {"js-remove-item", kDestructive},
      {"logoutButton", kAuthSensitive},
      {"fa-chevron-down", kUiReveal},
      {"dropdown-toggle", kUiReveal},
      {"drop-shadow-lg", kUiReveal},
      {"truncate", kUiReveal},
      {"cursor-move", kUiReveal},
      {"order-1", kUiReveal},
      {"empty", kUiReveal},
      {"is-deleted", kUiReveal},
      {"fa-fullscreen-exit", kUiReveal},
      {"payment-card", kUiReveal},
      {"fa-times", kUiReveal},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.token);
    auto button = Button("");
    button.hints.class_tokens = {"btn", c.token};
    ExpectCategory(button, c.want);
  }
  auto material = Button("");
  material.hints.icon_tokens = {"delete_forever"};
  ExpectCategory(material, kDestructive);

  // Beside a label an icon of a thing only decorates it; an icon of a deed still counts.
  auto billing = Link("Billing", "https://a.example/billing");
  billing.hints.icon_tokens = {"credit-card"};
  ExpectCategory(billing, kNavigation);
  billing.hints.icon_tokens = {"trash"};
  ExpectCategory(billing, kDestructive);
}

TEST(RiskPolicy, ReadsEveryTextOfAnElement) {
  const auto with = [](auto change) {
    auto button = Button("Go");
    change(button);
    return button;
  };
  ExpectCategory(with([](Subject& s) { s.element.text = "Delete"; }), kDestructive);
  ExpectCategory(with([](Subject& s) { s.element.label = "Delete"; }), kDestructive);
  ExpectCategory(with([](Subject& s) { s.hints.title = "Deletes the row"; }), kDestructive);
  ExpectCategory(with([](Subject& s) { s.hints.description = "This will delete all"; }),
                 kDestructive);
  ExpectCategory(with([](Subject& s) { s.element.placeholder = "Delete"; }), kDestructive);
  ExpectCategory(with([](Subject& s) {
                   s.element.attributes = {{"data-testid", "delete-user"}};
                 }),
                 kDestructive);
  ExpectCategory(with([](Subject& s) { s.element.attributes = {{"lang", "delete"}}; }), kUiReveal);
}

TEST(RiskPolicy, ReadsTheDialogBehindAnAffirmative) {
  const auto in_dialog = [](const char* label, const char* text) {
    auto button = Button(label);
    button.element.context = {{ContextKind::kDialog, "dialog", "Question", text, std::nullopt}};
    return button;
  };
  ExpectCategory(in_dialog("OK", "Delete this project?"), kDestructive);
  ExpectCategory(in_dialog("Yes", "Do you want to pay now?"), kPaymentSensitive);
  ExpectCategory(in_dialog("确定", "要删除吗？"), kDestructive);
  ExpectCategory(in_dialog("OK", "Saved items are shown here"), kUiReveal);
  ExpectCategory(in_dialog("Cancel", "Delete this project?"), kUiReveal);
  ExpectCategory(in_dialog("Close", "Delete this project?"), kUiReveal);
  ExpectCategory(Button("OK"), kUiReveal);
}

TEST(RiskPolicy, JudgesElementsWithoutWordsByWhatTheyAre) {
  const auto shape = [](const char* tag, const char* role) {
    Subject subject;
    subject.element.tag = tag;
    if (*role != '\0') subject.element.role = role;
    return subject;
  };
  ExpectCategory(Link("Docs", "https://a.example/docs"), kNavigation);
  ExpectCategory(shape("span", "link"), kNavigation);
  ExpectCategory(shape("a", ""), kUiReveal);  // no target: a script decides
  ExpectCategory(shape("button", "button"), kUiReveal);
  ExpectCategory(shape("div", "tab"), kUiReveal);
  ExpectCategory(shape("li", "menuitem"), kUiReveal);
  ExpectCategory(shape("summary", ""), kUiReveal);
  ExpectCategory(shape("input", "textbox"), kInputEdit);
  ExpectCategory(shape("textarea", "textbox"), kInputEdit);
  ExpectCategory(shape("select", "combobox"), kInputEdit);
  ExpectCategory(shape("div", "switch"), kInputEdit);
  ExpectCategory(shape("button", "switch"), kInputEdit);
  ExpectCategory(shape("button", "combobox"), kUiReveal);
  ExpectCategory(shape("label", ""), kInputEdit);
  ExpectCategory(shape("div", ""), kUnknown);
  ExpectCategory(shape("td", "gridcell"), kUnknown);

  auto editable = shape("div", "");
  editable.element.interactability.editable = true;
  ExpectCategory(editable, kInputEdit);
  auto popup = shape("div", "");
  popup.hints.expanded_or_popup = true;
  ExpectCategory(popup, kUiReveal);
  auto download = Link("Report", "https://a.example/report.pdf");
  download.hints.download = true;
  ExpectCategory(download, kReadOnly);
}

TEST(RiskPolicy, JudgesByAction) {
  ExpectCategory(Button("More"), kInputEdit, ActionType::kFill);
  ExpectCategory(Button("Delete"), kUiReveal, ActionType::kHover);
  Subject field;
  field.element.tag = "input";
  field.element.accessible_name = "City";
  ExpectCategory(field, kInputEdit, ActionType::kPress);
  field.hints.in_form = true;
  ExpectCategory(field, kFormSubmit, ActionType::kPress);
  ExpectCategory(field, kInputEdit, ActionType::kFill);
  field.element.accessible_name = "Delete reason";
  ExpectCategory(field, kDestructive, ActionType::kFill);
}

TEST(RiskPolicy, AllowsOnlyWhatItSays) {
  const auto& policy = RiskPolicy::BuiltIn();
  const auto save = Button("Save");
  auto verdict = policy.Assess(save.element, save.hints, ActionType::kClick, {});
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.reason, "blocked:data_mutation");
  verdict = policy.Assess(save.element, save.hints, ActionType::kClick, {kInputEdit});
  EXPECT_FALSE(verdict.allowed);
  verdict = policy.Assess(save.element, save.hints, ActionType::kClick, {kDataMutation});
  EXPECT_TRUE(verdict.allowed);
  EXPECT_EQ(verdict.reason, "allowed:data_mutation");
  EXPECT_EQ(verdict.level, RiskLevel::kHigh);  // allowing does not make it harmless

  Subject field;
  field.element.tag = "input";
  verdict = policy.Assess(field.element, field.hints, ActionType::kFill, {});
  EXPECT_EQ(verdict.level, RiskLevel::kMedium);
  EXPECT_FALSE(verdict.allowed);
}

TEST(RiskPolicy, SaysWhy) {
  auto button = Button("Konto löschen");
  button.hints.effective_type = "submit";
  button.hints.in_form = true;
  button.hints.class_tokens = {"btn-save", "publish"};
  const auto verdict = Assess(button);
  const std::vector<RiskMatch> want = {
      {"löschen", "löschen", "name", "destructive"},
      {"submit", "submit", "type", "form_submit"},
      {"publish", "publish", "class", "data_mutation"},
  };
  EXPECT_EQ(verdict.matches, want);
  ASSERT_EQ(verdict.evidence.size(), 1U);
  EXPECT_EQ(verdict.evidence[0].level, EvidenceLevel::kHeuristic);
  EXPECT_EQ(verdict.evidence[0].source, "risk.policy");
  EXPECT_EQ(verdict.evidence[0].description,
            "destructive: \"löschen\" (destructive: löschen) in name; "
            "\"submit\" (form_submit: submit) in type; "
            "\"publish\" (data_mutation: publish) in class");
}

TEST(RiskPolicyFile, ExtendsTheBuiltInLists) {
  const auto policy = RiskPolicy::FromJson(R"({
    "terms": [{"category": "destructive", "lang": "en", "verb": ["frobnicate"]}],
    "harmless": ["frobnicate demo", "grind @info"],
    "without": ["register"],
    "levels": {"form_submit_get": "medium", "input_edit": "low"}})");
  ASSERT_TRUE(policy) << policy.error().message;
  const auto judge = [&](const Subject& s) {
    return policy->Assess(s.element, s.hints, ActionType::kClick, {});
  };
  EXPECT_EQ(judge(Button("Frobnicate")).category, kDestructive);
  EXPECT_EQ(judge(Button("Frobnicates all")).category, kDestructive);
  EXPECT_EQ(judge(Button("Frobnicate demo")).category, kUiReveal);
  EXPECT_EQ(judge(Button("Register")).category, kUiReveal);
  EXPECT_EQ(judge(Button("Delete")).category, kDestructive);
  auto search = Button("Go");
  search.hints.effective_type = "submit";
  search.hints.in_form = true;
  search.hints.form_method = "get";
  EXPECT_EQ(judge(search).category, kFormSubmit);
  EXPECT_EQ(judge(search).level, RiskLevel::kMedium);
  EXPECT_EQ(Assess(search).level, RiskLevel::kHigh);
  search.hints.form_method = "post";
  EXPECT_EQ(judge(search).level, RiskLevel::kHigh);
  // A low level alone opens only what is harmless by category.
  Subject field;
  field.element.tag = "input";
  EXPECT_FALSE(judge(field).allowed);
  EXPECT_NE(policy->content_hash(), RiskPolicy::BuiltIn().content_hash());
}

TEST(RiskPolicyFile, ReplacesTheBuiltInLists) {
  const auto policy = RiskPolicy::FromJson(
      R"({"extends": "nothing", "terms": [{"category": "data_mutation", "whole": ["zap"]}]})");
  ASSERT_TRUE(policy) << policy.error().message;
  const auto judge = [&](const char* label) {
    const auto s = Button(label);
    return policy->Assess(s.element, s.hints, ActionType::kClick, {}).category;
  };
  EXPECT_EQ(judge("Zap"), kDataMutation);
  EXPECT_EQ(judge("Zap things"), kUiReveal);
  EXPECT_EQ(judge("Delete"), kUiReveal);
}

TEST(RiskPolicyFile, HashSeesContentNotOrder) {
  const auto hash = [](const char* text) { return RiskPolicy::FromJson(text)->content_hash(); };
  const auto& built_in = RiskPolicy::BuiltIn().content_hash();
  EXPECT_EQ(built_in.size(), 32U);
  EXPECT_EQ(hash("{}"), built_in);
  EXPECT_EQ(hash(R"({"terms": [{"category": "destructive", "verb": ["zap", "zip"]}]})"),
            hash(R"({"terms": [{"verb": ["zip", "zap"], "category": "destructive"}]})"));
  EXPECT_NE(hash(R"({"terms": [{"category": "destructive", "verb": ["zap"]}]})"),
            hash(R"({"terms": [{"category": "destructive", "soft": ["zap"]}]})"));
  EXPECT_NE(hash(R"({"levels": {"input_edit": "high"}})"), built_in);
  EXPECT_NE(hash(R"({"help_paths": ["zap"]})"), built_in);
}

TEST(RiskPolicyFile, NamesWhatIsWrong) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"", "document"},
      {"[]", "document: not an object"},
      {"{\"terms\": 3}", "terms: not a list"},
      {"{\"terms\": [3]}", "terms[0]: not an object"},
      {"{\"terms\": [{\"verb\": [\"a\"]}]}", "terms[0].category: missing"},
      {"{\"terms\": [{\"category\": \"evil\"}]}", "terms[0].category: unknown value \"evil\""},
      {"{\"terms\": [{\"category\": \"unknown\", \"verbs\": []}]}",
       "terms[0].verbs: unknown field"},
      {"{\"terms\": [{\"category\": \"unknown\", \"verb\": [\"a\", 4]}]}",
       "terms[0].verb[1]: not a string"},
      {"{\"terms\": [{\"category\": \"unknown\", \"verb\": [\" - \"]}]}",
       "terms[0].verb[0]: contains no word"},
      {"{\"terms\": [{\"category\": \"unknown\", \"lang\": 4}]}", "terms[0].lang: not a string"},
      {"{\"icons\": {}}", "icons: not a list"},
      {"{\"harmles\": []}", "harmles: unknown field"},
      {"{\"harmless\": \"a\"}", "harmless: not a list of strings"},
      {"{\"levels\": {\"input_edit\": \"huge\"}}", "levels.input_edit: unknown value \"huge\""},
      {"{\"levels\": {\"inputs\": \"low\"}}", "levels.inputs: no such category"},
      {"{\"methods\": {\"PURGE\": \"gone\"}}", "methods.PURGE: unknown value \"gone\""},
      {"{\"extends\": \"default\"}", "extends"},
      {"{\"without\": [\"nosuchword\"]}", "without[0]: no term \"nosuchword\""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto policy = RiskPolicy::FromJson(c.text);
    ASSERT_FALSE(policy);
    EXPECT_EQ(policy.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(policy.error().message, HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace topodb::capture
