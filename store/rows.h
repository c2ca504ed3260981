#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"
#include "store/graph_reader.h"
#include "store/keys.h"

// Records -> rows, by the rules of derivation in docs/format.md. Pure; the writer stores what these
// return, and `check` proves that exactly that is stored.
namespace topodb::store {

struct Row {
  std::string key;
  std::string value;
  bool operator==(const Row&) const = default;
};

// Where a record stands.
struct Place {
  RunNumber run = 0;
  StateOrdinal state = 0;
  uint32_t ordinal = 0;  // 0 for states
};

// The record's own row first, then its identity row, then the other index rows.
std::vector<Row> RowsOf(const State& state, const Place& place);
std::vector<Row> RowsOf(const Element& element, const Place& place);
// `destinations`: the ordinals of those of the edge's destinations that are states of the run.
std::vector<Row> RowsOf(const ActionEdge& edge, const Place& place,
                        const std::vector<StateOrdinal>& destinations);
std::vector<Row> RowsOf(const SkippedAction& skip, const Place& place);
std::vector<Row> RowsOf(const FailedObservation& failure, const Place& place);
std::vector<Row> RowsOf(const CompletionObservation& observation, const Place& place);
std::vector<Row> RowsOf(const Landmark& landmark, const Place& place);

// Every destination that the edge names, toStateId first.
std::vector<StateId> DestinationsOf(const ActionEdge& edge);

// An accessible name as element-by-name keys hold it: folded, then cut.
std::string IndexedName(std::string_view name);

}  // namespace topodb::store
