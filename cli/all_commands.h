#pragma once

#include <CLI/App.hpp>

#include "cli/command.h"

namespace topodb::cli {

// Declares every subcommand, in the order of --help.
void AddAllCommands(CLI::App& app, Selection& selection);

}  // namespace topodb::cli
