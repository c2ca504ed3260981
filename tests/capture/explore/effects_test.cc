#include "capture/explore/effects.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

SnapshotNode Button(std::string name) {
  SnapshotNode node;
  node.element.tag = "button";
  node.element.role = "button";
  node.element.accessible_name = std::move(name);
  node.element.interactability.visible = node.element.interactability.enabled = true;
  return node;
}

PageSnapshot Page() {
  PageSnapshot page;
  page.url = "http://sim.test/";
  page.url_canonical_key = "@entry/";
  page.dom_hash = page.visible_text_hash = page.form_state_hash = "00";
  page.nodes = {Button("Menu"), Button("Help")};
  return page;
}

std::vector<EffectType> Types(const std::vector<Effect>& effects) {
  std::vector<EffectType> types;
  for (const Effect& effect : effects) types.push_back(effect.type);
  return types;
}

class EffectsTest : public ::testing::Test {
 protected:
  std::vector<Effect> Observe() {
    return ObserveEffects({.before = before_,
                           .after = &after_,
                           .acted = before_.nodes[0].element,
                           .report = report_});
  }
  PageSnapshot before_ = Page(), after_ = Page();
  ActionReport report_;
};

TEST_F(EffectsTest, NothingChanged) { EXPECT_TRUE(Observe().empty()); }

TEST_F(EffectsTest, EachDifferenceIsItsOwnEffect) {
  after_.url = "http://sim.test/next";
  after_.dom_hash = after_.visible_text_hash = after_.form_state_hash = "01";
  after_.nodes.push_back(Button("Close"));
  const auto effects = Observe();
  EXPECT_EQ((std::vector{EffectType::kUrl, EffectType::kDom, EffectType::kVisibleText,
                         EffectType::kInventory, EffectType::kFormState}),
            Types(effects));
  EXPECT_EQ("http://sim.test/", effects[0].before);
  EXPECT_EQ("http://sim.test/next", effects[0].after);
  EXPECT_EQ("Actionable inventory changed after action", effects[3].description);
}

TEST_F(EffectsTest, FocusOnTheActedElementIsNoEffect) {
  after_.focused = 0;
  EXPECT_TRUE(Observe().empty());
  after_.focused = 1;
  const auto effects = Observe();
  ASSERT_EQ((std::vector{EffectType::kFocus}), Types(effects));
  EXPECT_EQ(std::nullopt, effects[0].before);
  EXPECT_EQ("button \"Help\"", effects[0].after);
}

TEST_F(EffectsTest, FocusOfAnotherDocumentIsNoEffect) {
  after_.url = "http://sim.test/next";
  after_.focused = 1;
  EXPECT_EQ((std::vector{EffectType::kUrl}), Types(Observe()));
}

TEST_F(EffectsTest, EventsAreSortedInsideTheirType) {
  report_.events.requests = {{.method = "POST",
                              .url = "http://sim.test/b",
                              .resource_type = "Fetch",
                              .status = std::nullopt,
                              .blocked = true,
                              .blocked_by = "guard"},
                             {.method = "GET",
                              .url = "http://sim.test/a",
                              .resource_type = "Image",
                              .status = 200,
                              .blocked = false,
                              .blocked_by = {}}};
  report_.events.console_errors = {"z", "y"};
  report_.events.storage_touched = {{.area = "cookie", .key = "theme"}};
  report_.events.popups = {"http://sim.test/p"};
  report_.events.downloads = {"http://sim.test/d"};
  report_.events.dialogs = {{.kind = "confirm", .text = "Sure?", .answer = "dismissed"}};
  const auto effects = Observe();
  ASSERT_EQ((std::vector{EffectType::kNetwork, EffectType::kNetwork, EffectType::kDownload,
                         EffectType::kDialog, EffectType::kStorage, EffectType::kPopup,
                         EffectType::kConsole, EffectType::kConsole}),
            Types(effects));
  EXPECT_EQ("http://sim.test/a", effects[0].after);
  EXPECT_EQ(
      (std::vector<NameValue>{
          {"blocked", "false"}, {"method", "GET"}, {"resourceType", "Image"}, {"status", "200"}}),
      effects[0].details);
  EXPECT_EQ((std::vector<NameValue>{{"blocked", "true"},
                                    {"blockedBy", "guard"},
                                    {"method", "POST"},
                                    {"resourceType", "Fetch"}}),
            effects[1].details);
  EXPECT_EQ(
      (std::vector<NameValue>{{"answer", "dismissed"}, {"kind", "confirm"}, {"text", "Sure?"}}),
      effects[3].details);
  EXPECT_EQ((std::vector<NameValue>{{"area", "cookie"}, {"key", "theme"}}), effects[4].details);
  EXPECT_EQ("y", effects[6].description);
}

TEST_F(EffectsTest, ToolScrollingIsNotTheAction) {
  report_.scrolled = true;
  report_.scroll_events.requests = {{.method = "GET",
                                     .url = "http://sim.test/lazy",
                                     .resource_type = "Image",
                                     .status = 200,
                                     .blocked = false,
                                     .blocked_by = {}}};
  EXPECT_TRUE(Observe().empty());
}

TEST_F(EffectsTest, LostPageStillHasItsEvents) {
  report_.events.popups = {"http://sim.test/p"};
  const auto effects = ObserveEffects(
      {.before = before_, .after = nullptr, .acted = before_.nodes[0].element, .report = report_});
  EXPECT_EQ((std::vector{EffectType::kPopup}), Types(effects));
}

}  // namespace
}  // namespace topodb::capture
