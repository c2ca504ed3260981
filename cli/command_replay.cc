#include "cli/command_replay.h"

#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "capture/guard/url.h"
#include "capture/risk/risk_policy.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/option_types.h"
#include "cli/references.h"
#include "cli/replay_output.h"
#include "cli/run_view.h"
#include "cli/values_file.h"
#include "query/replay/replayer.h"
#include "query/replay/report_text.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

// Says on stderr how far the replay is.
class StepLines final : public replay::ReplayObserver {
 public:
  explicit StepLines(Console& console) : console_(console) {}
  void OnStep(const replay::StepReport& step, size_t total) override {
    NoteStep(step, ToString(step.action), total, console_);
  }

 private:
  Console& console_;
};

Result<replay::Selection> Select(const ReplayCommandOptions& options,
                                 const store::GraphReader& reader, const store::StoredRun& run) {
  replay::Selection selection;
  for (const std::string& prefix : options.edges) {
    TOPODB_TRY(const IdBytes id, FindRecord(reader, run, store::RecordKind::kEdge, prefix));
    selection.edges.push_back(EdgeId{id});
  }
  if (!options.from.empty()) {
    TOPODB_TRY(selection.from, FindState(reader, run, options.from));
  }
  if (!options.to.empty()) {
    TOPODB_TRY(selection.to, FindState(reader, run, options.to));
  }
  return selection;
}

std::optional<replay::Resumption> ResumptionOf(const ReplayCommandOptions& options) {
  if (options.from_step == 0) return std::nullopt;
  return replay::Resumption{.from_step = options.from_step, .plan_digest = options.plan_digest};
}

std::vector<JunitCase> CasesOf(const replay::ReplayReport& report) {
  std::vector<JunitCase> cases;
  for (const replay::StepReport& step : report.steps) {
    cases.push_back(
        JunitCaseOf(fmt::format("{} {} {}", ShortId(step.edge.ToString()), ToString(step.action),
                                RoleAndName(step.role, step.name)),
                    step));
  }
  return cases;
}

}  // namespace

void AddReplay(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "replay", "performs stored edges on the live site", RunReplay,
                 Formats::kReport);
  command->add_option("RUN", options->run, "the run [latest]");
  command->add_option("--edge", options->edges, "only this edge; repeatable [all]")
      ->allow_extra_args(false)
      ->type_name("ID");
  command->add_option("--from", options->from, "edges of this state, or the path from it")
      ->type_name("STATE");
  command->add_option("--to", options->to, "the shortest path to this state")->type_name("STATE");
  command->add_option("--base", options->base, "where the site is now [where it was recorded]")
      ->type_name("URL");
  AddDuration(*command, "--deadline", options->deadline, "for the whole replay [none]");
  command->add_flag("--allow-positional", options->allow_positional,
                    "also change targets that only their position tells apart");
  auto* from_step = command->add_option("--from-step", options->from_step,
                                        "take an earlier replay up at this step of its report");
  auto* digest = command->add_option("--plan-digest", options->plan_digest, "of that report");
  from_step->check(CLI::PositiveNumber)->type_name("N")->needs(digest);
  digest->type_name("DIGEST")->needs(from_step);
  command
      ->add_option("--values", options->values,
                   "JSON object: what to enter where the run holds no value, by control name")
      ->type_name("FILE");
  AddDriveFlags(*command, options->drive);
}

Result<ExitCode> RunReplay(const ReplayCommandOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun run, reader.FindRun(options.run));
  TOPODB_TRY(const replay::Selection selection, Select(options, reader, run));

  TOPODB_TRY(const auto values, ReadValues(options.values));

  TOPODB_TRY(const std::string base, ResolveBase(options.base));
  const std::string& start = base.empty() ? run.run.entry_url : base;
  TOPODB_TRY(const capture::DriveOptions drive_options,
             ResolveDriveFlags(options.drive, start, console));
  TOPODB_TRY(const capture::RiskPolicy policy, ResolvePolicy(options.drive));
  // A run with a seed of its own names places by folder, see capture.
  const auto scope = run.run.input_seed == run.run.input_url ? capture::EntryScope::kOrigin
                                                             : capture::EntryScope::kDirectory;
  CatchInterrupts();
  const capture::SystemClock clock;
  TOPODB_TRY(const auto drive,
             capture::Drive::Open(drive_options, {.url = start, .scope = scope}, clock));
  for (const std::string& warning : drive->warnings()) console.Warn(warning);

  const replay::ReplayOptions replay_options{
      .selection = selection,
      .base = base,
      .allowed = options.drive.allowed,
      .positional = options.allow_positional ? replay::PositionalTargets::kAllowed
                                             : replay::PositionalTargets::kReadOnly,
      .in_scope = [&](const std::string& url) { return drive->InScope(url); },
      .deadline = options.deadline,
      .values = values,
      .resume = ResumptionOf(options)};
  StepLines lines(console);
  TOPODB_TRY(const replay::ReplayReport report,
             replay::Replay(drive->page(), reader, run.number, replay_options, policy, clock, lines,
                            Interrupted()));
  PrintReport(report, "topodb replay", CasesOf(report), console);
  return ExitCodeFor(report);
}

}  // namespace topodb::cli
