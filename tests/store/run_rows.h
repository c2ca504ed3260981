#pragma once

#include <map>
#include <string>
#include <vector>

#include "schema/codec.h"
#include "store/keys.h"
#include "store/kv.h"
#include "store/rows.h"

namespace topodb::store {

using RowMap = std::map<std::string, std::string>;

inline RowMap ReadRows(const Kv& kv, const KeyRange& range) {
  RowMap rows;
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) rows.emplace(row->key(), row->value());
  return rows;
}

// Every row that belongs to a run, published or not.
inline RowMap RowsOfRun(const Kv& kv, RunNumber run) {
  RowMap rows;
  for (const Kind kind : kRunKinds) rows.merge(ReadRows(kv, RangeOf(kind, run)));
  return rows;
}

// The rows that the run's records ask for: equal to RowsOfRun unless an index row is missing,
// superfluous or wrong.
inline RowMap DerivedRowsOfRun(const Kv& kv, RunNumber run) {
  RowMap derived;
  std::map<StateId, StateOrdinal> ordinals;
  const auto add = [&](const std::vector<Row>& rows) {
    for (const Row& row : rows) derived.emplace(row.key, row.value);
  };
  const auto place = [](const std::string& bytes) {
    const Key key = ParseKey(bytes).value();
    return Place{.run = key.run, .state = key.state, .ordinal = key.ordinal};
  };
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kState, run))) {
    const State state = Decode<State>(value).value();
    ordinals[state.id] = place(key).state;
    add(RowsOf(state, place(key)));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kElement, run))) {
    add(RowsOf(Decode<Element>(value).value(), place(key)));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kEdge, run))) {
    const ActionEdge edge = Decode<ActionEdge>(value).value();
    std::vector<StateOrdinal> destinations;
    for (const StateId& state : DestinationsOf(edge)) {
      if (ordinals.contains(state)) destinations.push_back(ordinals.at(state));
    }
    add(RowsOf(edge, place(key), destinations));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kSkip, run))) {
    add(RowsOf(Decode<SkippedAction>(value).value(), place(key)));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kFailure, run))) {
    add(RowsOf(Decode<FailedObservation>(value).value(), place(key)));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kObservation, run))) {
    add(RowsOf(Decode<CompletionObservation>(value).value(), place(key)));
  }
  for (const auto& [key, value] : ReadRows(kv, RangeOf(Kind::kLandmark, run))) {
    add(RowsOf(Decode<Landmark>(value).value(), place(key)));
  }
  derived.merge(ReadRows(kv, RangeOf(Kind::kForeignId, run)));
  return derived;
}

}  // namespace topodb::store
