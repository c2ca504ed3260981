#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Text of a page as words, the unit that the risk policy matches. Pure; accepts any bytes.
namespace topodb::capture {

enum class WordKind : uint8_t {
  kLetters,  // of a script that separates words by spaces
  kDense,    // Han, kana, Hangul, Thai …: matched by substring
  kNumber,
  kSign,  // one symbol, such as an emoji
};

struct Word {
  std::string text;     // folded
  std::string raw;      // as on the page
  uint32_t clause = 0;  // words apart by punctuation or a line break differ in it
  WordKind kind = WordKind::kLetters;
  bool operator==(const Word&) const = default;
};

enum class CaseSplit : uint8_t {
  kOff,
  kOn,  // "deleteItem" is two words, "HTMLForm" too
};

// Only the first 16 KiB are looked at. Invalid UTF-8 separates words.
std::vector<Word> SplitWords(std::string_view text, CaseSplit split);

// Letters of any script, not only numbers and signs; of the same first 16 KiB.
bool HasWords(std::string_view text);

// Compatibility case folding (full-width, soft hyphens, final sigma …), and what keyboards and
// styles vary: Turkish dotless i, Arabic vowel signs and alef forms, Hindi nukta, Russian yo.
std::string FoldWord(std::string_view word);

}  // namespace topodb::capture
