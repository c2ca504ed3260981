#include "cli/command_runs.h"

#include <utility>
#include <vector>

#include "cli/database.h"
#include "cli/run_list.h"

namespace topodb::cli {

void AddRuns(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "runs", "lists runs, newest first", RunRuns);
  command->add_option("--input", options->input, "only runs comparable with this input fingerprint")
      ->type_name("FINGERPRINT");
}

Result<ExitCode> RunRuns(const RunsOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const std::vector<store::StoredRun> runs, reader.Runs());
  RunList list(console);
  for (const store::StoredRun& stored : runs) {
    if (!stored.run.input_fingerprint.ToString().starts_with(options.input)) continue;
    TOPODB_TRY(RunList::Entry entry, list.Describe(reader, stored));
    list.Add(std::move(entry));
  }
  list.Finish();
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
