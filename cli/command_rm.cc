#include "cli/command_rm.h"

#include <algorithm>
#include <utility>

#include "cli/database.h"
#include "cli/remove_runs.h"

namespace topodb::cli {

void AddRm(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "rm", "removes runs and lists them", RunRm);
  command->add_option("RUN", options->runs, "the runs")->required();
}

Result<ExitCode> RunRm(const RmOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenExistingForWrite(console.options()));
  std::vector<store::StoredRun> runs;
  for (const std::string& reference : options.runs) {
    TOPODB_TRY(store::StoredRun run, store->reader().FindRun(reference));
    const bool named_twice = std::ranges::any_of(
        runs, [&](const store::StoredRun& other) { return other.number == run.number; });
    if (!named_twice) runs.push_back(std::move(run));
  }
  TOPODB_TRY_VOID(RemoveRuns(*store, runs, console));
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
