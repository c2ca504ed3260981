#include "tests/support/recording_sink.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "schema/names.h"

namespace topodb::testing {
namespace {

template <class Record, class IdType>
const Record* ById(const std::vector<Record>& records, const IdType& id) {
  const auto it = std::ranges::find(records, id, &Record::id);
  return it == records.end() ? nullptr : &*it;
}

Error Broken(std::string why) { return Error{ErrorCode::kInvalidArgument, std::move(why), ""}; }

std::string DumpEffects(const std::vector<Effect>& effects) {
  std::string text;
  for (const Effect& effect : effects) {
    text += fmt::format(" [{} {} {} {}", ToString(effect.type), effect.before.value_or("-"),
                        effect.after.value_or("-"), effect.description);
    for (const auto& [name, value] : effect.details) text += fmt::format(" {}={}", name, value);
    text += "]";
  }
  return text;
}

}  // namespace

Status RecordingSink::Refuse(std::string why) {
  violations.push_back(why);
  return Broken(std::move(why));
}

Status RecordingSink::Count() {
  if (!IsOpen()) return Refuse("a record outside of a run");
  if (++calls_ == fail_call_) return Error{ErrorCode::kIo, "no space left on device", ""};
  return {};
}

Status RecordingSink::BeginRun(const Run& begun) {
  if (run) return Refuse("a second BeginRun");
  run = begun;
  return {};
}

Status RecordingSink::CheckFailure(const FailedObservation& failure,
                                   const StateBundle* with) const {
  if (failure.message.empty()) return Broken("a failure without a message");
  if (failure.element_id && !FindElement(*failure.element_id) &&
      (with == nullptr || ById(with->elements, *failure.element_id) == nullptr)) {
    return Broken("a failure of an unknown element");
  }
  if (failure.state_id && !FindState(*failure.state_id) &&
      (with == nullptr || with->state.id != *failure.state_id)) {
    return Broken("a failure of an unknown state");
  }
  return {};
}

Status RecordingSink::CheckBundle(const StateBundle& bundle) {
  const StateId& id = bundle.state.id;
  if (id.is_zero()) return Broken("a state without an id");
  if (FindState(id) != nullptr) return Broken("state twice: " + id.ToString());
  std::set<ElementId> ids;
  for (const Element& element : bundle.elements) {
    if (element.state_id != id) return Broken("an element of another state");
    if (FindElement(element.id) != nullptr || !ids.insert(element.id).second) {
      return Broken("element twice: " + element.id.ToString());
    }
  }
  std::set<LandmarkId> marks;
  for (const Landmark& landmark : bundle.landmarks) {
    if (landmark.state_id != id) return Broken("a landmark of another state");
    if (!marks.insert(landmark.id).second) return Broken("landmark twice");
  }
  for (const SkippedAction& skip : bundle.skips) {
    if (skip.state_id != id || !ids.contains(skip.element_id)) return Broken("a dangling skip");
  }
  for (const FailedObservation& failure : bundle.failures) {
    if (failure.state_id != id) return Broken("a failure of another state");
    TOPODB_TRY_VOID(CheckFailure(failure, &bundle));
  }
  return {};
}

void RecordingSink::Keep(const StateBundle& bundle) {
  states.push_back(bundle.state);
  elements.insert(elements.end(), bundle.elements.begin(), bundle.elements.end());
  landmarks.insert(landmarks.end(), bundle.landmarks.begin(), bundle.landmarks.end());
  skips.insert(skips.end(), bundle.skips.begin(), bundle.skips.end());
  failures.insert(failures.end(), bundle.failures.begin(), bundle.failures.end());
}

Status RecordingSink::AddState(const StateBundle& bundle) {
  TOPODB_TRY_VOID(Count());
  if (const auto status = CheckBundle(bundle); !status) return Refuse(status.error().message);
  Keep(bundle);
  return {};
}

Status RecordingSink::AddTransition(const Transition& transition) {
  TOPODB_TRY_VOID(Count());
  const ActionEdge& edge = transition.edge;
  if (!FindState(edge.from_state_id)) return Refuse("an edge from an unknown state");
  const Element* element = FindElement(edge.element_id);
  if (element == nullptr || element->state_id != edge.from_state_id) {
    return Refuse("an edge by an element of another state");
  }
  if (edge.locator_id && ById(element->locators, *edge.locator_id) == nullptr) {
    return Refuse("an edge by an unknown locator");
  }
  if (ById(edges, edge.id) != nullptr) return Refuse("edge twice: " + edge.id.ToString());
  if (transition.new_state) {
    if (edge.to_state_id != transition.new_state->state.id) {
      return Refuse("an edge that does not lead to its new state");
    }
    const auto status = CheckBundle(*transition.new_state);
    if (!status) return Refuse(status.error().message);
    Keep(*transition.new_state);
  } else if (!edge.to_state_id || !FindState(*edge.to_state_id)) {
    return Refuse("an edge to an unknown state");
  }
  edges.push_back(edge);
  return {};
}

Status RecordingSink::AddFailure(const FailedObservation& failure) {
  TOPODB_TRY_VOID(Count());
  const auto status = CheckFailure(failure, nullptr);
  if (!status) return Refuse(status.error().message);
  // A store keeps the first of an id only, so that the second would be lost without a word.
  const auto same = std::ranges::find(failures, failure.id, &FailedObservation::id);
  if (same != failures.end()) return Refuse("two failures of one id: " + failure.message);
  failures.push_back(failure);
  return {};
}

Status RecordingSink::AddCompletion(const CompletionObservation& observation) {
  TOPODB_TRY_VOID(Count());
  if (observation.state_id && !FindState(*observation.state_id)) {
    return Refuse("a completion in an unknown state");
  }
  if (observation.element_id && !FindElement(*observation.element_id)) {
    return Refuse("a completion of an unknown element");
  }
  completions.push_back(observation);
  return {};
}

Status RecordingSink::AddObservation(const StateObservation& observation) {
  TOPODB_TRY_VOID(Count());
  if (!FindState(observation.state_id)) return Refuse("an observation of an unknown state");
  if (!std::ranges::is_sorted(observation.unstable_parts)) return Refuse("unsorted unstable parts");
  observations.push_back(observation);
  return {};
}

Status RecordingSink::AddForeignIds(const std::vector<ForeignId>& /*ids*/) {
  return Refuse("foreign ids in a run of its own scheme");
}

Status RecordingSink::EndRun(const Run& end) {
  if (!IsOpen()) return Refuse("EndRun without a run");
  ended = end;
  return {};
}

Status RecordingSink::DiscardRun() {
  if (!IsOpen()) return Refuse("DiscardRun without a run");
  *this = RecordingSink();
  return {};
}

const State* RecordingSink::FindState(const StateId& id) const { return ById(states, id); }
const Element* RecordingSink::FindElement(const ElementId& id) const { return ById(elements, id); }

std::string RecordingSink::Dump() const {
  std::string text;
  const auto line = [&](std::string_view kind, std::string rest) {
    text.append(kind).append(" ").append(rest).append("\n");
  };
  for (const State& state : states) {
    line("state", fmt::format("{} {} {} {}", state.id.ToString(), state.url, state.title,
                              ToString(state.lifecycle)));
    for (const UnstablePart& part : state.unstable_parts) {
      line("  unstable", part.kind + " " + part.key);
    }
  }
  for (const Element& element : elements) {
    line("element", fmt::format("{} {} {}", element.id.ToString(), element.role.value_or("-"),
                                element.accessible_name.value_or("-")));
  }
  for (const ActionEdge& edge : edges) {
    line("edge",
         fmt::format("{} {} {} {}{}", edge.id.ToString(), edge.from_state_id.ToString(),
                     edge.element_id.ToString(), edge.to_state_id.value_or(StateId{}).ToString(),
                     DumpEffects(edge.effects)));
  }
  for (const SkippedAction& skip : skips) {
    line("skip", fmt::format("{} {}", skip.id.ToString(), skip.reason));
  }
  for (const FailedObservation& failure : failures) {
    line("failure", fmt::format("{} {} {}{}", failure.id.ToString(), ToString(failure.reason),
                                failure.message, DumpEffects(failure.effects)));
  }
  for (const CompletionObservation& completion : completions) {
    line("completion", fmt::format("{} {} {}", completion.id.ToString(),
                                   ToString(completion.status), completion.text.value_or("-")));
  }
  for (const Landmark& landmark : landmarks) {
    line("landmark", fmt::format("{} {} {}", landmark.id.ToString(), landmark.role,
                                 landmark.name.value_or("-")));
  }
  for (const StateObservation& observation : observations) {
    line("observation", observation.state_id.ToString());
    for (const UnstablePart& part : observation.unstable_parts) {
      line("  unstable", part.kind + " " + part.key);
    }
  }
  return text;
}

}  // namespace topodb::testing
