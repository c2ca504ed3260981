#include "query/diff_actions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "query/diff_names.h"
#include "query/row_join.h"
#include "schema/names.h"
#include "store/rows.h"

namespace topodb::query {
namespace {

using store::IdentityRow;
using store::RecordKind;

// The state and the element that a record is about, and what was or was not done.
std::optional<StateId> StateOf(const ActionEdge& edge) { return edge.from_state_id; }
std::optional<StateId> StateOf(const SkippedAction& skip) { return skip.state_id; }
std::optional<StateId> StateOf(const FailedObservation& failure) { return failure.state_id; }
std::optional<ElementId> ElementOf(const ActionEdge& edge) { return edge.element_id; }
std::optional<ElementId> ElementOf(const SkippedAction& skip) { return skip.element_id; }
std::optional<ElementId> ElementOf(const FailedObservation& failure) { return failure.element_id; }
std::optional<ActionType> TypeOf(const ActionEdge& edge) { return edge.action_type; }
std::optional<ActionType> TypeOf(const SkippedAction& skip) { return skip.action_type; }
std::optional<ActionType> TypeOf(const FailedObservation& failure) { return failure.action_type; }

// What keeps two records about one action apart.
std::vector<NameValue> DetailsOf(const ActionEdge& edge) { return edge.action_params; }
std::vector<NameValue> DetailsOf(const SkippedAction& /*skip*/) { return {}; }
std::vector<NameValue> DetailsOf(const FailedObservation& failure) {
  return {{"reason", std::string(ToString(failure.reason))}};
}

// Why the action was not done; nothing for edges.
std::optional<std::string> ReasonOf(const ActionEdge& /*edge*/) { return std::nullopt; }
std::optional<std::string> ReasonOf(const SkippedAction& skip) { return skip.reason; }
std::optional<std::string> ReasonOf(const FailedObservation& failure) {
  return std::string(ToString(failure.reason));
}

template <class Record>
constexpr RecordKind kIndexKindOf = RecordKind::kEdge;
template <>
constexpr RecordKind kIndexKindOf<SkippedAction> = RecordKind::kSkip;
template <>
constexpr RecordKind kIndexKindOf<FailedObservation> = RecordKind::kFailure;

template <class Record>
constexpr DiffSection kSectionOf = DiffSection::kEdges;
template <>
constexpr DiffSection kSectionOf<SkippedAction> = DiffSection::kSkips;
template <>
constexpr DiffSection kSectionOf<FailedObservation> = DiffSection::kFailures;

// An action as the first run calls it.
struct Action {
  std::optional<StateId> state;
  std::optional<ElementId> element;
  std::optional<ActionType> type;
  auto operator<=>(const Action&) const = default;
};

// A record without a counterpart, or a change of one.
struct Found {
  Difference difference;
  Which which = Which::kAfter;          // that has it, where only one has
  std::optional<Action> action;         // where its state and element have counterparts
  std::optional<StateId> source_there;  // what the other run calls its state
  bool alone = false;
};

class ActionDiffer {
 public:
  ActionDiffer(RunSide& before, RunSide& after, const Correspondence& same)
      : before_(before), after_(after), same_(same) {}

  Result<std::vector<Difference>> Compare() {
    TOPODB_TRY_VOID(CompareKind<ActionEdge>());
    TOPODB_TRY_VOID(CompareKind<SkippedAction>());
    TOPODB_TRY_VOID(CompareKind<FailedObservation>());
    FindNewlyUndone();
    TOPODB_TRY_VOID(Excuse());
    std::vector<Difference> differences;
    for (Found& found : found_) differences.push_back(std::move(found.difference));
    return differences;
  }

 private:
  RunSide& Other(const RunSide& side) { return &side == &before_ ? after_ : before_; }

  // Whether the state has a counterpart and the element is none that was left out as unstable.
  template <class Record>
  Result<bool> IsComparable(const Record& record, RunSide& side) {
    const auto state_id = StateOf(record);
    if (!state_id) return true;
    TOPODB_TRY(const auto other_id, same_.Translate(side.which(), *state_id));
    if (!other_id) return false;
    const auto element_id = ElementOf(record);
    if (!element_id || same_.IsAlone(side.which(), *element_id)) return true;
    TOPODB_TRY(const auto element, side.FindElement(*element_id));
    if (!element || element->unstable) return false;
    TOPODB_TRY(const auto other_element, same_.Translate(side.which(), *element_id));
    if (!other_element) return false;
    TOPODB_TRY(const StatePtr here, side.FindState(*state_id));
    TOPODB_TRY(const StatePtr there, Other(side).FindState(*other_id));
    if (here == nullptr || there == nullptr) return false;
    TOPODB_TRY(const UnstableParts unstable, UnstableOfPages(side, *here, Other(side), *there));
    return !unstable.Has("element", element->anchor_key.ToString());
  }

  template <class Record>
  Result<std::optional<Action>> ActionOf(const Record& record, const RunSide& side) {
    Action action = {StateOf(record), ElementOf(record), TypeOf(record)};
    if (action.state) {
      TOPODB_TRY(const auto other, same_.Translate(side.which(), *action.state));
      if (!other) return std::optional<Action>();
      if (side.which() == Which::kAfter) action.state = other;
    }
    if (action.element) {
      TOPODB_TRY(const auto other, same_.Translate(side.which(), *action.element));
      if (!other) return std::optional<Action>();
      if (side.which() == Which::kAfter) action.element = other;
    }
    return std::optional(action);
  }

  template <class Record>
  Result<Difference> Describe(const Record& record, RunSide& side) {
    Difference difference;
    StatePtr state;
    const auto state_id = StateOf(record);
    if (state_id) {
      TOPODB_TRY(state, side.FindState(*state_id));
    }
    if (const auto element_id = ElementOf(record)) {
      TOPODB_TRY(const auto element, side.FindElement(*element_id));
      if (element) {
        difference = DifferenceOf(*element, state.get(), side, kSectionOf<Record>);
      }
    }
    difference.section = kSectionOf<Record>;
    if (state != nullptr) difference.page = PageOf(*state);
    SetIds(difference, side, side.TextOf(record.id),
           state_id ? side.TextOf(*state_id) : std::string());
    if (const auto type = TypeOf(record)) difference.action = ToString(*type);
    return difference;
  }

  template <class Record>
  Status CompareKind() {
    TOPODB_TRY(RowJoin join, JoinRows(before_.kv(), before_.number(), after_.kv(), after_.number(),
                                      kIndexKindOf<Record>));
    for (const RowPair& pair : join.changed) {
      TOPODB_TRY(const Record was, before_.Read<Record>(pair.before));
      TOPODB_TRY(const Record is, after_.Read<Record>(pair.after));
      TOPODB_TRY_VOID(ComparePair(was, is));
    }
    // Those of one action, by what keeps them apart.
    using Key = std::pair<Action, std::vector<NameValue>>;
    std::multimap<Key, IdentityRow> open;
    std::vector<IdentityRow> left;
    for (const IdentityRow& row : join.added) {
      TOPODB_TRY(const Record record, after_.Read<Record>(row));
      TOPODB_TRY(const auto action, ActionOf(record, after_));
      if (action) {
        open.emplace(Key{*action, DetailsOf(record)}, row);
      } else {
        left.push_back(row);
      }
    }
    for (const IdentityRow& row : join.removed) {
      TOPODB_TRY(const Record was, before_.Read<Record>(row));
      TOPODB_TRY(const auto action, ActionOf(was, before_));
      const auto found = action ? open.find(Key{*action, DetailsOf(was)}) : open.end();
      if (found == open.end()) {
        TOPODB_TRY_VOID(Leave(was, before_));
        continue;
      }
      TOPODB_TRY(const Record is, after_.Read<Record>(found->second));
      TOPODB_TRY_VOID(ComparePair(was, is));
      open.erase(found);
    }
    for (const auto& [key, row] : open) left.push_back(row);
    std::ranges::sort(left, [](const IdentityRow& a, const IdentityRow& b) {
      return std::pair(a.state, a.ordinal) < std::pair(b.state, b.ordinal);
    });
    for (const IdentityRow& row : left) {
      TOPODB_TRY(const Record record, after_.Read<Record>(row));
      TOPODB_TRY_VOID(Leave(record, after_));
    }
    return {};
  }

  // ---- pairs ----

  template <class Record>
  Status ReportPair(const Record& was, const Record& is, Change change,
                    std::vector<FieldChange> fields) {
    if (fields.empty()) return {};
    TOPODB_TRY(const bool comparable, IsComparable(is, after_));
    if (!comparable) return {};
    Found found;
    TOPODB_TRY(found.difference, Describe(is, after_));
    SetIds(found.difference, before_, before_.TextOf(was.id), before_.TextOf(*StateOf(was)));
    found.difference.change = change;
    found.difference.fields = std::move(fields);
    found_.push_back(std::move(found));
    return {};
  }

  Status ComparePair(const ActionEdge& was, const ActionEdge& is) {
    TOPODB_TRY(const StatePtr from_was, before_.FindState(was.from_state_id));
    TOPODB_TRY(const StatePtr from_is, after_.FindState(is.from_state_id));
    if (from_was == nullptr || from_is == nullptr) return {};
    TOPODB_TRY(const UnstableParts unstable, UnstableOfPages(before_, *from_was, after_, *from_is));
    std::vector<FieldChange> fields = CompareEdges(was, is, unstable);
    const bool risk = std::ranges::any_of(
        fields, [](const FieldChange& change) { return change.field.starts_with("risk"); });
    Change change = risk ? Change::kRiskChanged : Change::kChanged;
    TOPODB_TRY(const bool same_end, LeadsToTheSame(was, is));
    if (!same_end) {
      change = Change::kRedirected;
      TOPODB_TRY(std::string end_was, DestinationText(was, before_));
      TOPODB_TRY(std::string end_is, DestinationText(is, after_));
      fields.insert(fields.begin(), {"toStateId", std::move(end_was), std::move(end_is)});
    }
    return ReportPair(was, is, change, std::move(fields));
  }

  Status ComparePair(const SkippedAction& was, const SkippedAction& is) {
    return ReportPair(was, is, Change::kChanged, CompareSkips(was, is));
  }

  // Of one reason, the same.
  static Status ComparePair(const FailedObservation& /*was*/, const FailedObservation& /*is*/) {
    return {};
  }

  static Result<std::string> DestinationText(const ActionEdge& edge, RunSide& side) {
    if (!edge.to_state_id) return std::string();
    TOPODB_TRY(const StatePtr to, side.FindState(*edge.to_state_id));
    return to == nullptr ? side.TextOf(*edge.to_state_id)
                         : fmt::format("{} {}", PageOf(*to), to->url);
  }

  // Whether one of the places an edge leads to is the same in both runs.
  Result<bool> LeadsToTheSame(const ActionEdge& was, const ActionEdge& is) const {
    if (!was.to_state_id || !is.to_state_id) return true;  // an import that does not say
    const std::vector<StateId> is_to = store::DestinationsOf(is);
    for (const StateId& to : store::DestinationsOf(was)) {
      TOPODB_TRY(const auto same, same_.Translate(Which::kBefore, to));
      if (same && std::ranges::find(is_to, *same) != is_to.end()) return true;
    }
    return false;
  }

  // ---- what only one run has ----

  template <class Record>
  Status Leave(const Record& record, RunSide& here) {
    TOPODB_TRY(const bool comparable, IsComparable(record, here));
    if (!comparable) return {};
    Found found{
        .difference = {}, .which = here.which(), .action = {}, .source_there = {}, .alone = true};
    TOPODB_TRY(found.difference, Describe(record, here));
    TOPODB_TRY(found.action, ActionOf(record, here));
    if (const auto state = StateOf(record)) {
      TOPODB_TRY(found.source_there, same_.Translate(here.which(), *state));
      if (found.source_there) {
        (here.which() == Which::kBefore ? found.difference.after_state
                                        : found.difference.before_state) =
            Other(here).TextOf(*found.source_there);
      }
    }
    if (const auto reason = ReasonOf(record)) {
      FieldChange change{"reason", std::nullopt, std::nullopt};
      (here.which() == Which::kBefore ? change.before : change.after) = *reason;
      found.difference.fields.push_back(std::move(change));
    }
    found_.push_back(std::move(found));
    return {};
  }

  // An action that the first run did and the second refused or could not do is one difference.
  void FindNewlyUndone() {
    std::set<Action> done_before;
    for (const Found& found : found_) {
      if (found.alone && found.which == Which::kBefore && found.action && found.action->element &&
          found.difference.section == DiffSection::kEdges) {
        done_before.insert(*found.action);
      }
    }
    std::set<Action> undone;
    for (Found& found : found_) {
      const bool is_new = found.alone && found.which == Which::kAfter && found.action;
      if (!is_new || !done_before.contains(*found.action)) continue;
      if (found.difference.section == DiffSection::kEdges) continue;
      const bool skip = found.difference.section == DiffSection::kSkips;
      found.difference.change = skip ? Change::kNewlySkipped : Change::kNewlyFailing;
      found.alone = false;
      undone.insert(*found.action);
    }
    std::erase_if(found_, [&](const Found& found) {
      return found.alone && found.which == Which::kBefore && found.action &&
             found.difference.section == DiffSection::kEdges && undone.contains(*found.action);
    });
  }

  // Why the other run may lack what one has though it is not gone.
  Status Excuse() {
    std::set<std::pair<Which, Action>> tried;
    for (const Found& found : found_) {
      if (found.alone && found.action) tried.emplace(found.which, *found.action);
    }
    for (Found& found : found_) {
      if (!found.alone) continue;
      RunSide& here = found.which == Which::kBefore ? before_ : after_;
      RunSide& there = Other(here);
      std::optional<std::string> excuse;
      if (found.difference.section == DiffSection::kSkips) {
        excuse = there.WhyNotRefused();
      } else if (found.source_there && found.action && found.action->type &&
                 !tried.contains({there.which(), *found.action})) {
        TOPODB_TRY(excuse, there.WhyNotLooked(found.source_there));
      }
      found.difference = Missing(std::move(found.difference), here, std::move(excuse));
    }
    return {};
  }

  RunSide& before_;
  RunSide& after_;
  const Correspondence& same_;
  std::vector<Found> found_;
};

}  // namespace

Result<UnstableParts> UnstableOfPages(RunSide& before, const State& was, RunSide& after,
                                      const State& is) {
  TOPODB_TRY(const PageFacts* page_was, before.PageOf(was));
  TOPODB_TRY(const PageFacts* page_is, after.PageOf(is));
  return UnstableParts(page_was->unstable, page_is->unstable);
}

Difference Missing(Difference difference, const RunSide& here, std::optional<std::string> excuse) {
  difference.change = here.which() == Which::kBefore ? Change::kRemoved : Change::kAdded;
  if (excuse) {
    difference.change = Change::kNotObserved;
    difference.cause = *std::move(excuse);
  }
  return difference;
}

Result<std::vector<Difference>> CompareActions(RunSide& before, RunSide& after,
                                               const Correspondence& same) {
  return ActionDiffer(before, after, same).Compare();
}

}  // namespace topodb::query
