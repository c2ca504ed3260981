#include "cli/run_view.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/references.h"

namespace topodb::cli {

RunView::RunView(const store::GraphReader& reader, store::StoredRun run)
    : reader_(reader), run_(std::move(run)), ids_(reader_, run_) {}

void RunView::ReadStates() {
  states_.emplace();
  Result<std::vector<State>> states = reader_.States(run_.number);
  if (!states) {
    status_ = std::move(states).error();
    return;
  }
  std::map<std::string, int> uses;
  for (const State& state : *states) ++uses[LabelOf(state)];
  for (State& state : *states) {
    std::string label = LabelOf(state);
    if (uses[label] > 1) label += fmt::format(" ({})", BareShortId(ids_(state.id)));
    labels_.emplace(state.id, std::move(label));
    states_->emplace(state.id, std::move(state));
  }
}

const State* RunView::FindState(const StateId& id) {
  if (!states_) ReadStates();
  const auto found = states_->find(id);
  return found == states_->end() ? nullptr : &found->second;
}

const Element* RunView::FindElement(const ElementId& id) {
  if (const auto known = elements_.find(id); known != elements_.end()) return &known->second;
  Result<Element> element = reader_.GetElement(run_.number, id);
  if (!element) {
    if (element.error().code != ErrorCode::kNotFound && status_) {
      status_ = std::move(element).error();
    }
    return nullptr;
  }
  return &elements_.emplace(id, *std::move(element)).first->second;
}

std::string RunView::Label(const StateId& id) {
  if (!states_) ReadStates();
  const auto label = labels_.find(id);
  return label == labels_.end() ? ids_(id) : label->second;
}

std::string RunView::Label(const ElementId& id) {
  const Element* element = FindElement(id);
  return element == nullptr ? ids_(id) : LabelOf(*element);
}

Status RunView::status() const { return status_ ? ids_.status() : status_; }

std::string LabelOf(const State& state) {
  std::string_view place = state.route.empty() ? state.url : state.route;
  // Of a file the folders say little.
  if (state.url.starts_with("file:")) place.remove_prefix(place.rfind('/') + 1);
  std::string label = state.title;
  if (!label.empty() && !place.empty()) label += " ";
  label += place;
  if (!state.modal_stack.empty()) label += " › " + state.modal_stack.back();
  return label;
}

std::string LabelOf(const Element& element) {
  std::string label =
      RoleAndName(element.role.value_or(element.tag), element.accessible_name.value_or(""));
  // Of twins in a list or table, which one.
  for (const ContextAnchor& anchor : element.context) {
    const bool repeated = anchor.kind == ContextKind::kRow || anchor.kind == ContextKind::kListItem;
    if (repeated && anchor.key) return label + fmt::format(" in \"{}\"", *anchor.key);
  }
  return label;
}

std::string RoleAndName(std::string_view role, std::string_view name) {
  return name.empty() ? std::string(role) : fmt::format("{} \"{}\"", role, name);
}

}  // namespace topodb::cli
