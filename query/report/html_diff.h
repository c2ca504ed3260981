#pragma once

#include "query/diff.h"
#include "query/exchange/export_json.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::query {

// A diff as one HTML file: the map of the second run with what changed laid over it, and every
// difference by page; without scripts and without anything from elsewhere. Errors of the store and
// of the sink.
Status ExportDiffHtml(const store::GraphReader& reader, const store::StoredRun& before,
                      const store::StoredRun& after, const Diff& diff, const TextSink& sink);

}  // namespace topodb::query
