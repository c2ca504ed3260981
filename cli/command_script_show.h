#pragma once

#include <filesystem>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ScriptShowOptions {
  std::filesystem::path file;
};

void AddScriptShow(CLI::App& script, Selection& selection);
// Prints what a script would do.
Result<ExitCode> RunScriptShow(const ScriptShowOptions& options, Console& console);

}  // namespace topodb::cli
