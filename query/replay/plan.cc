#include "query/replay/plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace topodb::replay {
namespace {

Error NoSuch(const std::string& id) {
  return Error{ErrorCode::kNotFound, fmt::format("the run has no {}", id), ""};
}

Result<std::vector<size_t>> ByIds(const RecordedRun& run, const std::vector<EdgeId>& ids) {
  std::vector<size_t> selected;
  for (const auto& id : ids) {
    const auto found = std::find_if(run.edges().begin(), run.edges().end(),
                                    [&](const ActionEdge& edge) { return edge.id == id; });
    if (found == run.edges().end()) return NoSuch(id.ToString());
    selected.push_back(static_cast<size_t>(found - run.edges().begin()));
  }
  return selected;
}

}  // namespace

Result<RecordedRun> RecordedRun::Load(const store::GraphReader& reader, store::RunNumber number) {
  TOPODB_TRY(const auto runs, reader.Runs());
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const store::StoredRun& stored) {
    return stored.number == number;
  });
  if (found == runs.end()) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no run number {}", number), ""};
  }
  RecordedRun recorded;
  recorded.run_ = found->run;
  TOPODB_TRY(recorded.states_, reader.States(number));
  TOPODB_TRY(recorded.edges_, reader.Edges(number));
  if (recorded.states_.empty()) {
    return Error{ErrorCode::kNotFound, "the run has no state to start from", ""};
  }
  for (size_t i = 0; i < recorded.states_.size(); ++i) {
    recorded.state_numbers_.emplace(recorded.states_[i].id, i);
  }
  for (size_t i = 0; i < recorded.edges_.size(); ++i) {
    recorded.leaving_[recorded.edges_[i].from_state_id].push_back(i);
  }
  return recorded;
}

const State* RecordedRun::FindState(const StateId& id) const {
  const auto found = state_numbers_.find(id);
  return found == state_numbers_.end() ? nullptr : &states_[found->second];
}

std::optional<std::vector<size_t>> RecordedRun::ShortestPath(const StateId& from,
                                                             const StateId& to) const {
  std::map<StateId, std::optional<size_t>> reached_by = {{from, std::nullopt}};
  std::vector<StateId> frontier = {from};
  for (size_t next = 0; next < frontier.size() && !reached_by.contains(to); ++next) {
    const auto leaving = leaving_.find(frontier[next]);
    if (leaving == leaving_.end()) continue;
    for (const size_t edge : leaving->second) {
      const auto& destination = edges_[edge].to_state_id;
      if (!destination || !reached_by.try_emplace(*destination, edge).second) continue;
      frontier.push_back(*destination);
    }
  }
  if (!reached_by.contains(to)) return std::nullopt;
  std::vector<size_t> path;
  for (StateId at = to; reached_by[at];) {
    path.push_back(*reached_by[at]);
    at = edges_[path.back()].from_state_id;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Result<std::vector<size_t>> SelectEdges(const RecordedRun& run, const Selection& selection) {
  if (!selection.edges.empty()) return ByIds(run, selection.edges);
  for (const auto& state : {selection.from, selection.to}) {
    if (state && run.FindState(*state) == nullptr) return NoSuch(state->ToString());
  }
  if (selection.to) {
    auto path = run.ShortestPath(selection.from.value_or(run.entry().id), *selection.to);
    if (!path) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("no path to {} was recorded", selection.to->ToString()), ""};
    }
    return *std::move(path);
  }
  std::vector<size_t> all(run.edges().size());
  std::iota(all.begin(), all.end(), size_t{0});
  if (selection.from) {
    std::erase_if(all,
                  [&](size_t edge) { return run.edges()[edge].from_state_id != *selection.from; });
  }
  return all;
}

}  // namespace topodb::replay
