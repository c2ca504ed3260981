#include "capture/cdp/protocol/input.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::input {

std::string DispatchMouseEvent::Params() const {
  ObjectWriter writer;
  writer.String("type", type)
      .Double("x", x)
      .Double("y", y)
      .Int("modifiers", modifiers)
      .String("button", button)
      .Int("buttons", buttons)
      .Int("clickCount", click_count);
  if (type == "mouseWheel") writer.Double("deltaX", delta_x).Double("deltaY", delta_y);
  return writer.Take();
}

std::string DispatchKeyEvent::Params() const {
  return ObjectWriter()
      .String("type", type)
      .String("key", key)
      .String("code", code)
      .Int("modifiers", modifiers)
      .Optional("text", text)
      .Int("windowsVirtualKeyCode", windows_virtual_key_code)
      .Take();
}

std::string InsertText::Params() const { return ObjectWriter().String("text", text).Take(); }

}  // namespace topodb::capture::cdp::input
