#pragma once

#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct ImportOptions {
  std::filesystem::path input;  // "-": standard input
  std::string name;             // of the new run; empty: as in the document
  bool strict = false;          // refuse what is otherwise a warning
};

void AddImport(CLI::App& app, Selection& selection);
// Stores a topology graph document as a new run and prints its id.
Result<ExitCode> RunImport(const ImportOptions& options, Console& console);

}  // namespace topodb::cli
