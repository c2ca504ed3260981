#include "query/script/export_playwright.h"

#include <string_view>

#include <fmt/format.h>

#include "query/exchange/json_writer.h"

namespace topodb::script {
namespace {

// A string literal of JavaScript.
std::string Quote(std::string_view text) {
  std::string literal;
  query::AppendJsonString(text, literal);
  return literal;
}

Error Unreachable(size_t number, std::string_view why) {
  return {ErrorCode::kInvalidArgument, fmt::format("step {} {}", number, why),
          "only a script can be made of this path: topodb script save"};
}

std::string ValueOf(const Value& value) {
  return value.variable.empty() ? Quote(value.text) : fmt::format("env({})", Quote(value.variable));
}

// What is entered into a choice: an option a line.
std::string OptionsOf(const Value& value) {
  if (!value.variable.empty()) return ValueOf(value) + ".split('\\n')";
  std::string list;
  for (std::string_view rest = value.text;;) {
    const size_t end = rest.find('\n');
    list += (list.empty() ? "" : ", ") + Quote(rest.substr(0, end));
    if (end == std::string_view::npos) return "[" + list + "]";
    rest.remove_prefix(end + 1);
  }
}

std::string CallOf(const Step& step) {
  switch (step.verb) {
    case Verb::kClick:
    case Verb::kCheck:  // check() would wait for a box that its own change takes away
      return "click()";
    case Verb::kFill:
      return fmt::format("fill({})", ValueOf(step.value));
    case Verb::kSelect:
      return fmt::format("selectOption({})", OptionsOf(step.value));
    case Verb::kPress:
      return fmt::format("press({})", ValueOf(step.value));
    case Verb::kUpload:
      return fmt::format("setInputFiles({})", ValueOf(step.value));
    case Verb::kHover:
      return "hover()";
    case Verb::kWait:
      break;
  }
  return "";
}

// A landmark's text is its name for a browser only where its role takes the name from elsewhere.
std::string LandmarkOf(const Step& step) {
  const bool by_text = step.role == "status" || step.role == "alert";
  return by_text ? fmt::format("page.getByRole({}).filter({{ hasText: {} }})", Quote(step.role),
                               Quote(step.name))
                 : fmt::format("page.getByRole({}, {{ name: {}, exact: true }})", Quote(step.role),
                               Quote(step.name));
}

}  // namespace

Result<std::string> ToPlaywright(const Script& script, const ExpressionOf& expression_of) {
  std::string text = "import { test, expect } from '@playwright/test';\n\n";
  if (!script.variables.empty()) {
    text +=
        "function env(name) {\n"
        "  const value = process.env[name];\n"
        "  if (value === undefined) throw new Error(`${name} is not in the environment`);\n"
        "  return value;\n"
        "}\n\n";
  }
  const std::string title =
      script.steps.empty()
          ? "opens"
          : fmt::format("leads to {} {}", script.steps.back().role, script.steps.back().name);
  text += fmt::format("test({}, async ({{ page }}) => {{\n  await page.goto({});\n", Quote(title),
                      Quote(script.url));
  size_t number = 0;
  for (const Step& step : script.steps) {
    ++number;
    if (!step.target) return Unreachable(number, "has no record");
    if (!step.target->identity.scope.frame_path.empty()) {
      return Unreachable(number, "is in a frame");
    }
    if (step.verb == Verb::kWait) {
      text += fmt::format("  await expect({}.first()).toBeVisible();\n", LandmarkOf(step));
      continue;
    }
    if (step.target->locators.empty()) return Unreachable(number, "has no locator");
    text +=
        fmt::format("  await {}.{};\n", expression_of(step.target->locators.front()), CallOf(step));
  }
  text += "});\n";
  return text;
}

}  // namespace topodb::script
