#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct CheckOptions {
  std::vector<std::string> runs;  // empty: all
  bool repair_indexes = false;
};

void AddCheck(CLI::App& app, Selection& selection);
// Proves the integrity of runs and prints every violation; kFound when there is one, kCorruption
// when it is about bytes that do not verify.
Result<ExitCode> RunCheck(const CheckOptions& options, Console& console);

}  // namespace topodb::cli
