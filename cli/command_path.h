#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct PathOptions {
  std::string run = "latest";
  std::string from = "entry";
  std::string to;
};

// Declares `path` below `topodb query`.
void AddPath(CLI::App& query, Selection& selection);
// Prints the shortest action path between two states; kNotFound when there is none.
Result<ExitCode> RunPath(const PathOptions& options, Console& console);

}  // namespace topodb::cli
