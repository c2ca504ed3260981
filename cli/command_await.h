#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/drive_options.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

namespace topodb::cli {

struct AwaitCommandOptions {
  std::string input;
  std::string profile;
  std::string fill;  // LOCATOR=TEXT
  std::string submit;
  std::chrono::milliseconds timeout{300'000};
  std::filesystem::path image_directory;
  bool since_now = false;
  bool copy = false;
  bool no_store = false;
  DriveFlags drive;
};

void AddAwait(CLI::App& app, Selection& selection);
// Waits for a region of a page and prints its text, if it was proven to be finished.
Result<ExitCode> RunAwait(const AwaitCommandOptions& options, Console& console);

}  // namespace topodb::cli
