#include "cli/command_gc.h"

#include <utility>
#include <vector>

#include "capture/browser/clock.h"
#include "cli/database.h"
#include "cli/option_types.h"
#include "cli/remove_runs.h"

namespace topodb::cli {
namespace {

// `runs`, newest first, without those to keep.
std::vector<store::StoredRun> Expired(std::vector<store::StoredRun> runs, const GcOptions& options,
                                      Timestamp now) {
  std::vector<store::StoredRun> expired;
  if (!options.keep_last && !options.older_than) return expired;
  size_t rank = 0;
  for (store::StoredRun& run : runs) {
    if (rank++ < options.keep_last.value_or(0)) continue;
    if (options.older_than &&
        now.millis - run.run.generated_at.millis < options.older_than->count())
      continue;
    expired.push_back(std::move(run));
  }
  return expired;
}

}  // namespace

void AddGc(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "gc", "removes old runs and gives back space", RunGc);
  command->add_option("--keep-last", options->keep_last, "removes all but the newest N runs")
      ->type_name("N");
  AddDuration(*command, "--older-than", options->older_than,
              "removes runs made longer ago than this, except those to keep");
}

Result<ExitCode> RunGc(const GcOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenExistingForWrite(console.options()));
  TOPODB_TRY(std::vector<store::StoredRun> runs, store->reader().Runs());
  const Timestamp now = capture::SystemClock().Now();
  TOPODB_TRY_VOID(RemoveRuns(*store, Expired(std::move(runs), options, now), console));
  TOPODB_TRY_VOID(store->Reclaim());
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
