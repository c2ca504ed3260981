#pragma once

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
};

void AddDriveFlags(CLI::App& command, DriveFlags& flags);

// The drive options, checked against where they are to be used. kInvalidArgument: no such guard
// mode, an unguarded run away from this machine without --yes, or a date for the real clock.
Result<capture::DriveOptions> ResolveDriveFlags(const DriveFlags& flags, std::string_view url);

}  // namespace topodb::cli
