#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct GcOptions {
  std::optional<size_t> keep_last;
  std::optional<std::chrono::milliseconds> older_than;
};

void AddGc(CLI::App& app, Selection& selection);
// Removes runs that are neither among the newest `keep_last` nor younger than `older_than`, as far
// as these are given, and lists them; then gives back space. Without either it removes no run.
Result<ExitCode> RunGc(const GcOptions& options, Console& console);

}  // namespace topodb::cli
