#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/exchange/id_text.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

// How people name records: STATE, and ids in a table.
namespace topodb::cli {

// STATE: a unique id prefix, a URL, or "entry". kNotFound; kAmbiguous, with the candidates in the
// hint.
Result<StateId> FindState(const store::GraphReader& reader, const store::StoredRun& run,
                          std::string_view reference);

// An id prefix that names exactly one record of `kind` in the run.
Result<IdBytes> FindRecord(const store::GraphReader& reader, const store::StoredRun& run,
                           store::RecordKind kind, std::string_view prefix);

// The first characters of an id, enough to recognise it: "edge_1a2b3c4d". Foreign ids stay whole.
std::string ShortId(std::string_view id_text);
// The same without the prefix: "1a2b3c4d".
std::string BareShortId(std::string_view id_text);

}  // namespace topodb::cli
