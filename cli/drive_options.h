#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "capture/drive.h"
#include "schema/base/result.h"
#include "schema/model.h"

// The options of every command that drives a browser.
namespace topodb::cli {

struct DriveFlags {
  capture::DriveOptions drive;
  std::string guard = "mutations";
  std::vector<RiskCategory> allowed;
  bool yes = false;
  std::string await_profile;            // a name or a file; empty: none
  std::filesystem::path storage_state;  // Playwright's JSON; empty: none
};

void AddDriveFlags(CLI::App& command, DriveFlags& flags);
// Those of them that are not about time or about what is explored.
void AddGuardFlags(CLI::App& command, DriveFlags& flags);
void AddBrowserFlags(CLI::App& command, DriveFlags& flags);

// The drive options, checked against where they are to be used. kInvalidArgument: no such guard
// mode or profile, an unguarded run away from this machine without --yes, a date for the real
// clock, waiting in virtual time, or a file that is no storage state. kNotFound, kIo: that file.
Result<capture::DriveOptions> ResolveDriveFlags(const DriveFlags& flags, std::string_view url);

}  // namespace topodb::cli
