#pragma once

#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::query {

// A shortest sequence of edges that leads from one state to another: every edge starts where the
// one before it led to. Empty when they are the same state. Of several, the one over the states and
// edges captured first. kNotFound: no such state, or no path. kCorruption when index and records
// disagree.
Result<std::vector<ActionEdge>> FindShortestPath(const store::GraphReader& reader,
                                                 store::RunNumber run, const StateId& from,
                                                 const StateId& to);

}  // namespace topodb::query
