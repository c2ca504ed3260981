#include "query/differ.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "query/align_elements.h"
#include "query/align_states.h"
#include "query/compare.h"
#include "query/correspondence.h"
#include "query/diff_actions.h"
#include "query/diff_names.h"
#include "query/row_join.h"
#include "store/keys.h"

namespace topodb::query {
namespace {

using store::IdentityRow;
using store::RecordKind;
using store::StateOrdinal;

Elements Pointers(const std::vector<Element>& elements) {
  Elements pointers;
  for (const Element& element : elements) pointers.push_back(&element);
  return pointers;
}

// How well an element can be addressed by its verified locators.
enum class Addressing : uint8_t { kNone, kByPosition, kInContainer, kAlone };

struct Address {
  Addressing addressing = Addressing::kNone;
  std::string expression;  // of the locator that gives it
};

Address AddressOf(const Element& element) {
  Address best;
  for (const Locator& locator : element.locators) {
    if (!locator.verified) continue;
    const Addressing addressing = locator.descriptor.nth              ? Addressing::kByPosition
                                  : locator.descriptor.within.empty() ? Addressing::kAlone
                                                                      : Addressing::kInContainer;
    if (addressing > best.addressing) best = {addressing, locator.expression};
  }
  return best;
}

// The elements of one state in the run of one side.
struct StateElements {
  std::vector<Element> records;
  ElementsOfState elements;
};

class Differ {
 public:
  Differ(RunSide& before, RunSide& after)
      : before_(before), after_(after), same_(before, after), sites_(before.run(), after.run()) {}

  Result<Diff> Compare() {
    diff_.before_run = before_.TextOf(before_.run().id);
    diff_.after_run = after_.TextOf(after_.run().id);
    TOPODB_TRY(const RowJoin states, Join(RecordKind::kState));
    TOPODB_TRY(const RowJoin elements, Join(RecordKind::kElement));
    Group(elements);
    TOPODB_TRY(const StateAlignment aligned,
               AlignStates(before_, after_, states, rows_before_, rows_after_, same_));
    diff_.aligned_states = states.equal + states.changed.size() + aligned.pairs.size();
    TOPODB_TRY_VOID(CompareStatePairs(states, aligned));
    for (const IdentityRow& row : aligned.removed) TOPODB_TRY_VOID(MissState(row, before_, after_));
    for (const IdentityRow& row : aligned.added) TOPODB_TRY_VOID(MissState(row, after_, before_));
    TOPODB_TRY_VOID(CompareElementsOfStates(aligned));
    TOPODB_TRY(std::vector<Difference> actions, CompareActions(before_, after_, same_));
    for (Difference& action : actions) diff_.differences.push_back(std::move(action));
    TOPODB_TRY_VOID(before_.ids_status());
    TOPODB_TRY_VOID(after_.ids_status());
    return std::move(diff_);
  }

 private:
  Result<RowJoin> Join(RecordKind kind) const {
    return JoinRows(before_.kv(), before_.number(), after_.kv(), after_.number(), kind);
  }

  void Group(const RowJoin& elements) {
    for (const IdentityRow& row : elements.removed) rows_before_[row.state].push_back(row);
    for (const IdentityRow& row : elements.added) rows_after_[row.state].push_back(row);
    for (const RowPair& pair : elements.changed) {
      rows_before_[pair.before.state].push_back(pair.before);
      rows_after_[pair.after.state].push_back(pair.after);
    }
  }

  // ---- states ----

  Status CompareStatePairs(const RowJoin& states, const StateAlignment& aligned) {
    std::vector<StatePair> pairs = aligned.pairs;
    for (const RowPair& pair : states.changed) {
      pairs.push_back({pair.before.state, pair.after.state});
    }
    std::ranges::sort(pairs, {}, &StatePair::before);
    for (const StatePair& pair : pairs) {
      TOPODB_TRY(const StatePtr was, before_.StateAt(pair.before));
      TOPODB_TRY(const StatePtr is, after_.StateAt(pair.after));
      UnstableParts unstable(was->unstable_parts, is->unstable_parts);
      if (CompareStates(*was, *is, unstable).empty()) continue;
      TOPODB_TRY(unstable, UnstableOfPages(before_, *was, after_, *is));
      std::vector<FieldChange> fields = CompareStates(*was, *is, unstable);
      if (fields.empty()) continue;
      Difference difference = DifferenceOf(*is, after_);
      SetIds(difference, before_, before_.TextOf(was->id), before_.TextOf(was->id));
      difference.change = Change::kChanged;
      difference.fields = std::move(fields);
      diff_.differences.push_back(std::move(difference));
    }
    return {};
  }

  // What `there` calls the state that `state` was opened from.
  Result<std::optional<StateId>> SourceOf(const State& state, const RunSide& here) const {
    if (!state.opened_by_edge_id) return std::optional<StateId>();
    TOPODB_TRY(const auto row, here.Find(RecordKind::kEdge, state.opened_by_edge_id->bytes));
    if (!row) return std::optional<StateId>();
    TOPODB_TRY(const ActionEdge edge, here.Read<ActionEdge>(*row));
    return same_.Translate(here.which(), edge.from_state_id);
  }

  Status MissState(const IdentityRow& row, RunSide& here, RunSide& there) {
    TOPODB_TRY(const StatePtr state, here.StateAt(row.state));
    TOPODB_TRY(const auto source, SourceOf(*state, here));
    TOPODB_TRY(auto excuse, there.WhyNotLooked(source));
    diff_.differences.push_back(Missing(DifferenceOf(*state, here), here, std::move(excuse)));
    return {};
  }

  // ---- elements ----

  // States whose elements are to be looked at: every one that has a counterpart and rows that
  // differ.
  Result<std::vector<StatePair>> StatesWithRows(const StateAlignment& aligned) {
    std::map<StateOrdinal, StateOrdinal> to_after, to_before;
    for (const StatePair& pair : aligned.pairs) {
      to_after.emplace(pair.before, pair.after);
      to_before.emplace(pair.after, pair.before);
    }
    std::set<StateOrdinal> alone_before, alone_after;
    for (const IdentityRow& row : aligned.removed) alone_before.insert(row.state);
    for (const IdentityRow& row : aligned.added) alone_after.insert(row.state);
    std::map<StateOrdinal, StateOrdinal> pairs;
    const auto visit = [&](const RowsByState& rows, RunSide& here, const RunSide& there,
                           const auto& counterparts, const auto& alone, const auto& add) -> Status {
      for (const auto& [ordinal, unused] : rows) {
        if (ordinal == store::kNoState || alone.contains(ordinal)) continue;
        if (const auto found = counterparts.find(ordinal); found != counterparts.end()) {
          add(ordinal, found->second);
          continue;
        }
        TOPODB_TRY(const StatePtr state, here.StateAt(ordinal));
        TOPODB_TRY(const auto other, there.Find(RecordKind::kState, state->id.bytes));
        if (other) add(ordinal, other->state);
      }
      return {};
    };
    TOPODB_TRY_VOID(visit(rows_before_, before_, after_, to_after, alone_before,
                          [&](StateOrdinal was, StateOrdinal is) { pairs.emplace(was, is); }));
    TOPODB_TRY_VOID(visit(rows_after_, after_, before_, to_before, alone_after,
                          [&](StateOrdinal is, StateOrdinal was) { pairs.emplace(was, is); }));
    std::vector<StatePair> list;
    for (const auto& [was, is] : pairs) list.push_back({was, is});
    return list;
  }

  Status CompareElementsOfStates(const StateAlignment& aligned) {
    TOPODB_TRY(const std::vector<StatePair> pairs, StatesWithRows(aligned));
    for (const StatePair& pair : pairs) {
      std::vector<IdentityRow> was = TakeRows(rows_before_, pair.before);
      std::vector<IdentityRow> is = TakeRows(rows_after_, pair.after);
      PairEqualRows(was, is);
      if (!was.empty() || !is.empty()) TOPODB_TRY_VOID(CompareElementsOf(pair, was, is));
    }
    return {};
  }

  static std::vector<IdentityRow> TakeRows(RowsByState& rows, StateOrdinal state) {
    const auto found = rows.find(state);
    if (found == rows.end()) return {};
    std::vector<IdentityRow> taken = std::move(found->second);
    rows.erase(found);
    std::ranges::sort(taken, {}, &IdentityRow::ordinal);
    return taken;
  }

  // Elements of one anchor and equal content are one, whatever the id of their state made of
  // theirs.
  void PairEqualRows(std::vector<IdentityRow>& was, std::vector<IdentityRow>& is) {
    std::multimap<std::pair<AnchorKey, uint64_t>, const IdentityRow*> open;
    for (const IdentityRow& row : is)
      open.emplace(std::pair(row.anchor_key, row.content_hash), &row);
    std::unordered_set<const IdentityRow*> paired;
    std::erase_if(was, [&](const IdentityRow& row) {
      const auto found = open.lower_bound({row.anchor_key, row.content_hash});
      if (found == open.end() || found->first != std::pair(row.anchor_key, row.content_hash)) {
        return false;
      }
      same_.Pair(ElementId{row.id}, ElementId{found->second->id});
      paired.insert(found->second);
      open.erase(found);
      return true;
    });
    std::vector<IdentityRow> rest;
    for (const IdentityRow& row : is) {
      if (!paired.contains(&row)) rest.push_back(row);
    }
    is = std::move(rest);
  }

  enum class Extent : uint8_t { kRows, kWholeState };

  // The records of the rows; of the whole state when elements must stand out in it.
  static Result<StateElements> Load(const RunSide& side, StateOrdinal state,
                                    const std::vector<IdentityRow>& rows, Extent extent) {
    StateElements loaded;
    if (extent == Extent::kWholeState) {
      TOPODB_TRY(loaded.records, side.ElementsOf(state));
    } else {
      for (const IdentityRow& row : rows) {
        TOPODB_TRY(loaded.records.emplace_back(), side.Read<Element>(row));
      }
    }
    loaded.elements.all = Pointers(loaded.records);
    std::set<IdBytes> differing;
    for (const IdentityRow& row : rows) differing.insert(row.id);
    for (const Element* element : loaded.elements.all) {
      if (differing.contains(element->id.bytes)) loaded.elements.differing.push_back(element);
    }
    return loaded;
  }

  // Whether some rows of one side have no row of the same anchor in the other.
  static bool HasAnchorsOfItsOwn(const std::vector<IdentityRow>& rows,
                                 const std::vector<IdentityRow>& others) {
    std::map<AnchorKey, int> left;
    for (const IdentityRow& row : others) ++left[row.anchor_key];
    return std::ranges::any_of(rows,
                               [&](const IdentityRow& row) { return --left[row.anchor_key] < 0; });
  }

  Status CompareElementsOf(const StatePair& pair, const std::vector<IdentityRow>& rows_was,
                           const std::vector<IdentityRow>& rows_is) {
    const bool both_have_more =
        HasAnchorsOfItsOwn(rows_was, rows_is) && HasAnchorsOfItsOwn(rows_is, rows_was);
    const Extent extent = both_have_more ? Extent::kWholeState : Extent::kRows;
    TOPODB_TRY(const StateElements was, Load(before_, pair.before, rows_was, extent));
    TOPODB_TRY(const StateElements is, Load(after_, pair.after, rows_is, extent));
    TOPODB_TRY(const StatePtr state_was, before_.StateAt(pair.before));
    TOPODB_TRY(const StatePtr state_is, after_.StateAt(pair.after));
    TOPODB_TRY(const UnstableParts unstable,
               UnstableOfPages(before_, *state_was, after_, *state_is));
    const std::vector<AnchorKey> left_out = unstable.Anchors("element");
    const std::vector<AnchorKey> restless = unstable.Anchors("content");
    const ElementAlignment aligned =
        AlignElements(was.elements, is.elements, {left_out.begin(), left_out.end()});
    for (const ElementPair& elements : aligned.pairs) {
      same_.Pair(elements.before->id, elements.after->id);
      const bool compare =
          std::ranges::find(restless, elements.after->anchor_key) == restless.end();
      if (compare) CompareElementPair(elements, *state_is);
    }
    for (const Element* element : aligned.removed) {
      MissElement(*element, *state_was, before_, after_.TextOf(state_is->id));
    }
    for (const Element* element : aligned.added) {
      MissElement(*element, *state_is, after_, before_.TextOf(state_was->id));
    }
    return {};
  }

  void CompareElementPair(const ElementPair& pair, const State& state) {
    const Element& was = *pair.before;
    const Element& is = *pair.after;
    std::vector<FieldChange> fields = CompareElements(was, is, sites_);
    std::optional<Change> change;
    if (!fields.empty()) change = Change::kChanged;
    if (std::ranges::any_of(fields, [](const auto& f) { return f.field == "accessibleName"; })) {
      change = Change::kRenamed;
    }
    const bool moved = was.anchor_key != is.anchor_key && ContainerOf(was) != ContainerOf(is);
    if (moved) {
      change = Change::kMoved;
      fields.insert(fields.begin(), {"context", PlaceText(was), PlaceText(is)});
    }
    const Address address_was = AddressOf(was);
    const Address address_is = AddressOf(is);
    const bool has_locators = !was.locators.empty() && !is.locators.empty();
    if (has_locators && address_was.addressing != address_is.addressing) {
      if (!change) {
        change =
            address_was.addressing > address_is.addressing ? Change::kAmbiguous : Change::kUnique;
      }
      fields.push_back({"locator", TextOrNone(address_was), TextOrNone(address_is)});
    }
    if (!change) return;
    Difference difference = DifferenceOf(is, &state, after_, DiffSection::kElements);
    SetIds(difference, before_, before_.TextOf(was.id), before_.TextOf(was.state_id));
    difference.change = *change;
    difference.fields = std::move(fields);
    difference.similarity = pair.similarity;
    diff_.differences.push_back(std::move(difference));
  }

  static std::optional<std::string> TextOrNone(const Address& address) {
    if (address.addressing == Addressing::kNone) return std::nullopt;
    return address.expression;
  }

  // `state_there`: where the other run has it not.
  void MissElement(const Element& element, const State& state, RunSide& here,
                   std::string state_there) {
    same_.SetAlone(here.which(), element.id);
    Difference difference = DifferenceOf(element, &state, here, DiffSection::kElements);
    (here.which() == Which::kBefore ? difference.after_state : difference.before_state) =
        std::move(state_there);
    diff_.differences.push_back(Missing(std::move(difference), here, std::nullopt));
  }

  RunSide& before_;
  RunSide& after_;
  Correspondence same_;
  Sites sites_;
  RowsByState rows_before_, rows_after_;
  Diff diff_;
};

}  // namespace

Result<Diff> CompareRuns(RunSide& before, RunSide& after) {
  return Differ(before, after).Compare();
}

}  // namespace topodb::query
