#include "capture/explore/action_choice.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace topodb::capture {
namespace {

std::string InputTypeOf(const Element& element) {
  if (element.parameter_surface && !element.parameter_surface->input_type.empty()) {
    return element.parameter_surface->input_type;
  }
  for (const auto& [name, value] : element.attributes) {
    if (name == "type") return value;
  }
  return "text";
}

ActionType ActionTypeForInput(std::string_view type) {
  static constexpr std::array<std::string_view, 4> kButtons = {"button", "submit", "reset",
                                                               "image"};
  if (type == "checkbox" || type == "radio") return ActionType::kCheck;
  if (type == "file") return ActionType::kUpload;
  if (std::ranges::find(kButtons, type) != kButtons.end()) return ActionType::kClick;
  return ActionType::kFill;
}

std::optional<std::string> GivenValue(const Element& element,
                                      const std::vector<NameValue>& values) {
  const auto find = [&](const std::optional<std::string>& key) -> std::optional<std::string> {
    if (!key || key->empty()) return std::nullopt;
    const auto it = std::ranges::find(values, *key, &NameValue::first);
    if (it == values.end()) return std::nullopt;
    return it->second;
  };
  if (element.parameter_surface) {
    if (auto value = find(element.parameter_surface->name)) return value;
  }
  return find(element.accessible_name);
}

std::string DefaultText(const Element& element) {
  const std::string type = InputTypeOf(element);
  if (type == "email") return "topodb@example.com";
  if (type == "url") return "https://example.com/";
  if (type == "tel") return "5550100";
  if (type == "date") return "2024-01-02";
  if (type == "time") return "12:00";
  if (type == "month") return "2024-01";
  if (type == "week") return "2024-W01";
  if (type == "datetime-local") return "2024-01-02T12:00";
  if (type == "color") return "#336699";
  if (type == "number" || type == "range") {
    const auto& surface = element.parameter_surface;
    return surface && surface->min ? *surface->min : "1";
  }
  return "topodb";
}

std::optional<std::string> OtherOption(const Element& element) {
  if (!element.parameter_surface) return std::nullopt;
  const auto& options = element.parameter_surface->options;
  const auto it = std::ranges::find_if(
      options, [](const SelectOption& option) { return !option.disabled && !option.selected; });
  if (it == options.end()) return std::nullopt;
  return it->value;
}

bool IsSecret(const Element& element) {
  return element.parameter_surface && element.parameter_surface->secret;
}

}  // namespace

ActionType ActionTypeFor(const Element& element) {
  if (element.tag == "input") return ActionTypeForInput(InputTypeOf(element));
  if (element.tag == "textarea") return ActionType::kFill;
  if (element.tag == "select") return ActionType::kSelect;
  return element.interactability.editable ? ActionType::kFill : ActionType::kClick;
}

std::optional<ActionRequest> ChooseRequest(const Element& element,
                                           const std::vector<NameValue>& values) {
  ActionRequest request{.type = ActionTypeFor(element), .value = {}};
  if (request.type == ActionType::kClick || request.type == ActionType::kCheck) return request;
  std::optional<std::string> value = GivenValue(element, values);
  if (!value && request.type == ActionType::kSelect) value = OtherOption(element);
  if (!value && request.type == ActionType::kFill && !IsSecret(element)) {
    value = DefaultText(element);
  }
  if (!value) return std::nullopt;
  request.value = *std::move(value);
  return request;
}

std::vector<NameValue> ParamsOf(const Element& element, const ActionRequest& request) {
  if (request.value.empty()) return {};
  if (IsSecret(element)) return {{"secret", "true"}};
  if (request.type == ActionType::kUpload) {
    // Where the file was is nothing of the site's.
    return {{"file", request.value.substr(request.value.find_last_of('/') + 1)}};
  }
  return {{"value", request.value}};
}

}  // namespace topodb::capture
