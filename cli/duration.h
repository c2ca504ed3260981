#pragma once

#include <chrono>
#include <string_view>

#include "schema/base/result.h"

namespace topodb::cli {

// "500ms", "30s", "5m", "2h", "7d"; bare numbers are seconds. kInvalidArgument otherwise, and for
// what does not fit.
Result<std::chrono::milliseconds> ParseDuration(std::string_view text);

}  // namespace topodb::cli
