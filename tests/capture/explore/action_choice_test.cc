#include "capture/explore/action_choice.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

Element Control(std::string tag, std::string input_type) {
  Element element;
  element.tag = std::move(tag);
  element.accessible_name = "Field";
  if (!input_type.empty()) {
    element.parameter_surface.emplace();
    element.parameter_surface->name = "field";
    element.parameter_surface->input_type = std::move(input_type);
  }
  return element;
}

TEST(ActionChoice, TypeFollowsTagAndInputType) {
  struct Case {
    std::string tag, input_type;
    ActionType want;
  };
  const Case kCases[] = {
      {"input", "text", ActionType::kFill},      {"input", "email", ActionType::kFill},
      {"input", "password", ActionType::kFill},  {"input", "date", ActionType::kFill},
      {"input", "checkbox", ActionType::kCheck}, {"input", "radio", ActionType::kCheck},
      {"input", "submit", ActionType::kClick},   {"input", "button", ActionType::kClick},
      {"input", "reset", ActionType::kClick},    {"input", "image", ActionType::kClick},
      {"input", "file", ActionType::kUpload},    {"input", "", ActionType::kFill},
      {"textarea", "", ActionType::kFill},       {"select", "", ActionType::kSelect},
      {"button", "", ActionType::kClick},        {"a", "", ActionType::kClick},
      {"summary", "", ActionType::kClick},       {"div", "", ActionType::kClick},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.tag + " " + c.input_type);
    EXPECT_EQ(c.want, ActionTypeFor(Control(c.tag, c.input_type)));
  }
}

TEST(ActionChoice, TypeComesFromTheAttributeWithoutParameterSurface) {
  Element element = Control("input", "");
  element.attributes = {{"type", "radio"}};
  EXPECT_EQ(ActionType::kCheck, ActionTypeFor(element));
}

TEST(ActionChoice, EditableContentIsFilled) {
  Element element = Control("div", "");
  element.interactability.editable = true;
  EXPECT_EQ(ActionType::kFill, ActionTypeFor(element));
}

TEST(ActionChoice, GivenValuesWinByControlNameThenAccessibleName) {
  const Element element = Control("input", "text");
  EXPECT_EQ("by name",
            ChooseRequest(element, {{"Field", "by label"}, {"field", "by name"}})->value);
  EXPECT_EQ("by label", ChooseRequest(element, {{"Field", "by label"}})->value);
  EXPECT_EQ("topodb", ChooseRequest(element, {{"other", "x"}})->value);
}

TEST(ActionChoice, DefaultsFitTheInputType) {
  EXPECT_EQ("topodb@example.com", ChooseRequest(Control("input", "email"), {})->value);
  Element number = Control("input", "number");
  EXPECT_EQ("1", ChooseRequest(number, {})->value);
  number.parameter_surface->min = "18";
  EXPECT_EQ("18", ChooseRequest(number, {})->value);
}

TEST(ActionChoice, SelectTakesTheFirstOtherEnabledOption) {
  Element element = Control("select", "select-one");
  element.parameter_surface->options = {
      {"A", "a", false, true}, {"B", "b", true, false}, {"C", "c", false, false}};
  EXPECT_EQ("c", ChooseRequest(element, {})->value);
  element.parameter_surface->options.pop_back();
  EXPECT_FALSE(ChooseRequest(element, {}));
}

TEST(ActionChoice, SecretsAndFilesNeedAGivenValue) {
  Element secret = Control("input", "password");
  secret.parameter_surface->secret = true;
  EXPECT_FALSE(ChooseRequest(secret, {}));
  EXPECT_EQ("hunter2", ChooseRequest(secret, {{"field", "hunter2"}})->value);
  EXPECT_FALSE(ChooseRequest(Control("input", "file"), {}));
}

TEST(ActionChoice, ParamsCarryTheValueButNeverASecret) {
  const ActionRequest fill{.type = ActionType::kFill, .value = "hunter2"};
  Element element = Control("input", "text");
  EXPECT_EQ((std::vector<NameValue>{{"value", "hunter2"}}), ParamsOf(element, fill));
  element.parameter_surface->secret = true;
  EXPECT_EQ((std::vector<NameValue>{{"secret", "true"}}), ParamsOf(element, fill));
  EXPECT_TRUE(ParamsOf(element, {.type = ActionType::kClick, .value = {}}).empty());
  EXPECT_EQ((std::vector<NameValue>{{"file", "note.txt"}}),
            ParamsOf(Control("input", "file"),
                     {.type = ActionType::kUpload, .value = "/home/someone/note.txt"}));
}

}  // namespace
}  // namespace topodb::capture
