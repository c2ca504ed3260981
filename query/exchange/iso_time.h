#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/model.h"

namespace topodb::query {

// "2026-01-31T23:59:59.123Z". Times outside the years 0 to 9999 are written as the nearest one
// inside, so that the text always reads back.
std::string ToIsoTime(Timestamp time);

// ISO 8601 with date, time, 0 to 9 fractional digits (cut to milliseconds) and "Z" or an offset.
// nullopt for anything else, and for a day that is not in the calendar.
std::optional<Timestamp> ParseIsoTime(std::string_view text);

}  // namespace topodb::query
