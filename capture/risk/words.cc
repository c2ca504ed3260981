#include "capture/risk/words.h"

#include <algorithm>
#include <array>
#include <optional>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

namespace topodb::capture {
namespace {

constexpr size_t kMaxBytes = 16U << 10U;

enum class CharClass : uint8_t {
  kLetter,
  kDense,
  kDigit,
  kSign,
  kExtend,  // belongs to whatever stands before it
  kGap,     // ends a word
  kSpace,   // ends a word; a dash between two of them ends a clause
  kDash,
  kBreak,  // ends a clause
};

struct Char {
  UChar32 code = 0;
  size_t begin = 0, end = 0;  // bytes
  CharClass kind = CharClass::kGap;
};

bool IsDense(UChar32 code) {
  // Marks of kana that count as of no script: prolonged sound, and the half-width sound marks.
  if (code == 0x30FC || code == 0xFF70 || code == 0xFF9E || code == 0xFF9F) return true;
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(code, &error)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

CharClass ClassifyPunctuation(UChar32 code) {
  switch (code) {
    case '\'':
    case 0x2019:
    case '&':
    case '_':
    case '#':
    case '@':
    case '*':
    case '%':
      return CharClass::kGap;
    case '-':
    case 0x2010:
    case 0x2011:
      return CharClass::kDash;
    default:
      return CharClass::kBreak;
  }
}

CharClass ClassifyByTables(UChar32 code) {
  if (code == '\n' || code == '\r' || code == 0x2028 || code == 0x2029) return CharClass::kBreak;
  if (u_isUWhiteSpace(code)) return CharClass::kSpace;
  switch (u_charType(code)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
    case U_FORMAT_CHAR:
    case U_MODIFIER_SYMBOL:
      return IsDense(code) ? CharClass::kDense : CharClass::kExtend;
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
    case U_LETTER_NUMBER:
      return IsDense(code) ? CharClass::kDense : CharClass::kLetter;
    case U_DECIMAL_DIGIT_NUMBER:
    case U_OTHER_NUMBER:
      return CharClass::kDigit;
    case U_OTHER_SYMBOL:
    case U_CURRENCY_SYMBOL:
      return CharClass::kSign;
    case U_MATH_SYMBOL:
      return code == '|' ? CharClass::kBreak : CharClass::kGap;
    case U_CONTROL_CHAR:
    case U_UNASSIGNED:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
      return CharClass::kGap;
    default:
      return ClassifyPunctuation(code);
  }
}

// Most text is ASCII, and the tables of Unicode are slow to ask.
CharClass Classify(UChar32 code) {
  static const auto ascii = [] {
    std::array<CharClass, 0x80> classes{};
    for (UChar32 c = 0; c < 0x80; ++c) classes[static_cast<size_t>(c)] = ClassifyByTables(c);
    return classes;
  }();
  return code < 0x80 ? ascii[static_cast<size_t>(code)] : ClassifyByTables(code);
}

std::vector<Char> Decode(std::string_view text) {
  text = text.substr(0, kMaxBytes);
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(text.size());
  std::vector<Char> chars;
  chars.reserve(text.size());
  for (int32_t at = 0; at < size;) {
    Char c;
    c.begin = static_cast<size_t>(at);
    U8_NEXT(bytes, at, size, c.code);
    c.end = static_cast<size_t>(at);
    c.kind = c.code < 0 ? CharClass::kGap : Classify(c.code);
    chars.push_back(c);
  }
  // " - " separates clauses, "sign-out" only words.
  for (size_t i = 0; i < chars.size(); ++i) {
    if (chars[i].kind != CharClass::kDash) continue;
    const bool spaced = i > 0 && i + 1 < chars.size() && chars[i - 1].kind == CharClass::kSpace &&
                        chars[i + 1].kind == CharClass::kSpace;
    chars[i].kind = spaced ? CharClass::kBreak : CharClass::kGap;
  }
  return chars;
}

std::optional<WordKind> KindOf(CharClass c) {
  switch (c) {
    case CharClass::kLetter:
      return WordKind::kLetters;
    case CharClass::kDense:
      return WordKind::kDense;
    case CharClass::kDigit:
      return WordKind::kNumber;
    case CharClass::kSign:
      return WordKind::kSign;
    default:
      return std::nullopt;
  }
}

// A new word starts before chars[i], a letter after a letter: "item|Delete", "HTML|Form".
bool CaseBoundary(const std::vector<Char>& chars, size_t i) {
  if (!u_isupper(chars[i].code)) return false;
  if (u_islower(chars[i - 1].code)) return true;
  return u_isupper(chars[i - 1].code) && i + 1 < chars.size() && u_islower(chars[i + 1].code);
}

bool IsVowelSign(UChar32 code) {
  constexpr UChar32 kNukta = 0x093C, kTatweel = 0x0640, kDotAbove = 0x0307;
  return (code >= 0x064B && code <= 0x0652) || code == kNukta || code == kTatweel ||
         code == kDotAbove;
}

UChar32 Unify(UChar32 code) {
  switch (code) {
    case 0x0131:
      return 'i';  // dotless i
    case 0x0622:
    case 0x0623:
    case 0x0625:
    case 0x0671:
      return 0x0627;  // alef forms
    case 0x0649:
      return 0x064A;  // alef maksura
    case 0x0901:
      return 0x0902;  // candrabindu
    case 0x0451:
      return 0x0435;  // yo
    default:
      return code;
  }
}

}  // namespace

std::string FoldWord(std::string_view word) {
  std::string folded;
  const auto is_ascii = [](char c) { return static_cast<uint8_t>(c) < 0x80; };
  if (std::all_of(word.begin(), word.end(), is_ascii)) {
    folded.reserve(word.size());
    for (const char c : word) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return folded;
  }
  UErrorCode error = U_ZERO_ERROR;
  const auto* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) return std::string(word);
  icu::StringByteSink<std::string> sink(&folded);
  normalizer->normalizeUTF8(0, icu::StringPiece(word.data(), static_cast<int32_t>(word.size())),
                            sink, nullptr, error);
  if (U_FAILURE(error)) return std::string(word);
  std::string unified;
  const auto* bytes = reinterpret_cast<const uint8_t*>(folded.data());
  const auto size = static_cast<int32_t>(folded.size());
  for (int32_t at = 0; at < size;) {
    UChar32 code = 0;
    U8_NEXT(bytes, at, size, code);
    if (code < 0 || IsVowelSign(code)) continue;
    uint8_t buffer[U8_MAX_LENGTH];
    int32_t length = 0;
    U8_APPEND_UNSAFE(buffer, length, Unify(code));
    unified.append(reinterpret_cast<const char*>(buffer), static_cast<size_t>(length));
  }
  // What now stands side by side may belong together: the "i" of a dotless i, and an accent.
  return unified == folded ? unified : FoldWord(unified);
}

bool HasWords(std::string_view text) {
  const auto chars = Decode(text);
  return std::any_of(chars.begin(), chars.end(), [](const Char& c) {
    return c.kind == CharClass::kLetter || c.kind == CharClass::kDense;
  });
}

std::vector<Word> SplitWords(std::string_view text, CaseSplit split) {
  const std::vector<Char> chars = Decode(text);
  std::vector<Word> words;
  uint32_t clause = 0;
  std::optional<WordKind> open;  // the kind of the word being built
  size_t begin = 0, end = 0;
  const auto close = [&] {
    if (!open) return;
    const auto raw = text.substr(begin, end - begin);
    if (auto folded = FoldWord(raw); !folded.empty()) {
      words.push_back({std::move(folded), std::string(raw), clause, *open});
    }
    open.reset();
  };
  for (size_t i = 0; i < chars.size(); ++i) {
    const Char& c = chars[i];
    if (c.kind == CharClass::kExtend) {
      if (open) end = c.end;
      continue;
    }
    const auto kind = KindOf(c.kind);
    const bool starts = kind != open || kind == WordKind::kSign ||
                        (split == CaseSplit::kOn && kind == WordKind::kLetters && i > 0 &&
                         chars[i - 1].kind == CharClass::kLetter && CaseBoundary(chars, i));
    if (starts) {
      close();
      open = kind;
      begin = c.begin;
    }
    if (kind) end = c.end;
    if (c.kind == CharClass::kBreak) ++clause;
  }
  close();
  return words;
}

}  // namespace topodb::capture
