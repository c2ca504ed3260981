#include "query/path.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "schema/codec.h"
#include "store/keys.h"
#include "store/lookup.h"
#include "store/rows.h"

namespace topodb::query {
namespace {

using store::StateOrdinal;

// How the search came to a state.
struct Step {
  StateOrdinal from = 0;
  uint32_t edge = 0;
};

Result<StateOrdinal> OrdinalOf(const store::GraphReader& reader, store::RunNumber run,
                               const StateId& state) {
  TOPODB_TRY(const auto row,
             store::FindIdentity(reader.kv(), run, store::RecordKind::kState, state.bytes));
  if (row) return row->state;
  return Error{
      ErrorCode::kNotFound, fmt::format("there is no {} in this run", state.ToString()), {}};
}

// Breadth first over the adjacency rows; no record is read. Every state is entered once, so the
// work is bounded by the rows, whatever they claim. nullopt: no path.
Result<std::optional<std::vector<Step>>> Search(const store::Kv& kv, store::RunNumber run,
                                                StateOrdinal from, StateOrdinal to) {
  std::unordered_map<StateOrdinal, Step> reached = {{from, {}}};
  std::deque<StateOrdinal> open = {from};
  while (!open.empty() && !reached.contains(to)) {
    const StateOrdinal state = open.front();
    open.pop_front();
    const store::KeyRange range = store::RangeOf(store::Kind::kAdjacency, run, state);
    const auto row = kv.Scan(range.begin, range.end);
    for (; row->Valid(); row->Next()) {
      TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
      const bool is_new = reached.try_emplace(key.to, Step{state, key.ordinal}).second;
      if (is_new) open.push_back(key.to);
    }
    TOPODB_TRY_VOID(row->status());
  }
  if (!reached.contains(to)) return std::optional<std::vector<Step>>();
  std::vector<Step> steps;
  for (StateOrdinal state = to; state != from; state = steps.back().from) {
    steps.push_back(reached.at(state));
  }
  std::reverse(steps.begin(), steps.end());
  return std::optional(std::move(steps));
}

Error IndexLies(const StateId& at) {
  return {ErrorCode::kCorruption,
          fmt::format("the index of edges does not agree with the edges at {}", at.ToString()),
          "run 'topodb check'"};
}

}  // namespace

Result<std::vector<ActionEdge>> FindShortestPath(const store::GraphReader& reader,
                                                 store::RunNumber run, const StateId& from,
                                                 const StateId& to) {
  TOPODB_TRY(const StateOrdinal first, OrdinalOf(reader, run, from));
  TOPODB_TRY(const StateOrdinal last, OrdinalOf(reader, run, to));
  TOPODB_TRY(const auto steps, Search(reader.kv(), run, first, last));
  if (!steps) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("no path leads from {} to {}", from.ToString(), to.ToString()),
                 {}};
  }
  std::vector<ActionEdge> path;
  std::vector<StateId> here = {from};  // where the path may stand
  for (const Step& step : *steps) {
    TOPODB_TRY(const std::string bytes,
               store::GetStored(reader.kv(), store::Kind::kEdge, run, step.from, step.edge));
    TOPODB_TRY(ActionEdge edge, Decode<ActionEdge>(bytes));
    if (std::find(here.begin(), here.end(), edge.from_state_id) == here.end()) {
      return IndexLies(edge.from_state_id);
    }
    here = store::DestinationsOf(edge);
    path.push_back(std::move(edge));
  }
  if (std::find(here.begin(), here.end(), to) == here.end()) return IndexLies(to);
  return path;
}

}  // namespace topodb::query
