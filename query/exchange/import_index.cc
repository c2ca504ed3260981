#include "query/exchange/import_index.h"

#include <algorithm>

#include <fmt/format.h>

namespace topodb::query {
namespace {

template <class RecordId>
std::optional<IdBytes> BytesOf(const std::optional<RecordId>& id) {
  return id ? std::optional(id->bytes) : std::nullopt;
}

Status SortUnique(std::vector<std::pair<IdBytes, uint32_t>>& ids, std::string_view what,
                  Section section) {
  std::sort(ids.begin(), ids.end());
  const auto same_id = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(ids.begin(), ids.end(), same_id);
  if (twice == ids.end()) return {};
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{}: same {}id as {}", PlaceOf(section, std::next(twice)->second), what,
                           PlaceOf(section, twice->second)),
               {}};
}

void Count(ImportIndex::Dangling& dangling, Section section, size_t record,
           std::string_view field) {
  if (dangling.count++ == 0) {
    dangling.first = fmt::format("{}.{}", PlaceOf(section, record), field);
  }
}

}  // namespace

std::string PlaceOf(Section section, size_t record) {
  return fmt::format("{}[{}]", kSections.at(static_cast<size_t>(section)).name, record);
}

void ImportIndex::AddRecord(Section section, const IdBytes& id, std::optional<IdBytes> state) {
  Records& records = Of(section);
  records.ids.emplace_back(id, static_cast<uint32_t>(records.ids.size()));
  records.states.push_back(state);
}

// The record is the last one that was added to its section.
void ImportIndex::Refer(Section section, std::string_view field, Section target,
                        const IdBytes& to) {
  const auto record = static_cast<uint32_t>(Of(section).ids.size() - 1);
  references_.push_back(
      {.to = to, .target = target, .section = section, .field = field, .record = record});
}

void ImportIndex::Add(const State& state) {
  AddRecord(Section::kStates, state.id.bytes, std::nullopt);
  if (state.opened_by_edge_id) {
    Refer(Section::kStates, "openedByEdgeId", Section::kEdges, state.opened_by_edge_id->bytes);
  }
}

void ImportIndex::Add(const Landmark& landmark) {
  const auto state = static_cast<uint32_t>(Of(Section::kStates).ids.size() - 1);
  landmarks_.emplace_back(landmark.id.bytes, state);
}

void ImportIndex::Add(const Element& element) {
  AddRecord(Section::kElements, element.id.bytes, element.state_id.bytes);
}

void ImportIndex::Add(const ActionEdge& edge) {
  AddRecord(Section::kEdges, edge.id.bytes, edge.from_state_id.bytes);
  Refer(Section::kEdges, "elementId", Section::kElements, edge.element_id.bytes);
  if (edge.to_state_id) {
    Refer(Section::kEdges, "toStateId", Section::kStates, edge.to_state_id->bytes);
  }
  for (const StateId& other : edge.other_to_state_ids) {
    Refer(Section::kEdges, "otherToStateIds", Section::kStates, other.bytes);
  }
}

void ImportIndex::Add(const SkippedAction& skip) {
  AddRecord(Section::kSkips, skip.id.bytes, skip.state_id.bytes);
  Refer(Section::kSkips, "elementId", Section::kElements, skip.element_id.bytes);
}

void ImportIndex::Add(const FailedObservation& failure) {
  AddRecord(Section::kFailures, failure.id.bytes, BytesOf(failure.state_id));
  if (failure.element_id) {
    Refer(Section::kFailures, "elementId", Section::kElements, failure.element_id->bytes);
  }
}

void ImportIndex::Add(const CompletionObservation& observation) {
  AddRecord(Section::kObservations, observation.id.bytes, BytesOf(observation.state_id));
  if (observation.element_id) {
    Refer(Section::kObservations, "elementId", Section::kElements, observation.element_id->bytes);
  }
}

Status ImportIndex::Close() {
  for (const SectionName& section : kSections) {
    TOPODB_TRY_VOID(SortUnique(Of(section.section).ids, "", section.section));
  }
  TOPODB_TRY_VOID(SortUnique(landmarks_, "landmark ", Section::kStates));
  FindDangling(Section::kElements, "stateId");
  FindDangling(Section::kEdges, "fromStateId");
  FindDangling(Section::kSkips, "stateId");
  FindDangling(Section::kFailures, "stateId");
  FindDangling(Section::kObservations, "stateId");
  for (const Reference& reference : references_) {
    if (Find(reference.target, reference.to)) continue;
    const bool to_state = reference.target == Section::kStates;
    Count(to_state ? dangling_states_ : dangling_others_, reference.section, reference.record,
          reference.field);
  }
  references_ = {};
  return {};
}

void ImportIndex::FindDangling(Section section, std::string_view state_field) {
  const Records& records = Of(section);
  for (size_t i = 0; i < records.states.size(); ++i) {
    if (!records.states[i] || Find(Section::kStates, *records.states[i])) continue;
    Count(dangling_states_, section, i, state_field);
  }
}

std::optional<uint32_t> ImportIndex::Find(Section section, const IdBytes& id) const {
  const std::vector<IdAt>& ids = Of(section).ids;
  const auto found = std::lower_bound(ids.begin(), ids.end(), IdAt{id, 0});
  if (found == ids.end() || found->first != id) return std::nullopt;
  return found->second;
}

std::vector<ImportIndex::Placed> ImportIndex::ByState(Section section) const {
  const Records& records = Of(section);
  std::vector<Placed> placed;
  placed.reserve(records.states.size());
  for (uint32_t i = 0; i < records.states.size(); ++i) {
    const auto& state = records.states[i];
    const auto found = state ? Find(Section::kStates, *state) : std::nullopt;
    placed.push_back({.state = found.value_or(kNoState), .record = i});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.state < b.state; });
  return placed;
}

}  // namespace topodb::query
