#include "query/script/variable_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "query/script/script.h"

namespace topodb::script {
namespace {

constexpr size_t kMaxStem = 40;

// "new-password (2)" -> "NEW_PASSWORD_2"; empty when nothing of it can stand in a name.
std::string StemOf(std::string_view text) {
  std::string stem;
  for (const char c : text) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    const bool digit = c >= '0' && c <= '9';
    if (lower || upper || (digit && !stem.empty())) {
      stem += lower ? static_cast<char>(c - 'a' + 'A') : c;
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
    if (stem.size() == kMaxStem) break;
  }
  while (stem.ends_with('_')) stem.pop_back();
  return stem;
}

std::string StemOf(const Element& element) {
  std::string stem;
  if (element.parameter_surface) stem = StemOf(element.parameter_surface->name.value_or(""));
  if (stem.empty()) stem = StemOf(element.accessible_name.value_or(""));
  return stem.empty() ? "SECRET" : stem;
}

bool IsSecretPurpose(std::string_view autocomplete) {
  return autocomplete.find("password") != std::string_view::npos ||
         autocomplete.find("one-time-code") != std::string_view::npos ||
         autocomplete.find("cc-") != std::string_view::npos;
}

}  // namespace

bool HoldsSecret(const ActionEdge& edge, const Element& element) {
  const auto& surface = element.parameter_surface;
  if (surface && (surface->secret || surface->input_type == "password" ||
                  IsSecretPurpose(surface->autocomplete.value_or("")))) {
    return true;
  }
  if (edge.target.state.input_type == "password") return true;
  const auto says = [](const NameValue& attribute) {
    return (attribute.first == "type" && attribute.second == "password") ||
           (attribute.first == "autocomplete" && IsSecretPurpose(attribute.second));
  };
  return std::ranges::any_of(element.attributes, says) ||
         std::ranges::find(edge.action_params, "secret", &NameValue::first) !=
             edge.action_params.end();
}

const std::string& VariableNames::NameFor(const Element& element, std::string_view suffix) {
  const auto [found, is_new] = by_control_.try_emplace(element.anchor_key);
  if (!is_new) return found->second;
  const std::string stem = fmt::format("{}{}", StemOf(element), suffix);
  std::string name = stem;
  for (int number = 2; std::ranges::find(names_, name) != names_.end(); ++number) {
    name = fmt::format("{}_{}", stem, number);
  }
  names_.push_back(name);
  found->second = std::move(name);
  return found->second;
}

}  // namespace topodb::script
