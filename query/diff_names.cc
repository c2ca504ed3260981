#include "query/diff_names.h"

#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "schema/names.h"

namespace topodb::query {
namespace {

std::string NameOf(const Element& element) {
  if (!element.accessible_name.value_or("").empty()) return *element.accessible_name;
  return element.text.value_or("");
}

std::string ContainersText(const Element& element, std::initializer_list<ContextKind> kinds) {
  std::string text;
  for (const ContextKind kind : kinds) {
    for (const ContextAnchor& anchor : element.context) {
      const std::string name = anchor.key.value_or(anchor.name.value_or(""));
      if (anchor.kind != kind || name.empty() || name == element.accessible_name) continue;
      text += fmt::format("{}{} \"{}\"", text.empty() ? "" : ", ", ToString(kind), name);
    }
  }
  return text;
}

}  // namespace

std::string PageOf(const State& state) { return state.title.empty() ? state.route : state.title; }

std::string WhereText(const Element& element) {
  return ContainersText(element, {ContextKind::kRow, ContextKind::kListItem, ContextKind::kDialog,
                                  ContextKind::kForm});
}

std::string PlaceText(const Element& element) {
  if (std::string where = WhereText(element); !where.empty()) return where;
  return ContainersText(element, {ContextKind::kLandmark});
}

void SetIds(Difference& difference, const RunSide& side, std::string id, std::string state) {
  const bool before = side.which() == Which::kBefore;
  (before ? difference.before_id : difference.after_id) = std::move(id);
  (before ? difference.before_state : difference.after_state) = std::move(state);
}

Difference DifferenceOf(const State& state, RunSide& side) {
  Difference difference;
  difference.section = DiffSection::kStates;
  difference.role = "page";
  difference.name = state.title;
  difference.where = state.url;
  SetIds(difference, side, side.TextOf(state.id), side.TextOf(state.id));
  return difference;
}

Difference DifferenceOf(const Element& element, const State* state, RunSide& side,
                        DiffSection section) {
  Difference difference;
  difference.section = section;
  difference.role = element.role.value_or(element.tag);
  difference.name = NameOf(element);
  difference.where = WhereText(element);
  if (state != nullptr) difference.page = PageOf(*state);
  SetIds(difference, side, side.TextOf(element.id), side.TextOf(element.state_id));
  return difference;
}

}  // namespace topodb::query
