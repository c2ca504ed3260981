#include "schema/base/error.h"

#include <utility>

#include <fmt/core.h>

namespace topodb {

std::string_view ToString(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAmbiguous:
      return "ambiguous";
    case ErrorCode::kCorruption:
      return "corruption";
    case ErrorCode::kUnsupportedFormat:
      return "unsupported_format";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kLocked:
      return "locked";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kProtocol:
      return "protocol";
    case ErrorCode::kNavigation:
      return "navigation";
    case ErrorCode::kTargetCrashed:
      return "target_crashed";
    case ErrorCode::kBrowserGone:
      return "browser_gone";
    case ErrorCode::kBrowserMissing:
      return "browser_missing";
    case ErrorCode::kElementNotFound:
      return "element_not_found";
    case ErrorCode::kElementNotActionable:
      return "element_not_actionable";
    case ErrorCode::kRefusedByPolicy:
      return "refused_by_policy";
  }
  return "unknown";
}

Error Error::With(std::string_view context) && {
  message = fmt::format("{}: {}", context, message);
  return std::move(*this);
}

}  // namespace topodb
