#include "tests/support/live_site.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "capture/browser/clock.h"
#include "capture/risk/risk_policy.h"
#include "query/exchange/export_json.h"

namespace topodb::testing {
namespace {

namespace fs = std::filesystem;

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.native());
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
T OrThrow(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

template <class Records, class Matches>
auto FindOf(const Records& records, const Matches& matches) -> decltype(records.data()) {
  const auto found = std::ranges::find_if(records, matches);
  return found == records.end() ? nullptr : &*found;
}

}  // namespace

std::string ReadFixture(std::string_view name) {
  return ReadBytes(fs::path(TOPODB_SOURCE_DIR) / "fixtures" / name);
}

std::string WithChange(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    throw std::invalid_argument("not exactly once in the text: " + std::string(from));
  }
  return text.replace(at, from.size(), to);
}

capture::DriveOptions LoopbackDrive() {
  capture::DriveOptions drive;
  drive.browser_args = {
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"};
  return drive;
}

capture::CaptureOptions ScanOf(std::string url) {
  capture::CaptureOptions options = ExplorationOf(std::move(url));
  options.explore.mode = RunMode::kScan;
  return options;
}

capture::CaptureOptions ExplorationOf(std::string url) {
  capture::CaptureOptions options;
  options.input = std::move(url);
  options.drive = LoopbackDrive();
  return options;
}

LiveSite::LiveSite()
    : store_(OrThrow(store::GraphStore::OpenForWrite(directory_.path() / "database", {}))) {}

Result<query::RunGraph> LiveSite::Capture(const capture::CaptureOptions& options) {
  const capture::SystemClock clock;
  capture::ExploreObserver observer;
  const std::atomic<bool> never = false;
  RunId id;
  id.bytes.back() = ++runs_;
  const auto sink = store_->NewSink();
  TOPODB_TRY(const Run run,
             capture::Capture(options, *sink, capture::RiskPolicy::BuiltIn(), clock,
                              {.id = id, .engine_version = "test"}, observer, never));
  TOPODB_TRY(const store::StoredRun stored, reader().FindRun(run.id.ToString()));
  return query::LoadRunGraph(reader(), stored);
}

store::StoredRun LiveSite::Stored(const query::RunGraph& graph) const {
  return OrThrow(reader().FindRun(graph.run.id.ToString()));
}

Result<query::Diff> LiveSite::Diff(const query::RunGraph& before, const query::RunGraph& after,
                                   const query::DiffOptions& options) const {
  return query::DiffRuns(reader(), Stored(before), reader(), Stored(after), options);
}

std::string LiveSite::Export(const query::RunGraph& graph,
                             query::VolatileFields volatile_fields) const {
  std::string text;
  const Status written = query::ExportJson(
      reader(), Stored(graph), {.volatile_fields = volatile_fields}, [&](std::string_view part) {
        text += part;
        return Status();
      });
  if (!written) throw std::runtime_error(written.error().message);
  return text;
}

std::string LiveSite::DatabaseBytes() const {
  std::string bytes;
  for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
    if (entry.is_regular_file()) bytes += ReadBytes(entry.path());
  }
  const auto rows = store_->kv().Scan("", "");
  for (; rows->Valid(); rows->Next()) bytes.append(rows->key()).append(rows->value());
  if (!rows->status()) throw std::runtime_error(rows->status().error().message);
  return bytes;
}

std::vector<const Element*> ElementsNamed(const query::RunGraph& graph, const StateId& state,
                                          std::string_view role, std::string_view name) {
  std::vector<const Element*> found;
  for (const Element& element : graph.elements) {
    if (element.state_id == state && element.role == role && element.accessible_name == name) {
      found.push_back(&element);
    }
  }
  return found;
}

const Element* TheElement(const query::RunGraph& graph, const StateId& state, std::string_view role,
                          std::string_view name) {
  const auto found = ElementsNamed(graph, state, role, name);
  return found.size() == 1 ? found.front() : nullptr;
}

const Element* FindElement(const query::RunGraph& graph, const ElementId& id) {
  return FindOf(graph.elements, [&](const Element& element) { return element.id == id; });
}

const State* FindState(const query::RunGraph& graph, const StateId& id) {
  return FindOf(graph.states, [&](const State& state) { return state.id == id; });
}

const ActionEdge* EdgeOf(const query::RunGraph& graph, const Element& element) {
  return FindOf(graph.edges, [&](const ActionEdge& edge) { return edge.element_id == element.id; });
}

const SkippedAction* SkipOf(const query::RunGraph& graph, const Element& element) {
  return FindOf(graph.skips,
                [&](const SkippedAction& skip) { return skip.element_id == element.id; });
}

const FailedObservation* FailureOf(const query::RunGraph& graph, const Element& element) {
  return FindOf(graph.failures,
                [&](const FailedObservation& failure) { return failure.element_id == element.id; });
}

std::string DetailOf(const Effect& effect, std::string_view name) {
  const auto found = std::ranges::find(effect.details, name, &NameValue::first);
  return found == effect.details.end() ? std::string() : found->second;
}

const Effect* FindEffect(const std::vector<Effect>& effects, EffectType type) {
  return FindOf(effects, [&](const Effect& effect) { return effect.type == type; });
}

}  // namespace topodb::testing
