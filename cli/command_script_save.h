#pragma once

#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ScriptSaveOptions {
  std::string run;
  std::string to;     // STATE
  std::string guard;  // LANDMARK; empty: none, which is refused with the ones to choose from
  std::filesystem::path file;
  bool force = false;
};

void AddScriptSave(CLI::App& script, Selection& selection);
// Publishes the path from a run's entry to a state as a script; see query/script/make_script.h for
// what is refused. kIo when the file exists, unless forced.
Result<ExitCode> RunScriptSave(const ScriptSaveOptions& options, Console& console);

}  // namespace topodb::cli
