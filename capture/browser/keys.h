#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace topodb::capture {

// A key as the browser's input wants it.
struct Key {
  std::string key;   // "Enter", "a"
  std::string code;  // "Enter", "KeyA"
  int windows_virtual_key_code = 0;
  std::optional<std::string> text = std::nullopt;  // what it types
  int modifiers = 0;                               // bits of cdp::input
  bool operator==(const Key&) const = default;
};

// "Enter", "ArrowDown", "a", "Control+Shift+Home": one key behind any of Alt, Control, Meta and
// Shift. nullopt when there is no such key.
std::optional<Key> ParseKey(std::string_view text);

}  // namespace topodb::capture
