#pragma once

#include <filesystem>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct BackupOptions {
  std::filesystem::path directory;
};

void AddBackup(CLI::App& app, Selection& selection);
// Writes every published run into a database of its own.
Result<ExitCode> RunBackup(const BackupOptions& options, Console& console);

}  // namespace topodb::cli
