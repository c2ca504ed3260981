#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/report/run_names.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

// The map of a run: its states in columns by how many actions lead to them.
namespace topodb::query {

struct MapNode {
  std::string id;     // of the state, as the run spells it
  std::string label;  // as it comes from the page
  std::string note;   // below the label: at first, what led to the state
  std::string link;   // the fragment of the page that it leads to; empty: nowhere
  std::string style;  // class of the node; empty: none
  uint32_t column = 0;
};

struct MapEdge {
  size_t from = 0, to = 0;  // places in `nodes`
  RiskLevel risk = RiskLevel::kLow;
};

struct StateMap {
  std::vector<MapNode> nodes;
  std::vector<MapEdge> edges;  // each pair once, with its highest risk
  uint64_t left_out = 0;       // states beyond the limit
};

// The states nearest to the entry, at most `limit`; styles are left to the caller.
// Reads the adjacency rows and the records of these states. Errors of the store.
Result<StateMap> MapOf(const store::GraphReader& reader, const store::StoredRun& run,
                       RunNames& names, size_t limit);

// The map as an SVG element; every text escaped.
std::string DrawMap(const StateMap& map);

}  // namespace topodb::query
