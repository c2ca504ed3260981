#include "query/script/script.h"

#include <algorithm>
#include <array>
#include <utility>

namespace topodb::script {
namespace {

struct VerbRow {
  Verb verb;
  std::string_view name;
  std::optional<ActionType> action;  // absent: only looks
  bool takes_value;
};

constexpr std::array kVerbs = {
    VerbRow{Verb::kClick, "click", ActionType::kClick, false},
    VerbRow{Verb::kFill, "fill", ActionType::kFill, true},
    VerbRow{Verb::kSelect, "select", ActionType::kSelect, true},
    VerbRow{Verb::kCheck, "check", ActionType::kCheck, false},
    VerbRow{Verb::kPress, "press", ActionType::kPress, true},
    VerbRow{Verb::kUpload, "upload", ActionType::kUpload, true},
    VerbRow{Verb::kHover, "hover", ActionType::kHover, false},
    VerbRow{Verb::kWait, "wait", std::nullopt, false},
};

const VerbRow& RowOf(Verb verb) { return *std::ranges::find(kVerbs, verb, &VerbRow::verb); }

}  // namespace

std::string_view ToString(Verb verb) { return RowOf(verb).name; }

std::optional<Verb> ParseVerb(std::string_view text) {
  const auto* const row = std::ranges::find(kVerbs, text, &VerbRow::name);
  return row == kVerbs.end() ? std::nullopt : std::optional(row->verb);
}

bool IsAction(Verb verb) { return RowOf(verb).action.has_value(); }
bool TakesValue(Verb verb) { return RowOf(verb).takes_value; }
ActionType ActionTypeOf(Verb verb) { return RowOf(verb).action.value_or(ActionType::kClick); }

Verb VerbOf(ActionType type) {
  return std::ranges::find(kVerbs, std::optional(type), &VerbRow::action)->verb;
}

bool IsVariableName(std::string_view name) {
  constexpr size_t kMaxName = 64;
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return !name.empty() && name.size() <= kMaxName && upper(name.front()) &&
         std::ranges::all_of(
             name, [&](char c) { return upper(c) || c == '_' || (c >= '0' && c <= '9'); });
}

}  // namespace topodb::script
