#include "query/script/export_recorder.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "query/exchange/json_writer.h"
#include "query/exchange/record_css.h"

namespace topodb::script {
namespace {

using query::JsonWriter;

Error Unreachable(size_t number, std::string_view why) {
  return {ErrorCode::kInvalidArgument, fmt::format("step {} {}", number, why),
          "export it --as playwright, or make a script of the path: topodb script save"};
}

// aria/NAME[role="ROLE"]; empty for names that this notation cannot hold.
std::string AriaSelector(std::string_view role, std::string_view name) {
  if (name.empty() || name.find_first_of("[]\"'\\") != std::string_view::npos) return "";
  return fmt::format("aria/{}[role=\"{}\"]", name, role);
}

std::string SelectorOf(const LocatorDescriptor& locator) {
  if (!locator.within.empty() || locator.nth) return "";
  switch (locator.strategy) {
    case LocatorStrategy::kRole:
      return AriaSelector(locator.role, locator.value);
    case LocatorStrategy::kTestId:
      return query::AttributeSelector(locator.attribute.empty() ? "data-testid" : locator.attribute,
                                      locator.value);
    case LocatorStrategy::kCss:
      return locator.value;
    default:
      return "";  // texts match parts of other texts there
  }
}

std::vector<std::string> SelectorsOf(const Step& step) {
  std::vector<std::string> selectors;
  for (const LocatorDescriptor& locator : step.target->locators) {
    if (std::string selector = SelectorOf(locator); !selector.empty()) {
      selectors.push_back(std::move(selector));
    }
  }
  if (step.verb == Verb::kWait) selectors = {AriaSelector(step.role, step.name)};
  std::erase(selectors, "");
  return selectors;
}

std::string_view TypeOf(Verb verb) {
  switch (verb) {
    case Verb::kFill:
    case Verb::kSelect:
      return "change";
    case Verb::kHover:
      return "hover";
    case Verb::kWait:
      return "waitForElement";
    default:
      return "click";
  }
}

void Text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.String(text);
}

void WriteSelectors(JsonWriter& json, const std::vector<std::string>& selectors) {
  json.Key("selectors");
  json.BeginArray();
  for (const std::string& selector : selectors) {
    json.BeginArray();
    json.String(selector);
    json.EndArray();
  }
  json.EndArray();
}

void WriteOpening(JsonWriter& json, const Script& script) {
  const Viewport viewport;
  json.BeginObject();
  Text(json, "type", "setViewport");
  json.Key("width");
  json.Number(viewport.width);
  json.Key("height");
  json.Number(viewport.height);
  json.Key("deviceScaleFactor");
  json.Number(1);
  for (const char* no : {"isMobile", "hasTouch", "isLandscape"}) {
    json.Key(no);
    json.Boolean(false);
  }
  json.EndObject();
  json.BeginObject();
  Text(json, "type", "navigate");
  Text(json, "url", script.url);
  json.EndObject();
}

void WriteStep(JsonWriter& json, const Step& step, const std::vector<std::string>& selectors,
               const Rect& box) {
  json.BeginObject();
  Text(json, "type", TypeOf(step.verb));
  Text(json, "target", "main");
  WriteSelectors(json, selectors);
  if (TakesValue(step.verb)) Text(json, "value", step.value.text);
  if (TypeOf(step.verb) == "click") {
    json.Key("offsetX");
    json.Number(box.width / 2);
    json.Key("offsetY");
    json.Number(box.height / 2);
  }
  if (step.verb == Verb::kWait) {
    json.Key("visible");
    json.Boolean(true);
  }
  json.EndObject();
}

}  // namespace

Result<std::string> ToRecorder(const Script& script, const RecordedWay& way) {
  if (!script.variables.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the path needs {}, and a recording has no variables",
                             fmt::join(script.variables, ", ")),
                 "export it --as playwright, which reads them from the environment"};
  }
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  Text(json, "title", script.steps.empty() ? "topodb" : "topodb: " + script.steps.back().name);
  json.Key("steps");
  json.BeginArray();
  WriteOpening(json, script);
  size_t number = 0;
  for (const Step& step : script.steps) {
    const Rect box = number < way.steps.size() ? way.steps[number].element.bbox : Rect();
    ++number;
    if (!step.target) return Unreachable(number, "has no record");
    if (!step.target->identity.scope.frame_path.empty()) {
      return Unreachable(number, "is in a frame");
    }
    if (step.verb == Verb::kPress) return Unreachable(number, "presses a key");
    const std::vector<std::string> selectors = SelectorsOf(step);
    if (selectors.empty()) {
      return Unreachable(number, "has no selector of its own that a recording can hold");
    }
    WriteStep(json, step, selectors, box);
  }
  json.EndArray();
  json.EndObject();
  return text + "\n";
}

}  // namespace topodb::script
