#include "capture/browser/keys.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "capture/cdp/protocol/input.h"

namespace topodb::capture {
namespace {

struct NamedKey {
  std::string_view key;
  int windows_virtual_key_code;
  std::string_view text = {};
};

constexpr std::array kNamed = {
    NamedKey{"Enter", 13, "\r"}, NamedKey{"Tab", 9},        NamedKey{"Escape", 27},
    NamedKey{"Backspace", 8},    NamedKey{"Delete", 46},    NamedKey{"Insert", 45},
    NamedKey{"Home", 36},        NamedKey{"End", 35},       NamedKey{"PageUp", 33},
    NamedKey{"PageDown", 34},    NamedKey{"ArrowLeft", 37}, NamedKey{"ArrowUp", 38},
    NamedKey{"ArrowRight", 39},  NamedKey{"ArrowDown", 40}, NamedKey{"F1", 112},
    NamedKey{"F2", 113},         NamedKey{"F3", 114},       NamedKey{"F4", 115},
    NamedKey{"F5", 116},         NamedKey{"F6", 117},       NamedKey{"F7", 118},
    NamedKey{"F8", 119},         NamedKey{"F9", 120},       NamedKey{"F10", 121},
    NamedKey{"F11", 122},        NamedKey{"F12", 123},
};

struct Modifier {
  std::string_view name;
  int bit;
};

constexpr std::array kModifiers = {
    Modifier{"Alt", cdp::input::kAlt}, Modifier{"Control", cdp::input::kCtrl},
    Modifier{"Meta", cdp::input::kMeta}, Modifier{"Shift", cdp::input::kShift}};

std::optional<Key> PlainKey(std::string_view name) {
  const auto named = std::ranges::find(kNamed, name, &NamedKey::key);
  if (named != kNamed.end()) {
    Key key{.key = std::string(name),
            .code = std::string(name),
            .windows_virtual_key_code = named->windows_virtual_key_code};
    if (!named->text.empty()) key.text = named->text;
    return key;
  }
  if (name == "Space") {
    return Key{.key = " ", .code = "Space", .windows_virtual_key_code = 32, .text = " "};
  }
  if (name.size() != 1 || std::isalnum(static_cast<unsigned char>(name[0])) == 0) {
    return std::nullopt;
  }
  const auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  const bool digit = std::isdigit(static_cast<unsigned char>(upper)) != 0;
  return Key{.key = std::string(name),
             .code = (digit ? "Digit" : "Key") + std::string(1, upper),
             .windows_virtual_key_code = upper,
             .text = std::string(name)};
}

}  // namespace

std::optional<Key> ParseKey(std::string_view text) {
  int modifiers = 0;
  for (size_t plus = text.find('+'); plus != std::string_view::npos; plus = text.find('+')) {
    const auto modifier = std::ranges::find(kModifiers, text.substr(0, plus), &Modifier::name);
    if (modifier == kModifiers.end()) return std::nullopt;
    modifiers |= modifier->bit;
    text.remove_prefix(plus + 1);
  }
  auto key = PlainKey(text);
  if (!key) return std::nullopt;
  key->modifiers = modifiers;
  // With anything but Shift, a key is a command and types nothing.
  if ((modifiers & ~cdp::input::kShift) != 0) key->text.reset();
  return key;
}

}  // namespace topodb::capture
