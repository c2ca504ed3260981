#include "capture/explore/judgement.h"

#include <functional>

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

Element Usable() {
  Element element;
  element.tag = "button";
  element.role = "button";
  element.accessible_name = "Details";
  element.interactability = {
      .visible = true, .enabled = true, .editable = false, .receives_events = true, .blocker = {}};
  Locator locator;
  locator.expression = "getByRole('button', { name: 'Details' })";
  locator.score = 0.9;
  locator.verified = true;
  locator.match_count = 1;
  element.locators = {locator};
  return element;
}

RiskVerdict Allowed() {
  return {.level = RiskLevel::kLow,
          .category = RiskCategory::kUiReveal,
          .allowed = true,
          .reason = "allowed:ui_reveal",
          .matches = {},
          .evidence = {}};
}

RiskVerdict Blocked() {
  return {.level = RiskLevel::kHigh,
          .category = RiskCategory::kDestructive,
          .allowed = false,
          .reason = "blocked:destructive",
          .matches = {},
          .evidence = {}};
}

bool OnlySite(const std::string& url) { return url.starts_with("http://sim.test"); }

TEST(JudgeElement, UsableElementIsACandidate) {
  const Judgement judgement = JudgeElement(Usable(), {}, Allowed(), OnlySite, {});
  EXPECT_FALSE(judgement.skipped);
  EXPECT_FALSE(judgement.refusal);
  ASSERT_TRUE(judgement.request);
  EXPECT_EQ(ActionType::kClick, judgement.request->type);
  EXPECT_EQ(0.9, judgement.locator->score);
}

TEST(JudgeElement, ReasonsInOrder) {
  struct Case {
    std::string name;
    std::function<void(Element&, RiskHints&)> spoil;
    FailureReason want;
    std::string message;
  };
  const Case kCases[] = {
      {"disabled", [](Element& e, RiskHints&) { e.interactability.enabled = false; },
       FailureReason::kElementDisabled, "the element is disabled"},
      {"disabled before hidden",
       [](Element& e, RiskHints&) {
         e.interactability.enabled = e.interactability.visible = false;
       },
       FailureReason::kElementDisabled, "the element is disabled"},
      {"hidden", [](Element& e, RiskHints&) { e.interactability.visible = false; },
       FailureReason::kElementHidden, "the element is not visible"},
      {"covered",
       [](Element& e, RiskHints&) {
         e.interactability.receives_events = false;
         e.interactability.blocker = "div#cookie-banner";
       },
       FailureReason::kElementObscured, "the element is covered by div#cookie-banner"},
      {"no pointer events",
       [](Element& e, RiskHints&) { e.interactability.receives_events = false; },
       FailureReason::kElementObscured, "the element receives no pointer events"},
      {"elsewhere", [](Element&, RiskHints& h) { h.href = "https://other.test/"; },
       FailureReason::kOutOfScope, "the link leads out of scope: https://other.test/"},
      {"mail", [](Element&, RiskHints& h) { h.href = "mailto:a@b.test"; },
       FailureReason::kOutOfScope, "the link leads out of scope: mailto:a@b.test"},
      {"duplicate",
       [](Element& e, RiskHints&) {
         e.locators[0].verified = false;
         e.locators[0].match_count = 3;
       },
       FailureReason::kLocatorNotUnique,
       "no locator finds this element alone: getByRole('button', { name: 'Details' }) matches 3 "
       "elements"},
      {"not found",
       [](Element& e, RiskHints&) {
         e.locators[0].verified = false;
         e.locators[0].match_count = 0;
       },
       FailureReason::kLocatorNotFound, "no locator finds the element"},
      {"no locator", [](Element& e, RiskHints&) { e.locators.clear(); },
       FailureReason::kLocatorNotFound, "no locator finds the element"},
      {"read-only",
       [](Element& e, RiskHints&) {
         e.tag = "input";
         e.parameter_surface.emplace();
         e.parameter_surface->readonly = true;
       },
       FailureReason::kElementDisabled, "the element is read-only"},
      {"nothing to enter",
       [](Element& e, RiskHints&) {
         e.tag = "select";
         e.parameter_surface.emplace();
       },
       FailureReason::kStatePreconditionMissing,
       "there is no value to enter: give one with --values"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    Element element = Usable();
    RiskHints hints;
    c.spoil(element, hints);
    const Judgement judgement = JudgeElement(element, hints, Allowed(), OnlySite, {});
    EXPECT_FALSE(judgement.skipped);
    EXPECT_FALSE(judgement.request);
    ASSERT_TRUE(judgement.refusal);
    EXPECT_EQ(c.want, judgement.refusal->reason);
    EXPECT_EQ(c.message, judgement.refusal->message);

    // The same element, dangerous: a skip and nothing else.
    const Judgement dangerous = JudgeElement(element, hints, Blocked(), OnlySite, {});
    EXPECT_TRUE(dangerous.skipped);
    EXPECT_FALSE(dangerous.refusal);
    EXPECT_FALSE(dangerous.request);
  }
}

TEST(JudgeElement, ScriptsAndPlainLinksOfTheSiteMayBeClicked) {
  for (const std::string href : {"javascript:void(0)", "http://sim.test/docs#top", ""}) {
    SCOPED_TRACE(href);
    RiskHints hints;
    hints.href = href;
    EXPECT_TRUE(JudgeElement(Usable(), hints, Allowed(), OnlySite, {}).request);
  }
  RiskHints elsewhere;
  elsewhere.href = "https://other.test/";
  EXPECT_TRUE(JudgeElement(Usable(), elsewhere, Allowed(), nullptr, {}).request);
}

TEST(BestLocator, TakesTheBestVerifiedOne) {
  Element element = Usable();
  element.locators.push_back(element.locators[0]);
  element.locators.push_back(element.locators[0]);
  element.locators[0].score = 0.99, element.locators[0].verified = false;
  element.locators[2].score = 0.95;
  EXPECT_EQ(&element.locators[2], BestLocator(element));
  element.locators.clear();
  EXPECT_EQ(nullptr, BestLocator(element));
}

}  // namespace
}  // namespace topodb::capture
