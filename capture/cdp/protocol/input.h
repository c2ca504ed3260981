#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::input {

// Bits of `modifiers`.
inline constexpr int kAlt = 1, kCtrl = 2, kMeta = 4, kShift = 8;

// Replies when the renderer has handled the event: late, or never, when a dialog opens.
struct DispatchMouseEvent {
  static constexpr std::string_view kMethod = "Input.dispatchMouseEvent";
  std::string type;     // mousePressed | mouseReleased | mouseMoved | mouseWheel
  double x = 0, y = 0;  // CSS pixels of the main frame's viewport
  int modifiers = 0;
  std::string button = "none";  // none | left | middle | right
  int buttons = 0;              // held: 1 left, 2 right, 4 middle
  int click_count = 0;
  double delta_x = 0, delta_y = 0;  // sent for mouseWheel only
  std::string Params() const;
  using Reply = Empty;
};

struct DispatchKeyEvent {
  static constexpr std::string_view kMethod = "Input.dispatchKeyEvent";
  std::string type;  // keyDown | keyUp | rawKeyDown | char
  std::string key;   // "Enter"
  std::string code;  // "Enter", "KeyA"
  int modifiers = 0;
  std::optional<std::string> text = std::nullopt;  // what the key types
  int windows_virtual_key_code = 0;
  std::string Params() const;
  using Reply = Empty;
};

struct InsertText {
  static constexpr std::string_view kMethod = "Input.insertText";
  std::string text;
  std::string Params() const;
  using Reply = Empty;
};

}  // namespace topodb::capture::cdp::input
