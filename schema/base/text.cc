#include "schema/base/text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace topodb {
namespace {

// ASCII needs no tables: it is its own NFC and folds byte by byte.
bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsAsciiSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsAsciiControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// `code_point` is a scalar value, as U8_NEXT_OR_FFFD gives them.
void Append(UChar32 code_point, std::string& out) {
  const auto bits = static_cast<uint32_t>(code_point);
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | (bits >> shift & 0x3FU));
  };
  if (bits < 0x80) {
    out += static_cast<char>(bits);
  } else if (bits < 0x800) {
    out += static_cast<char>(0xC0U | bits >> 6U);
    tail(0);
  } else if (bits < 0x10000) {
    out += static_cast<char>(0xE0U | bits >> 12U);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0U | bits >> 18U);
    tail(12), tail(6), tail(0);
  }
}

// ICU's macro narrows ints inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"

// Calls visit(code point) for each, U+FFFD for what is invalid.
template <class Visit>
void ForEachCodePoint(std::string_view text, Visit visit) {
  const char* data = text.data();
  const auto size = static_cast<int64_t>(text.size());
  int64_t position = 0;
  while (position < size) {
    UChar32 code_point = 0;
    U8_NEXT_OR_FFFD(data, position, size, code_point);
    visit(code_point);
  }
}

#pragma GCC diagnostic pop

icu::StringPiece Piece(std::string_view text) {
  return {text.data(), static_cast<int32_t>(text.size())};
}

// `text` must be valid UTF-8. ICU can fail only for want of memory or data; then the text stays
// as it is, which is still a deterministic answer on that machine.
std::string ToNfc(std::string text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  if (U_FAILURE(error) || (nfc->isNormalizedUTF8(Piece(text), error) && U_SUCCESS(error))) {
    return text;
  }
  std::string out;
  icu::StringByteSink<std::string> sink(&out, static_cast<int32_t>(text.size()));
  nfc->normalizeUTF8(0, Piece(text), sink, nullptr, error);
  return U_SUCCESS(error) ? out : text;
}

enum class TextClass { kVisible, kSpace, kInvisible };

TextClass Classify(UChar32 code_point) {
  if (u_isUWhiteSpace(code_point)) return TextClass::kSpace;
  switch (u_charType(code_point)) {
    case U_CONTROL_CHAR:
      return TextClass::kInvisible;
    case U_FORMAT_CHAR:  // zero-width (joiners too), bidi controls, soft hyphen, BOM …
      // … but not the few that are drawn, such as U+0600.
      return u_hasBinaryProperty(code_point, UCHAR_PREPENDED_CONCATENATION_MARK)
                 ? TextClass::kVisible
                 : TextClass::kInvisible;
    default:
      return TextClass::kVisible;
  }
}

// Joins visible characters; each run of spaces between two of them becomes one.
class Collapser {
 public:
  void Space() { pending_space_ = !out_.empty(); }
  // Called before a visible character is appended.
  std::string& Visible() {
    if (pending_space_) out_ += ' ';
    pending_space_ = false;
    return out_;
  }
  std::string Take() && { return std::move(out_); }

 private:
  std::string out_;
  bool pending_space_ = false;
};

}  // namespace

std::string NormalizeText(std::string_view text) {
  Collapser collapser;
  if (IsAscii(text)) {
    for (const char c : text) {
      if (IsAsciiSpace(c)) {
        collapser.Space();
      } else if (!IsAsciiControl(c)) {
        collapser.Visible() += c;
      }
    }
    return std::move(collapser).Take();
  }
  ForEachCodePoint(text, [&](UChar32 code_point) {
    switch (Classify(code_point)) {
      case TextClass::kSpace:
        collapser.Space();
        break;
      case TextClass::kInvisible:
        break;
      case TextClass::kVisible:
        Append(code_point, collapser.Visible());
        break;
    }
  });
  return ToNfc(std::move(collapser).Take());
}

std::string FoldName(std::string_view text) {
  std::string folded;
  if (IsAscii(text)) {
    folded = text;
    for (char& c : folded) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return folded;
  }
  // Composed first: equivalent spellings fold alike.
  const std::string valid = ToNfc(ReplaceInvalidUtf8(text));
  UErrorCode error = U_ZERO_ERROR;
  icu::StringByteSink<std::string> sink(&folded, static_cast<int32_t>(valid.size()));
  icu::CaseMap::utf8Fold(0, Piece(valid), sink, nullptr, error);
  return ToNfc(U_SUCCESS(error) ? folded : valid);
}

std::string TruncateUtf8(std::string_view text, size_t max_bytes) {
  if (IsAscii(text)) return std::string(text.substr(0, max_bytes));
  std::string out = ReplaceInvalidUtf8(text);
  if (out.size() <= max_bytes) return out;
  size_t end = max_bytes;
  while (end > 0 && U8_IS_TRAIL(out[end])) --end;
  out.resize(end);
  return out;
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  if (IsAscii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  ForEachCodePoint(text, [&](UChar32 code_point) { Append(code_point, out); });
  return out;
}

}  // namespace topodb
