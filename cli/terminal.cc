#include "cli/terminal.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace topodb::cli {
namespace {

struct CodePoint {
  char32_t value = 0;
  size_t bytes = 1;
  bool valid = false;
};

// The code point at `text[at]`; overlong forms, surrogates and stray bytes are one invalid byte.
CodePoint Decode(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
  char32_t value = lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return {};
    value = value << 6U | (byte(at + i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length, true};
}

struct Range {
  char32_t first, last;
};

template <size_t N>
bool In(const std::array<Range, N>& ranges, char32_t value) {
  const auto* after = std::upper_bound(ranges.begin(), ranges.end(), value,
                                       [](char32_t v, const Range& r) { return v < r.first; });
  return after != ranges.begin() && value <= std::prev(after)->last;
}

// Sorted. Controls, then what reorders or breaks lines, then invisible tag characters.
constexpr std::array<Range, 8> kUnsafe = {{{0x00, 0x1F},
                                           {0x7F, 0x9F},
                                           {0x061C, 0x061C},
                                           {0x200E, 0x200F},
                                           {0x2028, 0x202E},
                                           {0x2066, 0x2069},
                                           {0xFFF9, 0xFFFB},
                                           {0xE0000, 0xE007F}}};

// Sorted. East Asian wide and emoji blocks, coarse on purpose.
constexpr std::array<Range, 11> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0x33FF},
                                          {0x3400, 0x4DBF},
                                          {0x4E00, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};

// Sorted. Combining marks, joiners and variation selectors.
constexpr std::array<Range, 6> kZeroWidth = {{{0x0300, 0x036F},
                                              {0x0483, 0x0489},
                                              {0x0591, 0x05BD},
                                              {0x200B, 0x200D},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F}}};

size_t WidthOf(char32_t value) { return In(kZeroWidth, value) ? 0 : In(kWide, value) ? 2 : 1; }

std::string Escaped(char32_t value) {
  return value > 0xFFFF ? fmt::format("\\u{{{:x}}}", static_cast<uint32_t>(value))
                        : fmt::format("\\u{:04x}", static_cast<uint32_t>(value));
}

}  // namespace

bool IsTerminal(int descriptor) { return isatty(descriptor) == 1; }

size_t TerminalWidth(int descriptor) {
  winsize size{};
  if (!IsTerminal(descriptor) || ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool UseColor(ColorMode mode, int descriptor) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return IsTerminal(descriptor) && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string ForTerminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = Decode(text, at);
    if (!point.valid) {
      out += fmt::format("\\x{:02x}", static_cast<uint8_t>(text[at]));
    } else if (In(kUnsafe, point.value)) {
      out += Escaped(point.value);
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = Decode(text, at);
    width += WidthOf(point.value);
    at += point.bytes;
  }
  return width;
}

std::string ElideMiddle(std::string_view text, size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width == 0) return {};
  const size_t left_width = (width - 1) / 2;
  const size_t right_width = width - 1 - left_width;

  size_t left = 0;
  for (size_t used = 0; left < text.size();) {
    const CodePoint point = Decode(text, left);
    used += WidthOf(point.value);
    if (used > left_width) break;
    left += point.bytes;
  }
  // Drops characters from the front until the rest fits on the right.
  size_t right = left;
  while (DisplayWidth(text.substr(right)) > right_width) right += Decode(text, right).bytes;
  return std::string(text.substr(0, left)) + "…" + std::string(text.substr(right));
}

}  // namespace topodb::cli
