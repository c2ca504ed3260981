#pragma once

#include <CLI/App.hpp>

#include "cli/command.h"

namespace topodb::cli {

// `topodb script` with its subcommands, each in a command_script_<name>.h of its own.
void AddScript(CLI::App& app, Selection& selection);

}  // namespace topodb::cli
