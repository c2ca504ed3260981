#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct RmOptions {
  std::vector<std::string> runs;
};

void AddRm(CLI::App& app, Selection& selection);
// Removes runs and lists them. A run that cannot be found keeps all of them.
Result<ExitCode> RunRm(const RmOptions& options, Console& console);

}  // namespace topodb::cli
