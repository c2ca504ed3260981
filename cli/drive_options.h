#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "capture/drive.h"
#include "capture/risk/risk_policy.h"
#include "cli/console.h"
#include "schema/base/result.h"
#include "schema/model.h"

// The options of every command that drives a browser.
namespace topodb::cli {

struct DriveFlags {
  capture::DriveOptions drive;
  std::optional<uint32_t> rate;  // absent: none on this machine, some elsewhere
  std::string guard = "mutations";
  std::vector<RiskCategory> allowed;
  bool yes = false;
  std::filesystem::path policy;         // the risk policy's words; empty: the built-in ones
  std::string await_profile;            // a name or a file; empty: none
  std::filesystem::path storage_state;  // Playwright's JSON; empty: none
  std::vector<std::string> headers;     // as given, see ReadSecretValue
  std::string credentials;
};

void AddDriveFlags(CLI::App& command, DriveFlags& flags);
// Those of them that are not about time or about what is explored.
void AddGuardFlags(CLI::App& command, DriveFlags& flags);
void AddBrowserFlags(CLI::App& command, DriveFlags& flags);

// The drive options, checked against where they are to be used. kInvalidArgument: no such guard
// mode or profile, an unguarded run away from this machine without --yes, a date for the real
// clock, waiting in virtual time, no header or credentials, or a file that is no storage state.
// kNotFound, kIo: a file. Warns on `console` of secrets that stand on the command line.
Result<capture::DriveOptions> ResolveDriveFlags(const DriveFlags& flags, std::string_view url,
                                                Console& console);
// Of --base: where the site is now, an address or a file; empty stays empty. kInvalidArgument.
Result<std::string> ResolveBase(const std::string& given);
// What decides which actions are harmless. kInvalidArgument naming the field of the file that is
// wrong; kNotFound, kIo.
Result<capture::RiskPolicy> ResolvePolicy(const DriveFlags& flags);

}  // namespace topodb::cli
