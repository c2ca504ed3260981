#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/drive_options.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ScriptRunOptions {
  std::filesystem::path file;
  std::vector<std::string> env;  // NAME=VALUE, NAME=@FILE, NAME=$OTHER
  std::string base;              // where the site is now
  std::chrono::milliseconds deadline{0};
  DriveFlags drive;
};

void AddScriptRun(CLI::App& script, Selection& selection);
// Performs a script in a browser of its own; kFound when a step did not pass. Nothing is stored.
Result<ExitCode> RunScriptRun(const ScriptRunOptions& options, Console& console);

}  // namespace topodb::cli
