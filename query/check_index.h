#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "query/violations.h"
#include "schema/model.h"
#include "store/kv.h"
#include "store/rows.h"

namespace topodb::query {

// The ordinals of a run's states.
using StateOrdinals = std::unordered_map<StateId, store::StateOrdinal>;

// The index rows of one kind, as far as equality needs them.
struct IndexSum {
  uint64_t rows = 0;
  uint64_t sum = 0;
  bool operator==(const IndexSum&) const = default;
};
using IndexSums = std::map<store::Kind, IndexSum>;

// The rows that follow from a record, its own among them.
std::vector<store::Row> RowsFollowing(const State& state, const store::Place& place,
                                      const StateOrdinals& states);
std::vector<store::Row> RowsFollowing(const ActionEdge& edge, const store::Place& place,
                                      const StateOrdinals& states);
template <class Record>
std::vector<store::Row> RowsFollowing(const Record& record, const store::Place& place,
                                      const StateOrdinals& /*states*/) {
  return store::RowsOf(record, place);
}

void AddToSums(const std::vector<store::Row>& rows, IndexSums& sums);

// Compares the index rows of a run with those that follow from its records; `expected` are the sums
// of the latter. Only where a sum differs are the rows themselves compared.
Status CheckIndexRows(const store::Kv& kv, store::RunNumber run, const IndexSums& expected,
                      Violations& violations);

}  // namespace topodb::query
