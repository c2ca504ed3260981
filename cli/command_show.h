#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ShowOptions {
  std::string id;
  std::string run;  // empty: the newest run that has it
};

void AddShow(CLI::App& app, Selection& selection);
// Prints one record of any kind by unique id prefix.
Result<ExitCode> RunShow(const ShowOptions& options, Console& console);

}  // namespace topodb::cli
