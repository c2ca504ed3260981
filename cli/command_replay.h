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

struct ReplayCommandOptions {
  std::string run = "latest";
  std::vector<std::string> edges;  // id prefixes
  std::string from, to;            // STATE
  std::string base;                // where the site is now
  std::chrono::milliseconds deadline{0};
  bool allow_positional = false;
  size_t from_step = 0;          // 0: from the first
  std::string plan_digest;       // of the report that is taken up
  std::filesystem::path values;  // JSON object: what to enter where the run does not hold it
  DriveFlags drive;
};

void AddReplay(CLI::App& app, Selection& selection);
// Performs stored edges on the live site; kFound when a step did not pass.
Result<ExitCode> RunReplay(const ReplayCommandOptions& options, Console& console);

}  // namespace topodb::cli
