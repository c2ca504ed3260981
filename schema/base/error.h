#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace topodb {

// Every kind is a decision somebody makes: a caller that branches, or an exit code
// (cli/exit_code.h). What nobody branches on is a message, not a kind.
enum class ErrorCode : uint8_t {
  kInvalidArgument,    // the caller's or the user's input is wrong
  kNotFound,           // no such record, run, file
  kAmbiguous,          // a prefix or name matches several records
  kCorruption,         // stored bytes contradict themselves
  kUnsupportedFormat,  // written by a newer format
  kIo,                 // file system or socket trouble
  kLocked,             // another process writes this database
  kTimeout,            // a deadline passed; the page survives
  kCancelled,          // the user interrupted
  kProtocol,           // the browser answered something unexpected; the page survives
  kNavigation,         // the page could not be opened
  kTargetCrashed,      // the page is lost, the browser lives
  kBrowserGone,        // the browser is lost
  kBrowserMissing,     // no browser could be found or started
  kElementNotFound,
  kElementNotActionable,
  kRefusedByPolicy,
};

// The stable snake_case name, as printed in JSON errors ("not_found").
std::string_view ToString(ErrorCode code);

// What went wrong, why, and what to do. Messages are lower case without a full stop.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;
  std::string hint;  // what the user can do; may be empty

  // Adds context on the way up: "while replaying edge X: <message>".
  Error With(std::string_view context) &&;

  bool operator==(const Error&) const = default;
};

}  // namespace topodb
