#include "query/replay/replayer.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "capture/guard/scope.h"
#include "query/replay/plan_digest.h"
#include "query/replay/step_runner.h"

namespace topodb::replay {
namespace {

class Replayer {
 public:
  Replayer(const store::GraphReader& reader, store::RunNumber number, const RecordedRun& recorded,
           StepRunner& runner)
      : reader_(reader), number_(number), recorded_(recorded), runner_(runner) {}

  StepReport Describe(size_t index, const ActionEdge& edge) const;
  Result<std::string> DigestOf(const std::vector<size_t>& edges, const ReplayOptions& options);
  // Goes to the edge's source state and performs it. An Error: the store, or an entry page that
  // could not be opened.
  Status RunStep(const ActionEdge& edge, StepReport& step);

 private:
  Result<RecordedEdge> Load(const ActionEdge& edge);
  // Nothing of it when the run does not have it.
  Result<Element> ElementOf(const ActionEdge& edge) const;
  // Null when the run has no such state.
  Result<const RecordedPlace*> PlaceOf(const StateId& id);
  // False with the step filled in when the source state was not reached.
  Result<bool> GoToSource(const ActionEdge& edge, StepReport& step);

  const store::GraphReader& reader_;
  const store::RunNumber number_;
  const RecordedRun& recorded_;
  StepRunner& runner_;
  std::map<StateId, RecordedPlace> places_;  // looked up so far
};

StepReport Replayer::Describe(size_t index, const ActionEdge& edge) const {
  StepReport step;
  step.index = index;
  step.edge = edge.id;
  step.element = edge.element_id;
  step.action = edge.action_type;
  step.role = edge.target.role;
  step.name = edge.target.name;
  step.from = edge.from_state_id;
  step.to = edge.to_state_id;
  return step;
}

Result<const RecordedPlace*> Replayer::PlaceOf(const StateId& id) {
  const State* state = recorded_.FindState(id);
  if (state == nullptr) return nullptr;
  const auto known = places_.find(id);
  if (known != places_.end()) return &known->second;
  TOPODB_TRY(auto landmarks, reader_.LandmarksOf(number_, id));
  TOPODB_TRY(auto elements, reader_.ElementsOf(number_, id));
  RecordedPlace place{.state = *state,
                      .landmarks = std::move(landmarks),
                      .contents = ContentsOf(*state, elements),
                      .elements = std::move(elements)};
  return &places_.emplace(id, std::move(place)).first->second;
}

// An import may lack the element; without its locators nothing will be found, and nothing done.
Result<Element> Replayer::ElementOf(const ActionEdge& edge) const {
  auto element = reader_.GetElement(number_, edge.element_id);
  if (!element && element.error().code == ErrorCode::kNotFound) return Element{};
  return element;
}

Result<std::string> Replayer::DigestOf(const std::vector<size_t>& edges,
                                       const ReplayOptions& options) {
  std::vector<Element> elements;
  elements.reserve(edges.size());
  std::vector<PlannedStep> steps;
  for (const size_t number : edges) {
    const ActionEdge& edge = recorded_.edges()[number];
    TOPODB_TRY(elements.emplace_back(), ElementOf(edge));
    steps.push_back({.edge = edge, .element = elements.back()});
  }
  return PlanDigest(recorded_.run().entry_url, options, steps);
}

Result<RecordedEdge> Replayer::Load(const ActionEdge& edge) {
  RecordedEdge loaded{.edge = edge, .element = {}};
  TOPODB_TRY(loaded.element, ElementOf(edge));
  TOPODB_TRY(loaded.source, PlaceOf(edge.from_state_id));
  if (edge.to_state_id) {
    TOPODB_TRY(loaded.destination, PlaceOf(*edge.to_state_id));
  }
  return loaded;
}

void NotReached(StepReport& step, std::string why) {
  step.verdict = StepVerdict::kNotRun;
  step.reason = std::move(why);
}

Result<bool> Replayer::GoToSource(const ActionEdge& edge, StepReport& step) {
  const auto path = recorded_.ShortestPath(recorded_.entry().id, edge.from_state_id);
  if (!path) {
    NotReached(step, "no-recorded-path");
    return false;
  }
  TOPODB_TRY_VOID(runner_.OpenEntry());
  TOPODB_TRY(const auto* entry, PlaceOf(recorded_.entry().id));
  if (!runner_.IsEntry(*entry, step)) {
    NotReached(step, "source-state");
    return false;
  }
  for (const size_t number : *path) {
    const ActionEdge& leading = recorded_.edges()[number];
    StepReport on_the_way = Describe(0, leading);
    TOPODB_TRY(const auto loaded, Load(leading));
    runner_.Run(loaded, on_the_way);
    if (on_the_way.verdict == StepVerdict::kPassed) continue;
    if (on_the_way.verdict == StepVerdict::kPassedPositional) continue;
    step.divergence = std::move(on_the_way.divergence);
    NotReached(
        step, fmt::format("path: {} at {}{}{}", ToString(on_the_way.verdict), leading.id.ToString(),
                          on_the_way.reason.empty() ? "" : ": ", on_the_way.reason));
    return false;
  }
  return true;
}

Status Replayer::RunStep(const ActionEdge& edge, StepReport& step) {
  TOPODB_TRY(const auto loaded, Load(edge));
  if (!HasRecord(edge.target)) {
    runner_.Run(loaded, step);  // says so without opening anything
    return {};
  }
  TOPODB_TRY(const bool reached, GoToSource(edge, step));
  if (reached) runner_.Run(loaded, step);
  return {};
}

// Refuses a resumption that is not of this plan. Returns the first step to run, from 0.
Result<size_t> FirstStep(const std::optional<Resumption>& resume, const std::string& plan_digest,
                         size_t steps) {
  if (!resume) return size_t{0};
  if (resume->plan_digest != plan_digest) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("this replay's plan is not {}", resume->plan_digest),
        "the run, the selected edges and the allowed risks have to be those of the report; "
        "else begin without --from-step"};
  }
  if (resume->from_step == 0 || resume->from_step > steps) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the plan has no step {}", resume->from_step),
                 fmt::format("its steps are 1 to {}", steps)};
  }
  return resume->from_step - 1;
}

// The services that give machines their credentials are nowhere that a stored run may lead to.
bool MayOpen(const BaseMap& base, const ReplayOptions& options) {
  if (options.in_scope && !options.in_scope(base.entry())) return false;
  return !options.base.empty() || !capture::IsLinkLocal(base.entry());
}

bool IsStoreError(const Error& error) {
  return error.code == ErrorCode::kCorruption || error.code == ErrorCode::kIo ||
         error.code == ErrorCode::kNotFound || error.code == ErrorCode::kUnsupportedFormat;
}

}  // namespace

Result<ReplayReport> Replay(capture::PageDriver& driver, const store::GraphReader& reader,
                            store::RunNumber run, const ReplayOptions& options,
                            const capture::RiskPolicy& policy, const capture::Clock& clock,
                            ReplayObserver& observer, const std::atomic<bool>& cancelled) {
  TOPODB_TRY(const auto recorded, RecordedRun::Load(reader, run));
  TOPODB_TRY(const auto selected, SelectEdges(recorded, options.selection));
  TOPODB_TRY(const auto base, BaseMap::Make(recorded.run().entry_url, options.base));
  const bool entry_in_scope = MayOpen(base, options);
  StepRunner runner(driver, base, policy, options);
  Replayer replayer(reader, run, recorded, runner);
  ReplayReport report;
  report.run = recorded.run().id;
  report.run_name = recorded.run().name;
  report.entry_url = base.entry();
  TOPODB_TRY(report.plan_digest, replayer.DigestOf(selected, options));
  TOPODB_TRY(const size_t first, FirstStep(options.resume, report.plan_digest, selected.size()));
  const auto started = clock.Steady();
  bool opened = false;
  for (size_t i = first; i < selected.size(); ++i) {
    const ActionEdge& edge = recorded.edges()[selected[i]];
    StepReport step = replayer.Describe(i + 1, edge);
    if (runner.browser_gone()) report.end = ReplayEnd::kBrowserGone;
    if (options.deadline.count() > 0 && clock.Steady() - started >= options.deadline) {
      report.end = ReplayEnd::kDeadline;
    }
    if (cancelled.load()) report.end = ReplayEnd::kCancelled;
    if (report.end != ReplayEnd::kCompleted) {
      NotReached(step, std::string(ToString(report.end)));
    } else if (!entry_in_scope) {
      step.verdict = StepVerdict::kSkipped;
      step.reason = "out-of-scope";
    } else if (auto status = replayer.RunStep(edge, step); status) {
      opened = true;
    } else if (!opened || IsStoreError(status.error())) {
      return std::move(status).error();
    } else {
      NotReached(step, status.error().message);
    }
    observer.OnStep(step, selected.size());
    report.steps.push_back(std::move(step));
  }
  return report;
}

}  // namespace topodb::replay
