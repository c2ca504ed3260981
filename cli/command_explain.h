#pragma once

#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ExplainOptions {
  std::string id;
  std::string other;  // a second state; empty: explain one record
  std::string run;    // empty: the newest run that has it
};

void AddExplain(CLI::App& app, Selection& selection);
// Says what a record rests on: identity parts, risk evidence, locator scores.
Result<ExitCode> RunExplain(const ExplainOptions& options, Console& console);

}  // namespace topodb::cli
