#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct RunsOptions {
  std::string input;  // prefix of an input fingerprint; empty: all
};

void AddRuns(CLI::App& app, Selection& selection);
// Lists runs, newest first.
Result<ExitCode> RunRuns(const RunsOptions& options, Console& console);

}  // namespace topodb::cli
