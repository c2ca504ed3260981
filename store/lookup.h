#pragma once

#include <optional>
#include <string>

#include "schema/base/ids.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"
#include "store/keys.h"
#include "store/kv.h"

namespace topodb::store {

// The identity row of a record; nullopt when the run has none of that id. kCorruption names the
// key.
Result<std::optional<IdentityRow>> FindIdentity(const Kv& kv, RunNumber run, RecordKind kind,
                                                const IdBytes& id);

// The stored bytes of the record that stands at a place; kCorruption when none does.
Result<std::string> GetStored(const Kv& kv, Kind kind, RunNumber run, StateOrdinal state,
                              uint32_t ordinal);

}  // namespace topodb::store
