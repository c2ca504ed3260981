#include "cli/command_capture.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capture/browser/clock.h"
#include "capture/capture.h"
#include "capture/guard/url.h"
#include "cli/command_export.h"
#include "cli/database.h"
#include "cli/found_record.h"
#include "cli/interrupt.h"
#include "cli/option_types.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_id.h"
#include "cli/run_view.h"
#include "cli/values_file.h"
#include "cli/version.h"
#include "cli/words.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

constexpr uint32_t kMostJobsByDefault = 8;

uint32_t DefaultJobs() {
  return std::clamp<uint32_t>(std::thread::hardware_concurrency(), 1, kMostJobsByDefault);
}

std::string Summary(const Run& run) {
  std::string text =
      fmt::format("{}{} in {:.1f} s: {}", ToString(run.status),
                  run.status_reason.empty() ? "" : " (" + run.status_reason + ")",
                  static_cast<double>(run.ended_at.millis - run.generated_at.millis) / 1000,
                  CountsText(run.counts));
  for (const Budget& budget : run.budgets) {
    if (budget.hit) text += fmt::format("\nended by --{} {}", budget.name, budget.limit);
  }
  if (!run.off_origin_hosts.empty()) {
    text += fmt::format("\nalso loaded from {}", fmt::join(run.off_origin_hosts, ", "));
  }
  return text;
}

Status Print(const store::GraphReader& reader, const store::StoredRun& stored, Console& console) {
  RunView view(reader, stored);
  if (console.format() == Format::kText) {
    console.WriteLine(stored.run.id.ToString());
    const std::string summary = Summary(stored.run);
    for (size_t at = 0; at <= summary.size();) {
      const size_t end = std::min(summary.find('\n', at), summary.size());
      console.WriteLine(std::string_view(summary).substr(at, end - at));
      at = end + 1;
    }
    return {};
  }
  TOPODB_TRY(const std::string document, JsonOf(stored.run, view));
  console.Write(console.format() == Format::kJson ? PrettyJson(document) : document + "\n");
  return {};
}

}  // namespace

void AddCapture(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "capture", "captures a site as a run", RunCapture);
  capture::ExploreOptions& explore = options->explore;
  command->add_option("URL", options->input, "address or HTML file to start from")->required();
  AddChoice(*command, "--mode", explore.mode,
            {{"scan", RunMode::kScan}, {"explore", RunMode::kExplore}},
            "scan (only look) or explore [explore]")
      ->type_name("MODE");
  command->add_option("--name", options->name, "a name for the run")->type_name("NAME");
  command->add_option("--seed", options->seed, "what runs of one site have in common [the URL]")
      ->type_name("KEY");
  command->add_option("--max-depth", explore.max_depth, "actions on a path [1]")->type_name("N");
  command->add_option("--max-actions", explore.max_actions, "actions tried [50]")->type_name("N");
  command->add_option("--max-states", explore.max_states, "states [200]")->type_name("N");
  command
      ->add_option("--max-per-template", explore.max_per_template,
                   "explored states of one URL pattern and structure [3]")
      ->type_name("N");
  command->add_option("--jobs", options->jobs, "tabs side by side [processors, at most 8]")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  AddDuration(*command, "--max-time", explore.max_time, "for the whole run [10m]");
  command->add_option("--values", options->values, "JSON object: what to enter, by control name")
      ->type_name("FILE");
  AddDriveFlags(*command, options->drive);
  command->add_option("--out", options->out, "also write the run as a JSON document")
      ->type_name("FILE");
  command->add_flag("--durable", options->durable, "every state survives a loss of power");
}

Result<ExitCode> RunCapture(const CaptureCommandOptions& options, Console& console) {
  TOPODB_TRY(const std::string url, capture::ResolveInput(options.input));
  capture::CaptureOptions run_options{.input = options.input,
                                      .seed = options.seed,
                                      .name = options.name,
                                      .explore = options.explore,
                                      .drive = {},
                                      .jobs = options.jobs.value_or(DefaultJobs())};
  TOPODB_TRY(run_options.drive, ResolveDriveFlags(options.drive, url, console));
  TOPODB_TRY(run_options.explore.values, ReadValues(options.values));
  run_options.explore.allowed = options.drive.allowed;
  TOPODB_TRY(const capture::RiskPolicy policy, ResolvePolicy(options.drive));

  CatchInterrupts();
  const capture::SystemClock clock;
  TOPODB_TRY(const auto store, OpenForWrite(console.options(), {.durable = options.durable}));
  const auto sink = store->NewSink();
  const RunId id = NewRunId();
  uint64_t stored_states = 0;
  Result<Run> run = [&] {
    Progress progress(console, clock);
    auto result = capture::Capture(run_options, *sink, policy, clock,
                                   {.id = id, .engine_version = std::string(Version())}, progress,
                                   Interrupted());
    stored_states = progress.states();
    return result;
  }();
  if (!run && run.error().code == ErrorCode::kIo && stored_states > 0) {
    run.error().hint +=
        fmt::format("\nthe {} captured so far will be listed as a partial run by the next capture",
                    Counted(stored_states, "state"));
    PrintError(run.error(), console.format());
    return ExitCode::kPartial;
  }
  if (!run) return std::move(run).error();

  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun stored, reader.FindRun(id.ToString()));
  for (const std::string& warning : stored.run.warnings) console.Warn(warning);
  TOPODB_TRY_VOID(Print(reader, stored, console));
  if (!options.out.empty()) {
    TOPODB_TRY_VOID(ExportToFile(reader, stored, ExportForm::kJson, options.out));
  }
  return stored.run.status == RunStatus::kComplete ? ExitCode::kSuccess : ExitCode::kPartial;
}

}  // namespace topodb::cli
