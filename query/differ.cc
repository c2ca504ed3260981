#include "query/differ.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "query/align.h"
#include "query/compare.h"
#include "query/diff_judge.h"
#include "schema/names.h"
#include "store/rows.h"

namespace topodb::query {
namespace {

// The state and the element that a record is about, and what was or was not done.
const StateId* StateOf(const ActionEdge& edge) { return &edge.from_state_id; }
const StateId* StateOf(const SkippedAction& skip) { return &skip.state_id; }
const StateId* StateOf(const FailedObservation& failure) {
  return failure.state_id ? &*failure.state_id : nullptr;
}
std::optional<ElementId> ElementOf(const ActionEdge& edge) { return edge.element_id; }
std::optional<ElementId> ElementOf(const SkippedAction& skip) { return skip.element_id; }
std::optional<ElementId> ElementOf(const FailedObservation& failure) { return failure.element_id; }
std::optional<ActionType> TypeOf(const ActionEdge& edge) { return edge.action_type; }
std::optional<ActionType> TypeOf(const SkippedAction& skip) { return skip.action_type; }
std::optional<ActionType> TypeOf(const FailedObservation& failure) { return failure.action_type; }

// Where the run did something about an element: acted on it, refused to, or failed.
using Tried = std::set<std::pair<StateId, ElementId>>;

Tried TriedIn(const RunGraph& graph) {
  Tried tried;
  const auto add = [&](const auto& records) {
    for (const auto& record : records) {
      const auto element = ElementOf(record);
      const StateId* state = StateOf(record);
      if (state != nullptr && element && TypeOf(record)) tried.emplace(*state, *element);
    }
  };
  add(graph.edges);
  add(graph.skips);
  add(graph.failures);
  return tried;
}

// One of the two runs.
struct Side {
  Side(const RunGraph& graph, std::string name)
      : index(graph), witness(index, std::move(name)), tried(TriedIn(graph)) {
    for (const State& state : graph.states) {
      auto& parts = unstable[state.url_canonical_key];
      parts.insert(parts.end(), state.unstable_parts.begin(), state.unstable_parts.end());
    }
  }

  // A state that was seen once shares what was found unstable in other states of its page.
  const std::vector<UnstablePart>& UnstableOf(const State& state) const {
    return unstable.at(state.url_canonical_key);
  }

  const GraphIndex index;
  const Witness witness;
  const Tried tried;
  std::unordered_map<std::string, std::vector<UnstablePart>> unstable;  // by URL key
  // What the other run calls the same states and elements.
  std::unordered_map<StateId, StateId> states;
  std::unordered_map<ElementId, ElementId> elements;
  // Elements of aligned states that the other run really has not.
  std::set<ElementId> only_here;
};

std::string PageOf(const State* state) {
  if (state == nullptr) return {};
  return state->title.empty() ? state->route : state->title;
}

// 'row "Acme", dialog "Edit"': the containers that people would name.
std::string WhereText(const Element& element) {
  std::string where;
  for (const ContextKind kind :
       {ContextKind::kRow, ContextKind::kListItem, ContextKind::kDialog, ContextKind::kForm}) {
    for (const ContextAnchor& anchor : element.context) {
      const std::string name = anchor.key.value_or(anchor.name.value_or(""));
      if (anchor.kind != kind || name.empty() || name == element.accessible_name) continue;
      where += fmt::format("{}{} \"{}\"", where.empty() ? "" : ", ", ToString(kind), name);
    }
  }
  return where;
}

std::string NameOf(const Element& element) {
  if (!element.accessible_name.value_or("").empty()) return *element.accessible_name;
  return element.text.value_or("");
}

class Differ {
 public:
  Differ(const RunGraph& before, const RunGraph& after)
      : before_(before, "the first run"),
        after_(after, "the second run"),
        sites_(before.run, after.run) {}

  Diff Compare() {
    diff_.before_run = before_.index.TextOf(before_.index.graph().run.id);
    diff_.after_run = after_.index.TextOf(after_.index.graph().run.id);
    const Alignment<State> states = AlignStates(before_.index, after_.index);
    diff_.aligned_states = states.pairs.size();
    for (const auto& [was, is] : states.pairs) {
      before_.states.emplace(was->id, is->id);
      after_.states.emplace(is->id, was->id);
    }
    for (const auto& pair : states.pairs) CompareStatePair(*pair.before, *pair.after);
    for (const State* state : states.removed) MissState(*state, before_, after_);
    for (const State* state : states.added) MissState(*state, after_, before_);
    for (const auto& pair : states.pairs) CompareElementsOf(*pair.before, *pair.after);
    CompareEdgeLists();
    CompareSkipLists();
    CompareFailureLists();
    return std::move(diff_);
  }

 private:
  bool IsBefore(const Side& side) const { return &side == &before_; }

  UnstableParts UnstableIn(const State& was, const State& is) const {
    return {before_.UnstableOf(was), after_.UnstableOf(is)};
  }

  // ---- states ----

  Difference StateDifference(const State& state, const Side& side) const {
    Difference difference;
    difference.section = DiffSection::kStates;
    difference.role = "page";
    difference.name = state.title;
    difference.where = state.url;
    SetIds(difference, side, side.index.TextOf(state.id), side.index.TextOf(state.id));
    return difference;
  }

  // `here` has the record; fills in the ids of its side.
  void SetIds(Difference& difference, const Side& here, std::string id, std::string state) const {
    (IsBefore(here) ? difference.before_id : difference.after_id) = std::move(id);
    (IsBefore(here) ? difference.before_state : difference.after_state) = std::move(state);
  }

  void CompareStatePair(const State& was, const State& is) {
    std::vector<FieldChange> fields = CompareStates(was, is, UnstableIn(was, is));
    if (fields.empty()) return;
    Difference difference = StateDifference(is, after_);
    SetIds(difference, before_, before_.index.TextOf(was.id), before_.index.TextOf(was.id));
    difference.change = Change::kChanged;
    difference.fields = std::move(fields);
    diff_.differences.push_back(std::move(difference));
  }

  // What `there` calls the state that `state` was opened from.
  static std::optional<StateId> SourceOf(const State& state, const Side& here) {
    const ActionEdge* edge =
        state.opened_by_edge_id ? here.index.Find(*state.opened_by_edge_id) : nullptr;
    if (edge == nullptr) return std::nullopt;
    const auto found = here.states.find(edge->from_state_id);
    return found == here.states.end() ? std::nullopt : std::optional(found->second);
  }

  void MissState(const State& state, const Side& here, const Side& there) {
    Report(StateDifference(state, here), here, there.witness.WhyNotLooked(SourceOf(state, here)));
  }

  // A record that only `here` has: added or removed, or perhaps just not looked for.
  void Report(Difference difference, const Side& here, std::optional<std::string> excuse) {
    difference.change = IsBefore(here) ? Change::kRemoved : Change::kAdded;
    if (excuse) {
      difference.change = Change::kNotObserved;
      difference.cause = *std::move(excuse);
    }
    diff_.differences.push_back(std::move(difference));
  }

  // ---- elements ----

  Difference ElementDifference(const Element& element, const Side& side,
                               DiffSection section) const {
    Difference difference;
    difference.section = section;
    difference.role = element.role.value_or(element.tag);
    difference.name = NameOf(element);
    difference.where = WhereText(element);
    difference.page = PageOf(side.index.Find(element.state_id));
    SetIds(difference, side, side.index.TextOf(element.id), side.index.TextOf(element.state_id));
    return difference;
  }

  void CompareElementsOf(const State& was, const State& is) {
    const UnstableParts unstable = UnstableIn(was, is);
    const std::vector<AnchorKey> left_out = unstable.Anchors("element");
    const std::vector<AnchorKey> restless = unstable.Anchors("content");
    const ElementAlignment aligned =
        AlignElements(before_.index.ElementsOf(was.id), after_.index.ElementsOf(is.id),
                      {left_out.begin(), left_out.end()});
    for (const ElementPair& pair : aligned.pairs) {
      before_.elements.emplace(pair.before->id, pair.after->id);
      after_.elements.emplace(pair.after->id, pair.before->id);
      const bool compare =
          std::find(restless.begin(), restless.end(), pair.after->anchor_key) == restless.end();
      if (compare) CompareElementPair(pair);
    }
    for (const Element* element : aligned.removed) MissElement(*element, before_);
    for (const Element* element : aligned.added) MissElement(*element, after_);
  }

  void CompareElementPair(const ElementPair& pair) {
    std::vector<FieldChange> fields = CompareElements(*pair.before, *pair.after, sites_);
    const bool moved = pair.likeness == Likeness::kSameIdElsewhere;
    if (fields.empty() && !moved) return;
    Difference difference = ElementDifference(*pair.after, after_, DiffSection::kElements);
    SetIds(difference, before_, before_.index.TextOf(pair.before->id),
           before_.index.TextOf(pair.before->state_id));
    const bool renamed = std::any_of(fields.begin(), fields.end(), [](const FieldChange& change) {
      return change.field == "accessibleName";
    });
    difference.change = moved ? Change::kMoved : renamed ? Change::kRenamed : Change::kChanged;
    if (moved) {
      fields.insert(fields.begin(), {"context", WhereText(*pair.before), WhereText(*pair.after)});
    }
    difference.fields = std::move(fields);
    diff_.differences.push_back(std::move(difference));
  }

  void MissElement(const Element& element, Side& here) {
    here.only_here.insert(element.id);
    Report(ElementDifference(element, here, DiffSection::kElements), here, std::nullopt);
  }

  // ---- actions ----

  // An action as the first run calls it; nullopt when a state or element has no counterpart.
  struct Action {
    StateId state = {};
    std::optional<ElementId> element = {};
    std::optional<ActionType> type = {};
    std::vector<NameValue> params;
    auto operator<=>(const Action&) const = default;
  };

  template <class RecordId>
  static std::optional<RecordId> Translate(const std::unordered_map<RecordId, RecordId>& names,
                                           const RecordId& id) {
    const auto found = names.find(id);
    return found == names.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<Action> ActionOf(const Side& side, const StateId& state,
                                 const std::optional<ElementId>& element,
                                 std::optional<ActionType> type,
                                 const std::vector<NameValue>& params) const {
    Action action{.state = state, .element = element, .type = type, .params = params};
    if (IsBefore(side)) {
      if (!before_.states.contains(state)) return std::nullopt;
      if (element && !before_.elements.contains(*element)) return std::nullopt;
      return action;
    }
    const auto same_state = Translate(after_.states, state);
    if (!same_state) return std::nullopt;
    action.state = *same_state;
    if (element) {
      action.element = Translate(after_.elements, *element);
      if (!action.element) return std::nullopt;
    }
    return action;
  }

  std::optional<Action> ActionOf(const Side& side, const ActionEdge& edge) const {
    return ActionOf(side, edge.from_state_id, edge.element_id, edge.action_type,
                    edge.action_params);
  }
  std::optional<Action> ActionOf(const Side& side, const SkippedAction& skip) const {
    return ActionOf(side, skip.state_id, skip.element_id, skip.action_type, {});
  }
  std::optional<Action> ActionOf(const Side& side, const FailedObservation& failure) const {
    const std::vector<NameValue> reason = {{"reason", std::string(ToString(failure.reason))}};
    if (!failure.state_id) return Action{.params = reason};
    return ActionOf(side, *failure.state_id, failure.element_id, failure.action_type, reason);
  }

  template <class Record>
  Difference ActionDifference(const Record& record, const Side& side, DiffSection section) const {
    const auto element_id = ElementOf(record);
    const Element* element = element_id ? side.index.Find(*element_id) : nullptr;
    Difference difference;
    if (element != nullptr) difference = ElementDifference(*element, side, section);
    difference.section = section;
    const StateId* state = StateOf(record);
    SetIds(difference, side, side.index.TextOf(record.id),
           state == nullptr ? std::string() : side.index.TextOf(*state));
    if (state != nullptr) difference.page = PageOf(side.index.Find(*state));
    if (const auto type = TypeOf(record)) difference.action = ToString(*type);
    return difference;
  }

  // Pairs the records of both runs by their action; shows pairs and what is left on either side.
  // Records in states that only one run has, or of unstable elements, are passed over.
  template <class Record, class OnPair, class OnLeft>
  void PairUp(const std::vector<Record>& was, const std::vector<Record>& is, const OnPair& on_pair,
              const OnLeft& on_left) {
    std::multimap<Action, const Record*> open;
    for (const Record& record : is) {
      if (const auto action = ActionOf(after_, record)) open.emplace(*action, &record);
    }
    for (const Record& record : was) {
      const auto action = ActionOf(before_, record);
      const auto found = action ? open.lower_bound(*action) : open.end();
      if (found != open.end() && found->first == *action) {
        on_pair(record, *found->second);
        open.erase(found);
      } else if (IsComparable(record, before_)) {
        on_left(record, before_, after_);
      }
    }
    std::set<const Record*> left;
    for (const auto& [action, record] : open) left.insert(record);
    for (const Record& record : is) {
      const bool unpaired = left.contains(&record) || !ActionOf(after_, record);
      if (unpaired && IsComparable(record, after_)) on_left(record, after_, before_);
    }
  }

  // Whether the state has a counterpart and the element is not one that was left out as unstable.
  template <class Record>
  static bool IsComparable(const Record& record, const Side& side) {
    const StateId* state = StateOf(record);
    if (state == nullptr || !side.states.contains(*state)) return state == nullptr;
    const auto element = ElementOf(record);
    return !element || side.elements.contains(*element) || side.only_here.contains(*element);
  }

  // Why `there` may lack an action of `here` though it is not gone.
  template <class Record>
  std::optional<std::string> ExcuseFor(const Record& record, const Side& here,
                                       const Side& there) const {
    const StateId* state = StateOf(record);
    if (state == nullptr) return std::nullopt;
    const auto element = ElementOf(record);
    if (element && here.only_here.contains(*element)) return std::nullopt;  // nothing to act on
    const StateId& source = here.states.at(*state);
    if (element && there.tried.contains({source, here.elements.at(*element)})) return std::nullopt;
    return there.witness.WhyNotLooked(source);
  }

  void CompareEdgeLists() {
    PairUp(
        before_.index.graph().edges, after_.index.graph().edges,
        [&](const ActionEdge& was, const ActionEdge& is) { CompareEdgePair(was, is); },
        [&](const ActionEdge& edge, const Side& here, const Side& there) {
          Report(ActionDifference(edge, here, DiffSection::kEdges), here,
                 ExcuseFor(edge, here, there));
        });
  }

  std::string DestinationText(const ActionEdge& edge, const GraphIndex& index) const {
    if (!edge.to_state_id) return {};
    const State* to = index.Find(*edge.to_state_id);
    return to == nullptr ? index.TextOf(*edge.to_state_id)
                         : fmt::format("{} {}", PageOf(to), to->url);
  }

  // Whether one of the places an edge leads to is the same in both runs.
  bool LeadsToTheSame(const ActionEdge& was, const ActionEdge& is) const {
    if (!was.to_state_id || !is.to_state_id) return true;  // an import that does not say
    const std::vector<StateId> is_to = store::DestinationsOf(is);
    for (const StateId& to : store::DestinationsOf(was)) {
      const auto same = Translate(before_.states, to);
      if (same && std::find(is_to.begin(), is_to.end(), *same) != is_to.end()) return true;
    }
    return false;
  }

  void CompareEdgePair(const ActionEdge& was, const ActionEdge& is) {
    const State* from_was = before_.index.Find(was.from_state_id);
    const State* from_is = after_.index.Find(is.from_state_id);
    std::vector<FieldChange> fields = CompareEdges(was, is, UnstableIn(*from_was, *from_is));
    if (!LeadsToTheSame(was, is)) {
      fields.insert(fields.begin(), {"toStateId", DestinationText(was, before_.index),
                                     DestinationText(is, after_.index)});
    }
    ReportPair(was, is, DiffSection::kEdges, std::move(fields));
  }

  template <class Record>
  void ReportPair(const Record& was, const Record& is, DiffSection section,
                  std::vector<FieldChange> fields) {
    if (fields.empty()) return;
    Difference difference = ActionDifference(is, after_, section);
    SetIds(difference, before_, before_.index.TextOf(was.id), before_.index.TextOf(*StateOf(was)));
    difference.change = Change::kChanged;
    difference.fields = std::move(fields);
    diff_.differences.push_back(std::move(difference));
  }

  void CompareSkipLists() {
    PairUp(
        before_.index.graph().skips, after_.index.graph().skips,
        [&](const SkippedAction& was, const SkippedAction& is) {
          ReportPair(was, is, DiffSection::kSkips, CompareSkips(was, is));
        },
        [&](const SkippedAction& skip, const Side& here, const Side& there) {
          Difference difference = ActionDifference(skip, here, DiffSection::kSkips);
          AddReason(difference, here, skip.reason);
          Report(std::move(difference), here, there.witness.WhyNotRefused());
        });
  }

  void CompareFailureLists() {
    PairUp(
        before_.index.graph().failures, after_.index.graph().failures,
        [](const FailedObservation& /*was*/, const FailedObservation& /*is*/) {},
        [&](const FailedObservation& failure, const Side& here, const Side& there) {
          Difference difference = ActionDifference(failure, here, DiffSection::kFailures);
          AddReason(difference, here, std::string(ToString(failure.reason)));
          Report(std::move(difference), here,
                 failure.action_type ? ExcuseFor(failure, here, there) : std::nullopt);
        });
  }

  void AddReason(Difference& difference, const Side& here, std::string reason) const {
    FieldChange change{"reason", std::nullopt, std::nullopt};
    (IsBefore(here) ? change.before : change.after) = std::move(reason);
    difference.fields.push_back(std::move(change));
  }

  Side before_, after_;
  Sites sites_;
  Diff diff_;
};

}  // namespace

Diff CompareGraphs(const RunGraph& before, const RunGraph& after) {
  return Differ(before, after).Compare();
}

}  // namespace topodb::query
