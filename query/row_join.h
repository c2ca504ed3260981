#pragma once

#include <cstdint>
#include <vector>

#include "schema/base/result.h"
#include "store/graph_reader.h"

// Two runs side by side in the order of their ids, over index rows alone.
namespace topodb::query {

struct RowPair {
  store::IdentityRow before, after;
};

// What the rows do not prove to be equal. Each list in stored order; names left out.
struct RowJoin {
  uint64_t equal = 0;            // the same id and the same content
  std::vector<RowPair> changed;  // the same id
  std::vector<store::IdentityRow> removed, added;
};

// Holds only what differs. Errors are those of the store.
Result<RowJoin> JoinRows(const store::Kv& before, store::RunNumber run_before,
                         const store::Kv& after, store::RunNumber run_after,
                         store::RecordKind kind);

}  // namespace topodb::query
