#pragma once

#include <atomic>
#include <optional>

#include "cli/exit_code.h"

// SIGINT and SIGTERM, for commands that own a browser: the first asks the command to stop and store
// what it has, the second ends the process as usual.
namespace topodb::cli {

void CatchInterrupts();

// True once asked to stop.
const std::atomic<bool>& Interrupted();

// The exit code of the signal that asked; nullopt when none did.
std::optional<ExitCode> InterruptCode();

}  // namespace topodb::cli
