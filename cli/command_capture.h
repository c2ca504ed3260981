#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "capture/explore/explorer.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/drive_options.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct CaptureCommandOptions {
  std::string input;
  std::string name;
  std::optional<std::string> seed;
  capture::ExploreOptions explore;
  DriveFlags drive;
  std::optional<uint32_t> jobs;  // tabs side by side
  std::filesystem::path values;  // JSON object: what to enter, by control name
  std::filesystem::path out;     // also write the run as a document
  bool durable = false;
};

void AddCapture(CLI::App& app, Selection& selection);
// Captures one run and prints its id and a summary.
Result<ExitCode> RunCapture(const CaptureCommandOptions& options, Console& console);

}  // namespace topodb::cli
