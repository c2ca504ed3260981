#include "store/rows.h"

#include <utility>

#include "schema/base/text.h"
#include "schema/codec.h"
#include "store/values.h"

namespace topodb::store {
namespace {

// A key of a row at, or pointing to, `place`; the caller fills in what else its kind needs.
Key KeyAt(Kind kind, const Place& place) {
  Key key;
  key.kind = kind;
  key.run = place.run;
  key.state = place.state;
  key.ordinal = place.ordinal;
  return key;
}

// The two rows that every record has.
template <class Record>
std::vector<Row> RecordRows(const Record& record, Kind kind, RecordKind record_kind,
                            const Place& place, IdentityRow identity) {
  identity.state = place.state;
  identity.ordinal = place.ordinal;
  identity.content_hash = ContentHash(record);
  Key identity_key = KeyAt(Kind::kIdentity, place);
  identity_key.tag = static_cast<uint8_t>(record_kind);
  identity_key.id = record.id.bytes;
  return {{EncodeKey(KeyAt(kind, place)), Encode(record)},
          {EncodeKey(identity_key), EncodeIdentityValue(identity, record_kind)}};
}

}  // namespace

std::vector<Row> RowsOf(const State& state, const Place& place) {
  std::vector<Row> rows = RecordRows(state, Kind::kState, RecordKind::kState, place, {});
  Key by_route = KeyAt(Kind::kStateByRoute, place);
  by_route.text = CutForIndex(state.route);
  rows.push_back({EncodeKey(by_route), {}});
  return rows;
}

std::vector<Row> RowsOf(const Element& element, const Place& place) {
  IdentityRow identity;
  identity.anchor_key = element.anchor_key;
  identity.name = element.role.value_or("") + '\t' + element.accessible_name.value_or("");
  std::vector<Row> rows =
      RecordRows(element, Kind::kElement, RecordKind::kElement, place, std::move(identity));
  Key by_name = KeyAt(Kind::kElementByName, place);
  by_name.text = CutForIndex(element.role ? *element.role : std::string_view());
  by_name.name = IndexedName(element.accessible_name.value_or(""));
  rows.push_back({EncodeKey(by_name), {}});
  return rows;
}

std::vector<Row> RowsOf(const ActionEdge& edge, const Place& place,
                        const std::vector<StateOrdinal>& destinations) {
  std::vector<Row> rows = RecordRows(edge, Kind::kEdge, RecordKind::kEdge, place, {});
  const auto risk = static_cast<uint8_t>(edge.risk_level);
  for (const StateOrdinal destination : destinations) {
    Key by_to = KeyAt(Kind::kEdgeByTo, place);
    by_to.to = destination;
    rows.push_back({EncodeKey(by_to), {}});
    Key adjacency = KeyAt(Kind::kAdjacency, place);
    adjacency.to = destination;
    rows.push_back({EncodeKey(adjacency), std::string(1, static_cast<char>(risk))});
  }
  Key by_risk = KeyAt(Kind::kEdgeByRisk, place);
  by_risk.tag = risk;
  rows.push_back({EncodeKey(by_risk), {}});
  return rows;
}

std::vector<Row> RowsOf(const SkippedAction& skip, const Place& place) {
  return RecordRows(skip, Kind::kSkip, RecordKind::kSkip, place, {});
}

std::vector<Row> RowsOf(const FailedObservation& failure, const Place& place) {
  return RecordRows(failure, Kind::kFailure, RecordKind::kFailure, place, {});
}

std::vector<Row> RowsOf(const CompletionObservation& observation, const Place& place) {
  return RecordRows(observation, Kind::kObservation, RecordKind::kObservation, place, {});
}

std::vector<Row> RowsOf(const Landmark& landmark, const Place& place) {
  return RecordRows(landmark, Kind::kLandmark, RecordKind::kLandmark, place, {});
}

std::vector<StateId> DestinationsOf(const ActionEdge& edge) {
  std::vector<StateId> destinations;
  if (edge.to_state_id) destinations.push_back(*edge.to_state_id);
  destinations.insert(destinations.end(), edge.other_to_state_ids.begin(),
                      edge.other_to_state_ids.end());
  return destinations;
}

std::string IndexedName(std::string_view name) { return std::string(CutForIndex(FoldName(name))); }

}  // namespace topodb::store
