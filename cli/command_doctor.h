#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct DoctorOptions {
  std::string browser;  // as for capture
};

void AddDoctor(CLI::App& app, Selection& selection);
// Starts the browser and opens the database, and says what is wrong; the exit code is that of the
// worst trouble.
Result<ExitCode> RunDoctor(const DoctorOptions& options, Console& console);

}  // namespace topodb::cli
