#include "query/script/make_script.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/script_text.h"
#include "tests/support/graph_builder.h"

namespace topodb::script {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kGuard = "heading \"Page /end\"";

// Home, where one field is filled and one button clicked; the end has one heading.
class MakeScriptTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const StateBundle home =
        testing::BuildState("/", {{"textbox", "Access code", "input"}, {"button", "Go", "button"}});
    const StateBundle filled = testing::BuildState("/filled");
    const StateBundle end = testing::BuildState("/end");
    RecordedStep fill{.edge = testing::BuildEdge(home, 0, filled.state.id),
                      .element = home.elements[0],
                      .destination = filled.state};
    fill.edge.action_type = ActionType::kFill;
    fill.edge.action_params = {{"value", "1234"}};
    way_ = {.entry_url = "http://shop.test/",
            .scope = EntryScope::kOrigin,
            .steps = {fill,
                      {.edge = testing::BuildEdge(home, 1, end.state.id),
                       .element = home.elements[1],
                       .destination = end.state}},
            .landmarks = end.landmarks};
  }

  // The refusal; of code kInvalidArgument and with something to do.
  Error Refusal(std::string_view guard = kGuard) const {
    const auto made = MakeScript(way_, guard);
    if (made) return {ErrorCode::kInvalidArgument, "not refused", ""};
    EXPECT_EQ(ErrorCode::kInvalidArgument, made.error().code);
    EXPECT_FALSE(made.error().hint.empty()) << made.error().message;
    return made.error();
  }

  ParameterSurface& Surface() {
    if (!way_.steps[0].element.parameter_surface) {
      way_.steps[0].element.parameter_surface.emplace();
    }
    return *way_.steps[0].element.parameter_surface;
  }

  RecordedWay way_;
};

TEST_F(MakeScriptTest, APathBecomesItsStepsAndTheGuard) {
  const auto made = MakeScript(way_, kGuard);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(3U, made->steps.size());
  EXPECT_EQ(Verb::kFill, made->steps[0].verb);
  EXPECT_EQ("1234", made->steps[0].value.text);
  EXPECT_EQ(Verb::kClick, made->steps[1].verb);
  EXPECT_EQ("Go", made->steps[1].name);
  EXPECT_EQ("@entry/end", made->steps[1].target->expected->url_key);
  EXPECT_EQ(way_.steps[1].element.locators[0].descriptor, made->steps[1].target->locators.at(0));
  EXPECT_EQ(Verb::kWait, made->steps[2].verb);
  EXPECT_EQ("Page /end", made->steps[2].name);
  EXPECT_TRUE(CheckGuard(*made));
}

TEST_F(MakeScriptTest, TheGuardIsNamedByIdNameOrLocator) {
  Landmark& landmark = way_.landmarks[0];
  landmark.locator.emplace().expression = "getByRole('heading')";
  const std::string id = landmark.id.ToString();
  const std::vector<std::string> names = {id, id.substr(0, 12), id.substr(5, 8),
                                          std::string(kGuard), "getByRole('heading')"};
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(MakeScript(way_, name));
  }
}

TEST_F(MakeScriptTest, WithoutAGuardTheOnesToChooseFromAreNamed) {
  Landmark useless = way_.landmarks[0];
  useless.identity.name = "Elsewhere";
  useless.identity.verification = Verification::kUnverifiable;
  way_.landmarks.insert(way_.landmarks.begin(), useless);
  for (const char* none : {"", "heading \"Other\"", "mark_ffffffffffff"}) {
    SCOPED_TRACE(none);
    const Error refusal = Refusal(none);
    EXPECT_THAT(refusal.hint, HasSubstr("name one with --guard, best first:\nmark_"));
    EXPECT_THAT(refusal.hint, HasSubstr(kGuard));
    EXPECT_THAT(refusal.hint, Not(HasSubstr("Elsewhere")));
  }
}

TEST_F(MakeScriptTest, AGuardThatProvesNothingIsRefused) {
  way_.landmarks[0].identity.verification = Verification::kUnverifiable;
  way_.landmarks[0].identity.verification_reason = "id-collision";
  EXPECT_THAT(Refusal().message, HasSubstr("proves nothing: id-collision"));
  way_.landmarks[0].identity.verification = Verification::kVerified;
  way_.landmarks[0].identity.name.clear();
  EXPECT_THAT(Refusal().message, HasSubstr("it has no name"));
  way_.landmarks.clear();
  EXPECT_THAT(Refusal().hint, HasSubstr("go to another state"));
}

TEST_F(MakeScriptTest, AGuardThatIsSeveralIsAmbiguous) {
  way_.landmarks.push_back(way_.landmarks[0]);
  const auto made = MakeScript(way_, kGuard);
  ASSERT_FALSE(made);
  EXPECT_EQ(ErrorCode::kAmbiguous, made.error().code);
}

TEST_F(MakeScriptTest, AStepWithoutAVerifiedRecordIsRefused) {
  for (const Verification verification : {Verification::kPositional, Verification::kUnverifiable}) {
    way_.steps[1].edge.target.verification = verification;
    way_.steps[1].edge.target.verification_reason = "twins";
    EXPECT_THAT(Refusal().message, HasSubstr("click of button \"Go\": the recorded target is"));
    EXPECT_THAT(Refusal().message, HasSubstr(": twins"));
  }
}

TEST_F(MakeScriptTest, WhatCouldNotBeReadAgainIsRefused) {
  way_.steps[1].edge.target.region = std::string(5000, 'x');
  const auto made = MakeScript(way_, kGuard);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("identity: larger than"));
}

TEST_F(MakeScriptTest, SecretsBecomeVariables) {
  const auto surface = [&](auto&& change) {
    SetUp();
    change(Surface());
  };
  struct Case {
    const char* what;
    std::function<void()> make;
  };
  const std::vector<Case> cases = {
      {"marked secret", [&] { surface([](auto& s) { s.secret = true; }); }},
      {"a password", [&] { surface([](auto& s) { s.input_type = "password"; }); }},
      {"a code", [&] { surface([](auto& s) { s.autocomplete = "one-time-code"; }); }},
      {"a card", [&] { surface([](auto& s) { s.autocomplete = "billing cc-number"; }); }},
      {"an attribute",
       [&] {
         SetUp();
         way_.steps[0].element.attributes = {{"type", "password"}};
       }},
      {"a secret parameter",
       [&] {
         SetUp();
         way_.steps[0].edge.action_params = {{"secret", "true"}};
       }},
      {"a control's state",
       [&] {
         SetUp();
         way_.steps[0].edge.target.state.input_type = "password";
       }},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    test.make();
    const auto made = MakeScript(way_, kGuard);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_THAT(made->variables, ElementsAre("ACCESS_CODE"));
    EXPECT_EQ("ACCESS_CODE", made->steps[0].value.variable);
    const std::string text = Serialize(*made);
    EXPECT_THAT(text, Not(HasSubstr("1234")));
    EXPECT_THAT(text, HasSubstr("\nenv ACCESS_CODE\n"));
  }
}

TEST_F(MakeScriptTest, VariablesAreCalledAsTheirControls) {
  struct Case {
    const char* control;
    const char* variable;
  };
  for (const Case& test : {Case{"user[new-password]", "USER_NEW_PASSWORD"}, Case{"2nd", "ND"},
                           Case{"pässwort", "P_SSWORT"}, Case{"__", "ACCESS_CODE"}}) {
    SCOPED_TRACE(test.control);
    Surface().name = test.control;
    Surface().secret = true;
    const auto made = MakeScript(way_, kGuard);
    ASSERT_TRUE(made);
    EXPECT_THAT(made->variables, ElementsAre(test.variable));
  }
}

TEST_F(MakeScriptTest, ControlsOfOneNameGetVariablesOfTheirOwn) {
  Surface().secret = true;
  way_.steps.insert(way_.steps.begin(), way_.steps[0]);
  way_.steps.insert(way_.steps.begin(), way_.steps[0]);
  way_.steps[0].element.anchor_key.bytes[0] ^= 1U;
  const auto made = MakeScript(way_, kGuard);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->variables, ElementsAre("ACCESS_CODE", "ACCESS_CODE_2"));
  EXPECT_EQ("ACCESS_CODE_2", made->steps[1].value.variable);
  EXPECT_EQ("ACCESS_CODE_2", made->steps[2].value.variable);
}

TEST_F(MakeScriptTest, AFileIsAlwaysAVariable) {
  way_.steps[0].edge.action_type = ActionType::kUpload;
  way_.steps[0].edge.action_params = {{"file", "salaries.csv"}};
  const auto made = MakeScript(way_, kGuard);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->variables, ElementsAre("ACCESS_CODE_FILE"));
  EXPECT_THAT(Serialize(*made), Not(HasSubstr("salaries")));
}

// What of the recorded effects a replay compares, and nothing that a page said.
TEST_F(MakeScriptTest, EffectsAreKeptAsFarAsTheyAreCompared) {
  way_.steps[1].edge.effects = {
      {EffectType::kDialog, "a", "b", "said", {{"kind", "alert"}, {"text", "hello"}}},
      {EffectType::kNetwork, "a", "http://x/", "", {{"method", "GET"}, {"status", "200"}}},
      {EffectType::kVisibleText, "a", "b", "text", {}}};
  const auto made = MakeScript(way_, kGuard);
  ASSERT_TRUE(made);
  const std::vector<Effect> want = {
      {EffectType::kDialog, std::nullopt, std::nullopt, "", {{"kind", "alert"}}},
      {EffectType::kNetwork, std::nullopt, "http://x/", "", {{"method", "GET"}}},
      {EffectType::kVisibleText, std::nullopt, std::nullopt, "", {}}};
  EXPECT_EQ(want, made->steps[1].target->expected->effects);
}

TEST_F(MakeScriptTest, OnlyALandmarkAfterTheLastActionGuards) {
  const auto made = MakeScript(way_, kGuard);
  ASSERT_TRUE(made);
  const Step guard = made->steps.back();
  const auto check = [&](const std::vector<Step>& steps) {
    Script script = *made;
    script.steps = steps;
    return CheckGuard(script).has_value();
  };
  const Step& click = made->steps[1];
  EXPECT_TRUE(check({click, guard}));
  EXPECT_TRUE(check({guard}));
  EXPECT_FALSE(check({}));
  EXPECT_FALSE(check({click}));
  EXPECT_FALSE(check({guard, click}));
  Step unnamed = guard, unverified = guard, bare = guard;
  unnamed.name.clear();
  unverified.target->identity.verification = Verification::kPositional;
  bare.target.reset();
  for (const Step& weak : {unnamed, unverified, bare}) {
    EXPECT_FALSE(check({click, weak}));
    EXPECT_TRUE(check({click, guard, weak}));
  }
}

}  // namespace
}  // namespace topodb::script
