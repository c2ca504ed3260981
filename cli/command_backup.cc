#include "cli/command_backup.h"

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/words.h"

namespace topodb::cli {

void AddBackup(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "backup", "writes a second database with every run", RunBackup);
  command->add_option("DIR", options->directory, "where; must be empty or not there yet")
      ->required();
}

Result<ExitCode> RunBackup(const BackupOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  TOPODB_TRY(const auto runs, store->reader().Runs());
  TOPODB_TRY_VOID(store->BackUp(options.directory));
  console.Note(fmt::format("{} in '{}'", Counted(runs.size(), "run"), options.directory.string()));
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
