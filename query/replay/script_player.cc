#include "query/replay/script_player.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "capture/locate/locator_builder.h"
#include "query/replay/base_map.h"
#include "query/replay/landmark_wait.h"
#include "query/replay/step_runner.h"
#include "query/script/make_script.h"

namespace topodb::replay {
namespace {

const std::string* ValueOf(const PlayOptions& options, const std::string& variable) {
  const auto found = std::ranges::find(options.values, variable, &NameValue::first);
  return found == options.values.end() ? nullptr : &found->second;
}

// What the step's record says, as records of a run.
struct Recorded {
  ActionEdge edge;
  Element element;
  RecordedPlace destination;
};

Recorded MakeRecorded(const script::Step& step, const std::string& value) {
  Recorded recorded;
  const script::TargetRecord& target = *step.target;
  const script::Expectation& expected = *target.expected;
  recorded.edge.action_type = script::ActionTypeOf(step.verb);
  recorded.edge.target = target.identity;
  recorded.edge.effects = expected.effects;
  recorded.edge.from_state_id = expected.from;
  recorded.edge.to_state_id = expected.state;
  if (script::TakesValue(step.verb)) recorded.edge.action_params = {{"value", value}};
  for (const LocatorDescriptor& descriptor : target.locators) {
    Locator locator;
    locator.id.bytes.back() = static_cast<uint8_t>(recorded.element.locators.size() + 1);
    locator.descriptor = descriptor;
    locator.expression = capture::ToExpression(descriptor);
    locator.verified = true;
    recorded.element.locators.push_back(std::move(locator));
  }
  if (!recorded.element.locators.empty()) {
    recorded.edge.locator_id = recorded.element.locators.front().id;
  }
  recorded.destination.state.id = expected.state;
  recorded.destination.state.url_canonical_key = expected.url_key;
  recorded.destination.state.modal_stack = expected.modal_stack;
  recorded.destination.state.template_key = expected.template_key;
  recorded.destination.state.unstable_parts = expected.unstable_parts;
  return recorded;
}

PlayedStep Describe(size_t index, const script::Step& step) {
  PlayedStep played{.verb = step.verb, .report = {}};
  played.report.index = index;
  played.report.action = script::ActionTypeOf(step.verb);
  played.report.role = step.role;
  played.report.name = step.name;
  return played;
}

bool Passed(const StepReport& step) {
  return step.verdict == StepVerdict::kPassed || step.verdict == StepVerdict::kPassedPositional;
}

class Player {
 public:
  Player(capture::PageDriver& driver, const BaseMap& base, const PlayOptions& options,
         StepRunner& runner, const LandmarkWait& wait)
      : driver_(driver), base_(base), options_(options), runner_(runner), wait_(wait) {}

  void Run(const script::Step& step, StepReport& report) {
    if (!step.target) {
      report.verdict = StepVerdict::kUnverified;
      report.reason = "no-identity-record";
      return;
    }
    if (!script::IsAction(step.verb)) {
      return wait_.Run(driver_, base_, step.target->identity, report);
    }
    const std::string* const given = ValueOf(options_, step.value.variable);
    const Recorded recorded = MakeRecorded(step, given != nullptr ? *given : step.value.text);
    runner_.Run(
        {.edge = recorded.edge, .element = recorded.element, .destination = &recorded.destination},
        report);
  }

 private:
  capture::PageDriver& driver_;
  const BaseMap& base_;
  const PlayOptions& options_;
  StepRunner& runner_;
  const LandmarkWait& wait_;
};

}  // namespace

VerdictCounts PlayReport::Count() const {
  ReplayReport all;
  for (const PlayedStep& step : steps) all.steps.push_back(step.report);
  return all.Count();
}

bool PlayReport::AllPassed() const {
  return end == ReplayEnd::kCompleted && !steps.empty() &&
         std::ranges::all_of(steps, [](const PlayedStep& step) { return Passed(step.report); });
}

Result<std::string> CheckPlayable(const script::Script& script, const PlayOptions& options) {
  for (const std::string& name : script.variables) {
    if (ValueOf(options, name) != nullptr) continue;
    return Error{ErrorCode::kInvalidArgument, fmt::format("the script needs a value for {}", name),
                 fmt::format("give it with --env {}=…, or in the environment", name)};
  }
  TOPODB_TRY(const BaseMap base, BaseMap::Make(script.url, options.base));
  return base.entry();
}

PlayReport NothingPlayed(const script::Script& script, std::string url, std::string_view reason) {
  PlayReport report{.url = std::move(url), .end = ReplayEnd::kCompleted, .steps = {}};
  for (const script::Step& step : script.steps) {
    PlayedStep& played = report.steps.emplace_back(Describe(report.steps.size() + 1, step));
    played.report.verdict = StepVerdict::kSkipped;
    played.report.reason = reason;
  }
  return report;
}

Result<PlayReport> Play(capture::PageDriver& driver, const script::Script& script,
                        const PlayOptions& options, const capture::RiskPolicy& policy,
                        const capture::Clock& clock, PlayObserver& observer,
                        const std::atomic<bool>& cancelled) {
  TOPODB_TRY_VOID(script::CheckGuard(script));
  TOPODB_TRY(std::string url, CheckPlayable(script, options));
  if (options.in_scope && !options.in_scope(url)) {
    return NothingPlayed(script, std::move(url), "out-of-scope");
  }
  TOPODB_TRY(const BaseMap base, BaseMap::Make(script.url, options.base));
  const ReplayOptions rules{
      .base = options.base, .allowed = options.allowed, .in_scope = options.in_scope};
  StepRunner runner(driver, base, policy, rules);
  const LandmarkWait wait(clock, options, cancelled);
  Player player(driver, base, options, runner, wait);
  const auto started = clock.Steady();
  TOPODB_TRY_VOID(runner.OpenEntry());
  PlayReport report{.url = std::move(url), .end = ReplayEnd::kCompleted, .steps = {}};
  std::string stopped;  // why the rest is not run
  StepReport entry;
  if (!runner.Look(entry)) stopped = "the entry page could not be looked at";
  for (const script::Step& step : script.steps) {
    PlayedStep played = Describe(report.steps.size() + 1, step);
    const bool late = options.deadline.count() > 0 && clock.Steady() - started >= options.deadline;
    if (stopped.empty() && late) report.end = ReplayEnd::kDeadline;
    if (stopped.empty() && cancelled.load()) report.end = ReplayEnd::kCancelled;
    if (report.end != ReplayEnd::kCompleted) stopped = ToString(report.end);
    if (stopped.empty()) {
      player.Run(step, played.report);
      if (runner.browser_gone()) report.end = ReplayEnd::kBrowserGone;
      if (!Passed(played.report)) {
        stopped = fmt::format("step {} did not pass", played.report.index);
      }
    } else {
      played.report.verdict = StepVerdict::kNotRun;
      played.report.reason = stopped;
    }
    observer.OnStep(played, script.steps.size());
    report.steps.push_back(std::move(played));
  }
  return report;
}

}  // namespace topodb::replay
