#include "cli/duration.h"

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace topodb::cli {

Result<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  const Error invalid{ErrorCode::kInvalidArgument, fmt::format("'{}' is not a duration", text),
                      "write 500ms, 30s, 5m, 2h or 7d; a bare number is seconds"};
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return invalid;

  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr std::array<std::pair<std::string_view, int64_t>, 6> kUnits = {
      {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  for (const auto& [name, millis] : kUnits) {
    if (unit != name) continue;
    if (number > std::numeric_limits<int64_t>::max() / millis) return invalid;
    return std::chrono::milliseconds(number * millis);
  }
  return invalid;
}

}  // namespace topodb::cli
