#include "store/run_change.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "schema/codec.h"
#include "store/keys.h"
#include "store/lookup.h"

namespace topodb::store {
namespace {

template <class RecordId>
Error SeenTwice(const RecordId& id) {
  return {ErrorCode::kInvalidArgument, fmt::format("{} is in this run already", id.ToString()), {}};
}

}  // namespace

RunChange::RunChange(Kv& kv, RunProgress& progress)
    : kv_(kv),
      progress_(progress),
      totals_(progress.totals),
      next_state_(progress.next_state),
      next_edge_(progress.next_edge),
      no_state_(progress.no_state) {}

Status RunChange::Add(const StateBundle& bundle) {
  TOPODB_TRY_VOID(AddState(bundle.state));
  for (const Element& element : bundle.elements) TOPODB_TRY_VOID(AddElement(element));
  for (const Landmark& landmark : bundle.landmarks) TOPODB_TRY_VOID(AddLandmark(landmark));
  for (const SkippedAction& skip : bundle.skips) TOPODB_TRY_VOID(AddSkip(skip));
  for (const FailedObservation& failure : bundle.failures) TOPODB_TRY_VOID(Add(failure));
  return {};
}

Status RunChange::Add(const Transition& transition) {
  if (transition.new_state) TOPODB_TRY_VOID(Add(*transition.new_state));
  const ActionEdge& edge = transition.edge;
  TOPODB_TRY(const auto stored,
             FindIdentity(kv_, progress_.number, RecordKind::kEdge, edge.id.bytes));
  if (stored) return AddDestination(*stored, edge);
  return AddNewEdge(edge);
}

Status RunChange::Add(const FailedObservation& failure) {
  TOPODB_TRY(const bool seen, SeenBefore(RecordKind::kFailure, failure.id.bytes));
  if (seen) return {};
  StateSlots* slots = &no_state_;
  if (failure.state_id) {
    TOPODB_TRY(slots, SlotsOf(*failure.state_id));
  }
  Insert(RowsOf(failure, {progress_.number, slots->ordinal, slots->failures++}));
  return {};
}

Status RunChange::Add(const CompletionObservation& observation) {
  TOPODB_TRY(const bool seen, SeenBefore(RecordKind::kObservation, observation.id.bytes));
  if (seen) return {};
  StateSlots* slots = &no_state_;
  if (observation.state_id) {
    TOPODB_TRY(slots, SlotsOf(*observation.state_id));
  }
  Insert(RowsOf(observation, {progress_.number, slots->ordinal, slots->observations++}));
  return {};
}

Status RunChange::Add(const StateObservation& observation) {
  TOPODB_TRY(const auto stored,
             FindIdentity(kv_, progress_.number, RecordKind::kState, observation.state_id.bytes));
  if (!stored) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is not in this run", observation.state_id.ToString()),
                 {}};
  }
  TOPODB_TRY(const std::string old_record,
             GetStored(kv_, Kind::kState, progress_.number, stored->state, 0));
  TOPODB_TRY(State state, Decode<State>(old_record));
  state.lifecycle = observation.lifecycle;
  std::vector<UnstablePart>& parts = state.unstable_parts;
  parts.insert(parts.end(), observation.unstable_parts.begin(), observation.unstable_parts.end());
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  Rewrite(RowsOf(state, {progress_.number, stored->state, 0}), old_record);
  return {};
}

Status RunChange::Add(const std::vector<ForeignId>& ids) {
  if (progress_.id_scheme != IdScheme::kForeign) {
    return Error{ErrorCode::kInvalidArgument, "this run makes its own ids", {}};
  }
  std::map<IdBytes, std::string> texts;
  for (const auto& [id, text] : ids) {
    Key key;
    key.kind = Kind::kForeignId;
    key.run = progress_.number;
    key.id = id;
    std::string bytes = EncodeKey(key);
    TOPODB_TRY(const auto stored, kv_.Get(bytes));
    const auto [known, added] = texts.emplace(id, stored.value_or(text));
    if (known->second != text) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("ids '{}' and '{}' stand for the same bytes", known->second, text),
                   {}};
    }
    if (stored || !added) continue;
    totals_.Add(bytes, text);
    batch_.Put(std::move(bytes), text);
  }
  return {};
}

Status RunChange::Apply(Durability durability) && {
  if (!batch_.empty()) TOPODB_TRY_VOID(kv_.Apply(batch_, durability));
  for (const auto& [id, slots] : touched_) progress_.states.insert_or_assign(id, slots);
  progress_.no_state = no_state_;
  progress_.next_state = next_state_;
  progress_.next_edge = next_edge_;
  progress_.totals = totals_;
  return {};
}

Status RunChange::AddState(const State& state) {
  if (progress_.states.contains(state.id) || touched_.contains(state.id)) {
    return SeenTwice(state.id);
  }
  const StateOrdinal ordinal = next_state_++;
  touched_[state.id] = {.ordinal = ordinal};
  Insert(RowsOf(state, {progress_.number, ordinal, 0}));
  return {};
}

Status RunChange::AddElement(const Element& element) {
  TOPODB_TRY(const bool seen, SeenBefore(RecordKind::kElement, element.id.bytes));
  if (seen) return SeenTwice(element.id);
  TOPODB_TRY(StateSlots* const slots, SlotsOf(element.state_id));
  Insert(RowsOf(element, {progress_.number, slots->ordinal, slots->elements++}));
  return {};
}

Status RunChange::AddLandmark(const Landmark& landmark) {
  TOPODB_TRY(const bool seen, SeenBefore(RecordKind::kLandmark, landmark.id.bytes));
  if (seen) return SeenTwice(landmark.id);
  TOPODB_TRY(StateSlots* const slots, SlotsOf(landmark.state_id));
  Insert(RowsOf(landmark, {progress_.number, slots->ordinal, slots->landmarks++}));
  return {};
}

Status RunChange::AddSkip(const SkippedAction& skip) {
  TOPODB_TRY(const bool seen, SeenBefore(RecordKind::kSkip, skip.id.bytes));
  if (seen) return {};
  TOPODB_TRY(StateSlots* const slots, SlotsOf(skip.state_id));
  Insert(RowsOf(skip, {progress_.number, slots->ordinal, slots->skips++}));
  return {};
}

Status RunChange::AddNewEdge(const ActionEdge& edge) {
  TOPODB_TRY(const StateSlots* const from, SlotsOf(edge.from_state_id));
  TOPODB_TRY(const auto destinations, OrdinalsOf(DestinationsOf(edge)));
  Insert(RowsOf(edge, {progress_.number, from->ordinal, next_edge_++}, destinations));
  return {};
}

Status RunChange::AddDestination(const IdentityRow& stored, const ActionEdge& again) {
  TOPODB_TRY(const std::string old_record,
             GetStored(kv_, Kind::kEdge, progress_.number, stored.state, stored.ordinal));
  TOPODB_TRY(ActionEdge edge, Decode<ActionEdge>(old_record));
  const std::vector<StateId> known = DestinationsOf(edge);
  if (!again.to_state_id || std::ranges::find(known, *again.to_state_id) != known.end()) return {};
  if (edge.to_state_id) {
    edge.other_to_state_ids.push_back(*again.to_state_id);
    edge.lifecycle = Lifecycle::kConflicted;
    edge.evidence.push_back({EvidenceLevel::kObserved, "store",
                             "led to " + again.to_state_id->ToString() + " another time"});
  } else {
    edge.to_state_id = again.to_state_id;
  }
  TOPODB_TRY(const auto destinations, OrdinalsOf(DestinationsOf(edge)));
  Rewrite(RowsOf(edge, {progress_.number, stored.state, stored.ordinal}, destinations), old_record);
  return {};
}

Result<std::vector<StateOrdinal>> RunChange::OrdinalsOf(const std::vector<StateId>& destinations) {
  std::vector<StateOrdinal> ordinals;
  for (const StateId& destination : destinations) {
    TOPODB_TRY(const StateSlots* const slots, SlotsOf(destination));
    if (slots->ordinal != kNoState) ordinals.push_back(slots->ordinal);
  }
  return ordinals;
}

Result<StateSlots*> RunChange::SlotsOf(const StateId& id) {
  if (const auto touched = touched_.find(id); touched != touched_.end()) return &touched->second;
  if (const auto state = progress_.states.find(id); state != progress_.states.end()) {
    return &touched_.emplace(id, state->second).first->second;
  }
  if (progress_.id_scheme == IdScheme::kForeign) return &no_state_;
  return Error{
      ErrorCode::kInvalidArgument, fmt::format("{} is not in this run", id.ToString()), {}};
}

Result<bool> RunChange::SeenBefore(RecordKind kind, const IdBytes& id) {
  if (!ids_.emplace(kind, id).second) return true;
  TOPODB_TRY(const auto stored, FindIdentity(kv_, progress_.number, kind, id));
  return stored.has_value();
}

void RunChange::Insert(std::vector<Row> rows) {
  for (Row& row : rows) {
    totals_.Add(row.key, row.value);
    batch_.Put(std::move(row.key), std::move(row.value));
  }
}

void RunChange::Rewrite(std::vector<Row> rows, const std::string& old_record) {
  totals_.Replace(rows.front().key, old_record, rows.front().value);
  for (Row& row : rows) batch_.Put(std::move(row.key), std::move(row.value));
}

}  // namespace topodb::store
