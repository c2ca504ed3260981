#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>
#include <tl/expected.hpp>

namespace topodb::query {

// No document may be nested deeper.
inline constexpr size_t kMaxJsonDepth = 64;

struct JsonProblem {
  size_t offset = 0;  // in the text
  std::string message;
};

// Parses one JSON value. Stricter than the grammar: refuses an object that has a key twice, numbers
// beyond the range of a double, bad UTF-8 and nesting beyond kMaxJsonDepth. Numbers with a fraction
// or an exponent are read exactly.
tl::expected<boost::json::value, JsonProblem> ParseJson(std::string_view text);

// Writes \uFFFD over every \uD800..\uDFFF escape that is not half of a pair: JavaScript writes such
// text when it cuts a string in the middle of a character. Length and positions stay.
void RepairSurrogates(std::string& text);

}  // namespace topodb::query
