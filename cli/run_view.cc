#include "cli/run_view.h"

#include <utility>

#include <fmt/format.h>

namespace topodb::cli {
namespace {

// The record in the cache, or read now; nullptr when there is none.
template <class Record, class Key, class Read>
const Record* Find(std::unordered_map<Key, Record>& cache, const Key& id, Status& status,
                   Read read) {
  if (const auto known = cache.find(id); known != cache.end()) return &known->second;
  Result<Record> record = read();
  if (!record) {
    if (record.error().code != ErrorCode::kNotFound && status) status = std::move(record).error();
    return nullptr;
  }
  return &cache.emplace(id, *std::move(record)).first->second;
}

}  // namespace

RunView::RunView(const store::GraphReader& reader, store::StoredRun run)
    : reader_(reader), run_(std::move(run)), ids_(reader_, run_) {}

const State* RunView::FindState(const StateId& id) {
  return Find(states_, id, status_, [&] { return reader_.GetState(run_.number, id); });
}

const Element* RunView::FindElement(const ElementId& id) {
  return Find(elements_, id, status_, [&] { return reader_.GetElement(run_.number, id); });
}

std::string RunView::Label(const StateId& id) {
  const State* state = FindState(id);
  return state == nullptr ? ids_(id) : LabelOf(*state);
}

std::string RunView::Label(const ElementId& id) {
  const Element* element = FindElement(id);
  return element == nullptr ? ids_(id) : LabelOf(*element);
}

Status RunView::status() const { return status_ ? ids_.status() : status_; }

std::string LabelOf(const State& state) {
  std::string label = state.title;
  const std::string& place = state.route.empty() ? state.url : state.route;
  if (label.empty()) {
    label = place;
  } else if (!place.empty()) {
    label += " " + place;
  }
  if (!state.modal_stack.empty()) label += " › " + state.modal_stack.back();
  return label;
}

std::string LabelOf(const Element& element) {
  return RoleAndName(element.role.value_or(element.tag), element.accessible_name.value_or(""));
}

std::string RoleAndName(std::string_view role, std::string_view name) {
  return name.empty() ? std::string(role) : fmt::format("{} \"{}\"", role, name);
}

}  // namespace topodb::cli
