#include "query/report/run_names.h"

#include <utility>

#include <fmt/format.h>

#include "schema/codec.h"
#include "schema/names.h"
#include "store/keys.h"
#include "store/lookup.h"

namespace topodb::query {
namespace {

constexpr size_t kKeptLabels = 4096;

}  // namespace

Result<std::optional<store::StateOrdinal>> RunNames::OrdinalOf(const StateId& id) {
  TOPODB_TRY(const auto row,
             store::FindIdentity(reader_.kv(), run_.number, store::RecordKind::kState, id.bytes));
  return row ? std::optional(row->state) : std::nullopt;
}

Result<std::string> RunNames::LabelOf(store::StateOrdinal state) {
  if (const auto kept = labels_.find(state); kept != labels_.end()) return kept->second;
  TOPODB_TRY(const std::string bytes,
             store::GetStored(reader_.kv(), store::Kind::kState, run_.number, state, 0));
  TOPODB_TRY(const State record, Decode<State>(bytes));
  if (labels_.size() >= kKeptLabels) labels_.clear();
  return labels_.emplace(state, query::LabelOf(record)).first->second;
}

Result<std::string> RunNames::LabelOf(const ElementId& id) {
  auto element = reader_.GetElement(run_.number, id);
  if (element) return query::LabelOf(*element);
  if (element.error().code == ErrorCode::kNotFound) return ids_(id);
  return std::move(element).error();
}

Result<std::string> RunNames::OpenerOf(const State& state) {
  if (!state.opened_by_edge_id) return std::string();
  auto edge = reader_.GetEdge(run_.number, *state.opened_by_edge_id);
  if (!edge && edge.error().code == ErrorCode::kNotFound) return std::string();
  if (!edge) return std::move(edge).error();
  TOPODB_TRY(const std::string element, LabelOf(edge->element_id));
  return fmt::format("{} {}", ToString(edge->action_type), element);
}

std::string LabelOf(const State& state) {
  std::string label = !state.title.empty()   ? state.title
                      : !state.route.empty() ? state.route
                                             : state.url;
  if (!state.modal_stack.empty()) label += " › " + state.modal_stack.back();
  return label;
}

std::string LabelOf(const Element& element) {
  const std::string role = element.role.value_or(element.tag);
  const std::string name = element.accessible_name.value_or(element.text.value_or(""));
  return name.empty() ? role : fmt::format("{} \"{}\"", role, name);
}

}  // namespace topodb::query
