#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "query/run_side.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::query {

// What each run calls the states and elements of the other. What both call by one id corresponds
// unless it was said otherwise; so only what differs is held.
class Correspondence {
 public:
  // Both must outlive this.
  Correspondence(RunSide& before, RunSide& after) : sides_{&before, &after} {}

  template <class RecordId>
  void Pair(const RecordId& before, const RecordId& after) {
    MapOf<RecordId>(Which::kBefore).insert_or_assign(before, after);
    MapOf<RecordId>(Which::kAfter).insert_or_assign(after, before);
  }
  // Only this run has the element.
  void SetAlone(Which which, const ElementId& id) { alone_.at(Index(which)).insert(id); }
  bool IsAlone(Which which, const ElementId& id) const {
    return alone_.at(Index(which)).contains(id);
  }

  // What the other run calls a record of `which`; nullopt when it has none. Errors of the store.
  Result<std::optional<StateId>> Translate(Which which, const StateId& id) const;
  Result<std::optional<ElementId>> Translate(Which which, const ElementId& id) const;

 private:
  template <class RecordId>
  using Map = std::unordered_map<RecordId, RecordId>;

  static size_t Index(Which which) { return which == Which::kBefore ? 0 : 1; }
  RunSide& OtherThan(Which which) const { return *sides_.at(1 - Index(which)); }

  template <class RecordId>
  Map<RecordId>& MapOf(Which which) {
    if constexpr (std::is_same_v<RecordId, StateId>) return states_.at(Index(which));
    if constexpr (std::is_same_v<RecordId, ElementId>) return elements_.at(Index(which));
  }

  std::array<RunSide*, 2> sides_;
  std::array<Map<StateId>, 2> states_;
  std::array<Map<ElementId>, 2> elements_;
  std::array<std::unordered_set<ElementId>, 2> alone_;
};

}  // namespace topodb::query
