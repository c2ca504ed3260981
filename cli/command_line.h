#pragma once

#include "cli/exit_code.h"

namespace topodb::cli {

// Parses, runs one command, prints what went wrong.
ExitCode RunCommandLine(int argc, char** argv);

}  // namespace topodb::cli
