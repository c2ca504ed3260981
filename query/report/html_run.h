#pragma once

#include "query/exchange/export_json.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::query {

// One run as one HTML file: the map of its states, each state with its elements and what was done,
// refused and failed, without scripts and without anything from elsewhere. Holds one state at a
// time; of very large runs the first states are shown and the rest counted. Errors of the store and
// of the sink.
Status ExportHtml(const store::GraphReader& reader, const store::StoredRun& run,
                  const TextSink& sink);

}  // namespace topodb::query
