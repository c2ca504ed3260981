#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/export_playwright.h"
#include "query/script/export_recorder.h"

namespace topodb::script {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// One step on a target of that name, found by `locator`.
Script ScriptOf(Verb verb, const LocatorDescriptor& locator) {
  TargetRecord target;
  target.identity.role = "button";
  target.identity.name = "Go \"now\" </script>\n${x}`";
  target.locators = {locator};
  return {.variables = {},
          .url = "http://127.0.0.1/",
          .scope = EntryScope::kOrigin,
          .steps = {{.verb = verb,
                     .role = target.identity.role,
                     .name = target.identity.name,
                     .value = {.text = "a\nb", .variable = {}},
                     .target = target}}};
}

LocatorDescriptor Css(std::string selector) {
  return {.strategy = LocatorStrategy::kCss, .value = std::move(selector)};
}

std::string Playwright(const Script& script) {
  const auto text = ToPlaywright(script, [](const LocatorDescriptor&) { return "page.X"; });
  return text ? *text : text.error().message;
}

std::string Recorder(const Script& script) {
  const auto text = ToRecorder(script, {});
  return text ? *text : text.error().message;
}

TEST(ExportPath, EveryVerbIsACall) {
  struct Case {
    Verb verb;
    const char* call;
    const char* type;
  };
  for (const Case& test :
       {Case{Verb::kClick, "page.X.click();", "\"click\""},
        Case{Verb::kCheck, "page.X.click();", "\"click\""},
        Case{Verb::kFill, "page.X.fill(\"a\\nb\");", "\"change\""},
        Case{Verb::kSelect, "page.X.selectOption([\"a\", \"b\"]);", "\"change\""},
        Case{Verb::kPress, "page.X.press(\"a\\nb\");", "step 1 presses a key"},
        Case{Verb::kUpload, "page.X.setInputFiles(\"a\\nb\");", ""},
        Case{Verb::kHover, "page.X.hover();", "\"hover\""}}) {
    SCOPED_TRACE(test.call);
    const Script script = ScriptOf(test.verb, Css("#go"));
    EXPECT_THAT(Playwright(script), HasSubstr(test.call));
    EXPECT_THAT(Recorder(script), HasSubstr(test.type));
  }
}

TEST(ExportPath, PageTextStaysInsideItsLiterals) {
  const std::string text = Playwright(ScriptOf(Verb::kWait, Css("#go")));
  EXPECT_THAT(text, HasSubstr("{ name: \"Go \\\"now\\\" </script>\\n${x}`\", exact: true }"));
}

TEST(ExportPath, VariablesComeFromTheEnvironmentOrNotAtAll) {
  Script script = ScriptOf(Verb::kFill, Css("#go"));
  script.variables = {"CODE"};
  script.steps[0].value = {.text = {}, .variable = "CODE"};
  EXPECT_THAT(Playwright(script), HasSubstr("fill(env(\"CODE\"))"));
  EXPECT_THAT(Recorder(script), HasSubstr("the path needs CODE"));
}

TEST(ExportPath, WhatAToolCannotReachIsRefused) {
  Script framed = ScriptOf(Verb::kClick, Css("#go"));
  framed.steps[0].target->identity.scope.frame_path = {"inner"};
  Script bare = ScriptOf(Verb::kClick, Css("#go"));
  bare.steps[0].target.reset();
  Script lost = ScriptOf(Verb::kClick, Css("#go"));
  lost.steps[0].target->locators.clear();
  for (const auto& [script, why] :
       {std::pair(framed, "step 1 is in a frame"), std::pair(bare, "step 1 has no record")}) {
    EXPECT_THAT(Playwright(script), HasSubstr(why));
    EXPECT_THAT(Recorder(script), HasSubstr(why));
  }
  EXPECT_THAT(Playwright(lost), HasSubstr("step 1 has no locator"));
}

// A recording acts on whatever one of its selectors finds: only those that cannot find another.
TEST(ExportPath, ARecordingHoldsOnlySelectorsThatStandAlone) {
  struct Case {
    LocatorDescriptor locator;
    const char* selector;  // nullptr: none
  };
  LocatorDescriptor scoped{.strategy = LocatorStrategy::kRole, .role = "button", .value = "Edit"};
  LocatorDescriptor nth = scoped;
  scoped.within = {{ContextKind::kRow, "row", "Acme", std::nullopt}};
  nth.nth = 1;
  for (const Case& test :
       {Case{{.strategy = LocatorStrategy::kRole, .role = "link", .value = "Home"},
             "aria/Home[role=\\\"link\\\"]"},
        Case{{.strategy = LocatorStrategy::kTestId, .attribute = "data-qa", .value = "x"},
             "[data-qa=\\\"x\\\"]"},
        Case{Css("#go"), "#go"}, Case{scoped, nullptr}, Case{nth, nullptr},
        Case{{.strategy = LocatorStrategy::kText, .value = "Edit"}, nullptr},
        Case{{.strategy = LocatorStrategy::kRole, .role = "link", .value = "a[1]"}, nullptr}}) {
    SCOPED_TRACE(test.locator.value);
    const std::string text = Recorder(ScriptOf(Verb::kClick, test.locator));
    EXPECT_THAT(text, HasSubstr(test.selector ? test.selector : "has no selector of its own"));
  }
}

}  // namespace
}  // namespace topodb::script
