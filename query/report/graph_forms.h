#pragma once

#include <cstdint>

#include "query/exchange/export_json.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

// A run as a graph for other programs: states and the edges between them.
namespace topodb::query {

enum class GraphForm : uint8_t {
  kDot,      // Graphviz
  kMermaid,  // flowchart
  kGraphml,
};

// Nodes are called s0, s1 … in the order of capture. Holds one record at a time. Errors of the
// store and of the sink.
Status ExportGraph(const store::GraphReader& reader, const store::StoredRun& run, GraphForm form,
                   const TextSink& sink);

}  // namespace topodb::query
