#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/completion/region_profile.h"
#include "capture/completion/region_reading.h"

namespace topodb::capture {

inline const RegionProfile& Chat() { return *FindBuiltInProfile("chatgpt"); }

inline constexpr const char* kBar = "button.bar";

// An item, built up from nothing.
struct Item {
  RegionTurn turn;
  explicit Item(std::optional<std::string> text = std::nullopt) { turn.text = std::move(text); }
  Item& Message(std::string id) { return turn.message_id = std::move(id), *this; }
  Item& Turn(std::string id) { return turn.turn_id = std::move(id), *this; }
  Item& Bar() { return turn.control = kBar, *this; }
  Item& Busy() { return turn.busy = true, *this; }
  Item& Image(std::string id, std::string alternative = "Generated image") {
    turn.images.push_back({.source = "https://chat.test/backend-api/estuary/content?id=" + id,
                           .alternative = std::move(alternative),
                           .ancestor_ids = {},
                           .loaded = true});
    return *this;
  }
};

inline RegionReading ReadingOf(std::vector<Item> items) {
  RegionReading reading{.url = "https://chatgpt.com/c/ab12",
                        .count = static_cast<int64_t>(items.size())};
  for (Item& item : items) {
    item.turn.index = static_cast<int64_t>(reading.turns.size());
    reading.turns.push_back(std::move(item.turn));
  }
  return reading;
}

}  // namespace topodb::capture
