#include "query/script/recorded_way.h"

#include <utility>

#include <fmt/format.h>

#include "query/path.h"

namespace topodb::script {

Result<RecordedWay> LoadWay(const store::GraphReader& reader, const store::StoredRun& run,
                            const StateId& to) {
  TOPODB_TRY(const std::vector<State> states, reader.States(run.number));
  if (states.empty()) {
    return Error{ErrorCode::kNotFound, "the run has no state to start from", ""};
  }
  TOPODB_TRY(std::vector<ActionEdge> edges,
             query::FindShortestPath(reader, run.number, states.front().id, to));
  // A run with a seed of its own names places by folder, see capture.
  const bool seeded = run.run.input_seed != run.run.input_url;
  RecordedWay way{.entry_url = run.run.entry_url,
                  .scope = seeded ? EntryScope::kDirectory : EntryScope::kOrigin,
                  .steps = {},
                  .landmarks = {}};
  for (ActionEdge& edge : edges) {
    if (!edge.to_state_id) {
      return Error{ErrorCode::kCorruption,
                   fmt::format("{} is on a path and leads nowhere", edge.id.ToString()),
                   "run topodb check"};
    }
    TOPODB_TRY(Element element, reader.GetElement(run.number, edge.element_id));
    TOPODB_TRY(State destination, reader.GetState(run.number, *edge.to_state_id));
    way.steps.push_back({std::move(edge), std::move(element), std::move(destination)});
  }
  TOPODB_TRY(way.landmarks, reader.LandmarksOf(run.number, to));
  return way;
}

}  // namespace topodb::script
