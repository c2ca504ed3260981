#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "query/diff.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct DiffCommandOptions {
  std::string before, after;             // runs
  std::vector<query::DiffSection> only;  // empty: all
  bool summary = false;                  // counts only
  bool force = false;                    // compare what is not comparable
};

void AddDiff(CLI::App& app, Selection& selection);
// Prints what changed between two runs; kFound when something did.
Result<ExitCode> RunDiff(const DiffCommandOptions& options, Console& console);

}  // namespace topodb::cli
