#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/completion/region_profile.h"
#include "capture/completion/region_reading.h"

// The rules of completion evidence (docs/completion.md) over one reading. Pure.
namespace topodb::capture {

// A text and the item that it was taken from.
struct RegionSample {
  std::string text;
  std::optional<std::string> message_id, turn_id;
  int64_t turn_index = 0;
  bool operator==(const RegionSample&) const = default;
};

// Whether an item was found to be finished, and which.
struct Completion {
  bool finished = false;
  std::optional<std::string> message_id, turn_id;
  int64_t turn_index = -1;  // -1: no item supplied a proof
  std::string control;
  bool operator==(const Completion&) const = default;
};

enum class ActivityLevel : uint8_t { kNone, kWeak, kStrong, kUnknown };

struct Activity {
  ActivityLevel level = ActivityLevel::kNone;
  std::string evidence;  // its name, for people
  bool operator==(const Activity&) const = default;
};

// The text as an answer: trimmed, without the beginning that the profile cuts off; empty when it is
// only a placeholder.
std::string CleanText(std::string_view text, const RegionProfile& profile);

// The last item with a text, of those that are not older than the baseline.
std::optional<RegionSample> TakeSample(const RegionReading& reading, const RegionProfile& profile,
                                       uint64_t baseline_count);

// Walks the items from the last to the first. With identity, each field that the sample has must be
// equal; without, items below the baseline are passed over and the item must be the sampled one.
// The first that is left decides.
Completion Correlate(const RegionReading& reading, const RegionSample& sample,
                     uint64_t baseline_count);

// Signs that the region still fills.
Activity ActivityOf(const RegionReading& reading, const RegionProfile& profile);

// A user's item stands behind the sample: it answers something older.
bool IsStale(const RegionReading& reading, const RegionSample& sample);

// The images of items that are not older than the baseline, in document order; of `turn` alone when
// it is given.
std::vector<RegionImage> ImagesOf(const RegionReading& reading, const RegionProfile& profile,
                                  uint64_t baseline_count,
                                  std::optional<int64_t> turn = std::nullopt);

// The latest item, when it is not older than the baseline and is an answer of images alone, all of
// them loaded.
const RegionTurn* ImageOnlyTurn(const RegionReading& reading, const RegionProfile& profile,
                                uint64_t baseline_count);

// The conversation that an address is of; absent: none.
std::optional<std::string> ConversationOf(std::string_view url, const RegionProfile& profile);

}  // namespace topodb::capture
