#include "query/exchange/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace topodb::query {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0U) == 0x80U; }

// The length of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  const uint8_t second = byte(1);
  if (lead == 0xE0 && second < 0xA0) return 0;  // overlong
  if (lead == 0xED && second > 0x9F) return 0;  // surrogate
  if (lead == 0xF0 && second < 0x90) return 0;  // overlong
  if (lead == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

// The code point of a well-formed sequence of two to four bytes.
char32_t CodePoint(std::string_view sequence) {
  char32_t code = static_cast<uint8_t>(sequence[0]) & (0x7FU >> sequence.size());
  for (const char c : sequence.substr(1)) code = code << 6U | (static_cast<uint8_t>(c) & 0x3FU);
  return code;
}

// Whether a character beyond ASCII steers a terminal or the order of text: C1 controls, bidi
// controls, line and paragraph separators, interlinear marks, tags.
bool Steers(char32_t code) {
  return (code >= 0x80 && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

void AppendEscape(char32_t code, std::string& out) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  if (code > 0xFFFF) {
    AppendEscape(0xD800 + ((code - 0x10000) >> 10U), out);
    AppendEscape(0xDC00 + ((code - 0x10000) & 0x3FFU), out);
    return;
  }
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[code >> shift & 15U];
}

void AppendAscii(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  const auto code = static_cast<uint8_t>(c);
  if (code < 0x20 || code == 0x7F) {
    AppendEscape(code, out);
  } else {
    out += c;
  }
}

// Whether the byte can be copied as it stands.
bool IsPlain(char c) {
  const auto code = static_cast<uint8_t>(c);
  return code >= 0x20 && code < 0x7F && c != '"' && c != '\\';
}

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  size_t i = 0;
  while (i < text.size()) {
    size_t end = i;
    while (end < text.size() && IsPlain(text[end])) ++end;
    out.append(text, i, end - i);
    i = end;
    if (i == text.size()) break;
    const size_t length = SequenceLength(text.substr(i));
    if (length == 0) {
      out += kReplacement;
    } else if (length == 1) {
      AppendAscii(text[i], out);
    } else if (const char32_t code = CodePoint(text.substr(i, length)); Steers(code)) {
      AppendEscape(code, out);
    } else {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  out += '"';
}

void JsonWriter::Key(std::string_view name) {
  Separate();
  AppendJsonString(name, out_);
  out_ += ':';
  need_comma_ = false;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  AppendJsonString(text, out_);
  need_comma_ = true;
}

void JsonWriter::Null() { Raw("null"); }

void JsonWriter::Number(double value) {
  if (!std::isfinite(value)) return Null();
  if (value == 0) return Raw("0");  // also for the negative zero
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  Raw({text.data(), end});
}

void JsonWriter::Open(char bracket) {
  Separate();
  out_ += bracket;
  need_comma_ = false;
}

void JsonWriter::Close(char bracket) {
  out_ += bracket;
  need_comma_ = true;
}

void JsonWriter::Raw(std::string_view text) {
  Separate();
  out_ += text;
  need_comma_ = true;
}

void JsonWriter::Separate() {
  if (need_comma_) out_ += ',';
}

}  // namespace topodb::query
