#include "query/report/markup.h"

#include <cstdint>

#include <fmt/format.h>

#include "schema/base/text.h"

namespace topodb::query {
namespace {

// The code point that begins at `at` of valid UTF-8, and its length.
struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 1;
};

CodePoint Decode(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t value = lead & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes && at + i < text.size(); ++i) {
    value = value << 6U | (static_cast<uint8_t>(text[at + i]) & 0x3FU);
  }
  return {value, bytes};
}

// What could hide, reorder or end text without being seen.
bool IsUnseen(uint32_t c) {
  const auto in = [c](uint32_t first, uint32_t last) { return c >= first && c <= last; };
  return c < 0x20 || in(0x7F, 0x9F) || c == 0xAD || c == 0x61C || in(0x200B, 0x200F) ||
         in(0x2028, 0x202E) || in(0x2060, 0x206F) || c == 0xFEFF || in(0xFFF9, 0xFFFB) ||
         in(0xFFFE, 0xFFFF) || in(0xE0000, 0xE0FFF);
}

}  // namespace

std::string EscapeMarkup(std::string_view raw) {
  const std::string text = ReplaceInvalidUtf8(raw);
  std::string escaped;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = Decode(text, at);
    switch (c.value) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        if (IsUnseen(c.value)) {
          escaped += fmt::format("\\u{:04x}", c.value);
        } else {
          escaped += text.substr(at, c.bytes);
        }
    }
    at += c.bytes;
  }
  return escaped;
}

std::string Shortened(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  return TruncateUtf8(text, max_bytes) + "…";
}

}  // namespace topodb::query
