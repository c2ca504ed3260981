#pragma once

#include "query/diff.h"
#include "query/run_graph.h"

namespace topodb::query {

// The differences between the records of two runs, whatever their inputs; no warnings.
Diff CompareGraphs(const RunGraph& before, const RunGraph& after);

}  // namespace topodb::query
