#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

namespace topodb::capture {

// What a text must look like, as profiles say it: any case, and
//   *      any text, also none
//   {n}    a number: digits, points and commas
//   {id}   hexadecimal digits and dashes
// Everything else stands for itself. Matching takes time in proportion to both lengths at worst,
// whatever a page puts into the text.
class Pattern {
 public:
  // kInvalidArgument: a brace that begins neither {n} nor {id}.
  static Result<Pattern> Parse(std::string_view text);

  // The whole text.
  bool Matches(std::string_view text) const;
  // The beginning of the text, up to a white space or its end: how long the longest one is.
  std::optional<size_t> MatchPrefix(std::string_view text) const;
  // The text that the first {id} stands for, anywhere in `text` at or after a "/" of it.
  std::optional<std::string> FindId(std::string_view text) const;

  const std::string& text() const { return text_; }
  bool operator==(const Pattern& other) const { return text_ == other.text_; }

 private:
  enum class Kind : unsigned char { kLiteral, kAny, kNumber, kId };
  struct Part {
    Kind kind;
    char letter;  // lower case, of a literal
  };

  // Whether each length of a prefix of `text` can be matched.
  std::vector<bool> Lengths(std::string_view text) const;

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace topodb::capture
