#pragma once

#include "schema/base/error.h"

namespace topodb::cli {

// What the process ends with; the table in docs/cli.md.
enum class ExitCode : int {
  kSuccess = 0,
  kFound = 1,        // done, and it found something
  kUsage = 2,        // bad flag, bad input, ambiguous reference
  kData = 3,         // file, database or lock trouble; no such record
  kNewerFormat = 4,  // written by a newer format
  kCorruption = 5,   // stored bytes contradict themselves
  kPartial = 6,      // captured and stored, but not to the end
  kBrowser = 7,      // no browser, or the entry page could not be opened: nothing stored
  kInterrupted = 130,
  kTerminated = 143,
};

// The one place where a kind of error becomes an exit code.
constexpr ExitCode ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kAmbiguous:
      return ExitCode::kUsage;
    case ErrorCode::kNotFound:
    case ErrorCode::kIo:
    case ErrorCode::kLocked:
      return ExitCode::kData;
    case ErrorCode::kUnsupportedFormat:
      return ExitCode::kNewerFormat;
    case ErrorCode::kCorruption:
      return ExitCode::kCorruption;
    case ErrorCode::kTimeout:
    case ErrorCode::kProtocol:
    case ErrorCode::kNavigation:
    case ErrorCode::kTargetCrashed:
    case ErrorCode::kBrowserGone:
    case ErrorCode::kBrowserMissing:
      return ExitCode::kBrowser;
    case ErrorCode::kCancelled:
      return ExitCode::kInterrupted;
    case ErrorCode::kElementNotFound:
    case ErrorCode::kElementNotActionable:
    case ErrorCode::kRefusedByPolicy:
      return ExitCode::kFound;
  }
  return ExitCode::kData;
}

// How much a code outweighs others; the highest concern wins.
constexpr int ConcernOf(ExitCode code) {
  switch (code) {
    case ExitCode::kSuccess:
      return 0;
    case ExitCode::kFound:
      return 1;
    case ExitCode::kPartial:
      return 2;
    case ExitCode::kInterrupted:
      return 3;
    case ExitCode::kTerminated:
      return 4;
    case ExitCode::kBrowser:
      return 5;
    case ExitCode::kData:
      return 6;
    case ExitCode::kNewerFormat:
      return 7;
    case ExitCode::kCorruption:
      return 8;
    case ExitCode::kUsage:
      return 9;
  }
  return 0;
}

constexpr ExitCode Worst(ExitCode a, ExitCode b) { return ConcernOf(a) >= ConcernOf(b) ? a : b; }

}  // namespace topodb::cli
