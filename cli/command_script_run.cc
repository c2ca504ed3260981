#include "cli/command_script_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "capture/guard/url.h"
#include "capture/risk/risk_policy.h"
#include "cli/interrupt.h"
#include "cli/option_types.h"
#include "cli/replay_output.h"
#include "cli/run_view.h"
#include "cli/script_file.h"
#include "query/replay/script_player.h"
#include "query/replay/script_report.h"
#include "query/script/make_script.h"

namespace topodb::cli {
namespace {

// Says on stderr how far the script is.
class StepLines final : public replay::PlayObserver {
 public:
  explicit StepLines(Console& console) : console_(console) {}
  void OnStep(const replay::PlayedStep& step, size_t total) override {
    NoteStep(step.report, script::ToString(step.verb), total, console_);
  }

 private:
  Console& console_;
};

void Print(const replay::PlayReport& report, Console& console) {
  std::vector<JunitCase> cases;
  for (const replay::PlayedStep& step : report.steps) {
    cases.push_back(
        JunitCaseOf(fmt::format("{} {} {}", step.report.index, script::ToString(step.verb),
                                RoleAndName(step.report.role, step.report.name)),
                    step.report));
  }
  PrintReport(report, "topodb script run", cases, console);
}

capture::EntryScope ScopeOf(const script::Script& script) {
  return script.scope == script::EntryScope::kOrigin ? capture::EntryScope::kOrigin
                                                     : capture::EntryScope::kDirectory;
}

Result<replay::PlayReport> Perform(const script::Script& script, const ScriptRunOptions& options,
                                   replay::PlayOptions play, Console& console) {
  const std::string& start = play.base.empty() ? script.url : play.base;
  TOPODB_TRY(const capture::DriveOptions drive_options,
             ResolveDriveFlags(options.drive, start, console));
  TOPODB_TRY(const capture::RiskPolicy policy, ResolvePolicy(options.drive));
  CatchInterrupts();
  const capture::SystemClock clock;
  TOPODB_TRY(const auto drive,
             capture::Drive::Open(drive_options, {.url = start, .scope = ScopeOf(script)}, clock));
  for (const std::string& warning : drive->warnings()) console.Warn(warning);
  play.in_scope = [&](const std::string& url) { return drive->InScope(url); };
  play.patience = std::min(play.patience, drive_options.timeout);
  StepLines lines(console);
  return replay::Play(drive->page(), script, play, policy, clock, lines, Interrupted());
}

}  // namespace

void AddScriptRun(CLI::App& script, Selection& selection) {
  const auto [command, options] =
      AddCommand(script, selection, "run", "performs a script", RunScriptRun, Formats::kReport);
  command->add_option("FILE", options->file, "the script")->required();
  command
      ->add_option("--env", options->env,
                   "a variable of the script: NAME=VALUE, NAME=@FILE or NAME=$OTHER; repeatable "
                   "[the environment]")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command->add_option("--base", options->base, "where the site is now [where the script says]")
      ->type_name("URL");
  AddDuration(*command, "--deadline", options->deadline, "for the whole script [none]");
  AddDriveFlags(*command, options->drive);
}

Result<ExitCode> RunScriptRun(const ScriptRunOptions& options, Console& console) {
  TOPODB_TRY(const script::Script script, ReadScriptFile(options.file));
  TOPODB_TRY_VOID(script::CheckGuard(script));
  TOPODB_TRY(ScriptValues given, ResolveScriptValues(script, options.env));
  for (const std::string& warning : given.warnings) console.Warn(warning);
  TOPODB_TRY(std::string base, ResolveBase(options.base));
  replay::PlayOptions play{.base = std::move(base),
                           .allowed = options.drive.allowed,
                           .values = std::move(given.values),
                           .deadline = options.deadline};
  TOPODB_TRY(const std::string url, replay::CheckPlayable(script, play));
  if (options.base.empty() && !MayScriptOpen(url)) {
    Print(replay::NothingPlayed(script, url, "out-of-scope"), console);
    console.Warn("the script opens a page that is no web site; if it is meant, say so with --base");
    return ExitCode::kFound;
  }
  TOPODB_TRY(const replay::PlayReport report, Perform(script, options, std::move(play), console));
  Print(report, console);
  return ExitCodeFor(report);
}

}  // namespace topodb::cli
