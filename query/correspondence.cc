#include "query/correspondence.h"

namespace topodb::query {

Result<std::optional<StateId>> Correspondence::Translate(Which which, const StateId& id) const {
  const Map<StateId>& map = states_.at(Index(which));
  if (const auto found = map.find(id); found != map.end()) return std::optional(found->second);
  TOPODB_TRY(const auto row, OtherThan(which).Find(store::RecordKind::kState, id.bytes));
  return row ? std::optional(id) : std::nullopt;
}

Result<std::optional<ElementId>> Correspondence::Translate(Which which, const ElementId& id) const {
  const Map<ElementId>& map = elements_.at(Index(which));
  if (const auto found = map.find(id); found != map.end()) return std::optional(found->second);
  if (IsAlone(which, id)) return std::optional<ElementId>();
  TOPODB_TRY(const auto row, OtherThan(which).Find(store::RecordKind::kElement, id.bytes));
  return row ? std::optional(id) : std::nullopt;
}

}  // namespace topodb::query
