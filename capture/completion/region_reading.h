#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

// What one look at a region found, as the page said it. Everything comes from one moment.
namespace topodb::capture {

struct RegionImage {
  std::string source, alternative;
  std::vector<std::string> ancestor_ids;
  bool loaded = false;
  bool operator==(const RegionImage&) const = default;
};

struct RegionTurn {
  int64_t index = 0;  // among all items, in document order
  std::optional<std::string> message_id, turn_id;
  std::string control;              // selector of the terminal control in it; empty: none
  std::optional<std::string> text;  // absent: not read, because a later item has enough
  bool busy = false;                // says of itself that it is being changed
  std::vector<RegionImage> images;  // when they were asked for
  bool operator==(const RegionTurn&) const = default;
};

// A stop control that can be seen.
struct StopSeen {
  size_t rule = 0;  // index into RegionProfile::stop_controls
  std::string label;
  bool operator==(const StopSeen&) const = default;
};

struct RegionReading {
  std::string url;
  int64_t count = 0;              // of all items
  std::vector<RegionTurn> turns;  // the last ones, in document order
  // How many items stand before the last item of the user; absent: there is none.
  std::optional<int64_t> before_last_user;
  std::vector<StopSeen> stops;
  std::string progress;          // what is under way in the latest item; empty: nothing
  bool activity_unread = false;  // stops and progress could not be looked at
  bool operator==(const RegionReading&) const = default;
};

// What completion.js returns. kInvalidArgument: a selector of the profile is none (the message
// names it); kProtocol: the page could not be read, or it answered something else.
Result<RegionReading> ParseRegionReading(std::string_view json);

}  // namespace topodb::capture
