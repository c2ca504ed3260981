#include "query/exchange/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

namespace topodb::query {
namespace {

namespace json = boost::json;

// Builds a value from the parser's events, and notices what the parser lets pass.
class ValueBuilder {
 public:
  static constexpr size_t max_object_size = json::object::max_size();
  static constexpr size_t max_array_size = json::array::max_size();
  static constexpr size_t max_key_size = json::string::max_size();
  static constexpr size_t max_string_size = json::string::max_size();

  bool on_document_begin(json::error_code& /*ec*/) { return true; }
  bool on_document_end(json::error_code& /*ec*/) { return true; }
  bool on_object_begin(json::error_code& /*ec*/) { return true; }
  bool on_array_begin(json::error_code& /*ec*/) { return true; }

  bool on_object_end(size_t count, json::error_code& ec) {
    const auto first = keys_.end() - static_cast<std::ptrdiff_t>(count);
    std::sort(first, keys_.end());
    const auto twice = std::adjacent_find(first, keys_.end());
    if (twice != keys_.end()) return Refuse("key \"" + *twice + "\" stands twice", ec);
    keys_.erase(first, keys_.end());
    values_.push_object(count);
    return true;
  }

  bool on_array_end(size_t count, json::error_code& /*ec*/) {
    values_.push_array(count);
    return true;
  }

  bool on_key_part(json::string_view part, size_t /*size*/, json::error_code& /*ec*/) {
    key_ += std::string_view(part.data(), part.size());
    values_.push_chars(part);
    return true;
  }

  bool on_key(json::string_view part, size_t /*size*/, json::error_code& /*ec*/) {
    key_ += std::string_view(part.data(), part.size());
    keys_.push_back(std::exchange(key_, {}));
    values_.push_key(part);
    return true;
  }

  bool on_string_part(json::string_view part, size_t /*size*/, json::error_code& /*ec*/) {
    values_.push_chars(part);
    return true;
  }

  bool on_string(json::string_view part, size_t /*size*/, json::error_code& /*ec*/) {
    values_.push_string(part);
    return true;
  }

  bool on_number_part(json::string_view part, json::error_code& /*ec*/) {
    number_ += std::string_view(part.data(), part.size());
    return true;
  }

  bool on_int64(int64_t number, json::string_view /*text*/, json::error_code& /*ec*/) {
    number_.clear();
    values_.push_int64(number);
    return true;
  }

  bool on_uint64(uint64_t number, json::string_view /*text*/, json::error_code& /*ec*/) {
    number_.clear();
    values_.push_uint64(number);
    return true;
  }

  // The parser's own conversion may be off in the last digit.
  bool on_double(double /*inexact*/, json::string_view part, json::error_code& ec) {
    number_ += std::string_view(part.data(), part.size());
    const std::string text = std::exchange(number_, {});
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || !std::isfinite(number)) {
      return Refuse("number out of range: " + text.substr(0, 40), ec);
    }
    values_.push_double(number);
    return true;
  }

  bool on_bool(bool value, json::error_code& /*ec*/) {
    values_.push_bool(value);
    return true;
  }

  bool on_null(json::error_code& /*ec*/) {
    values_.push_null();
    return true;
  }

  bool on_comment_part(json::string_view /*part*/, json::error_code& /*ec*/) { return true; }
  bool on_comment(json::string_view /*part*/, json::error_code& /*ec*/) { return true; }

  void Begin() { values_.reset(); }
  json::value Release() { return values_.release(); }
  const std::string& refusal() const { return refusal_; }

 private:
  bool Refuse(std::string why, json::error_code& ec) {
    refusal_ = std::move(why);
    ec = json::error::exception;
    return false;
  }

  json::value_stack values_;
  std::vector<std::string> keys_;  // of all open objects
  std::string key_, number_;       // pieces of the one being read
  std::string refusal_;
};

// `rest`: the text from where the parser stopped.
std::string Explain(const json::error_code& error, const ValueBuilder& builder,
                    std::string_view rest) {
  if (!builder.refusal().empty()) return builder.refusal();
  if (error == json::error::incomplete) return "unexpected end";
  if (error == json::error::too_deep) {
    return "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels";
  }
  if (error != json::error::syntax) return error.message();
  const bool ascii = rest.empty() || static_cast<unsigned char>(rest.front()) < 0x80;
  return ascii ? "syntax error" : "not valid UTF-8";
}

std::optional<unsigned> EscapedUnit(std::string_view text, size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  unsigned unit = 0;
  const char* const end = text.data() + at + 6;
  const auto parsed = std::from_chars(text.data() + at + 2, end, unit, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return unit;
}

bool IsHigh(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool IsLow(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

}  // namespace

tl::expected<json::value, JsonProblem> ParseJson(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  json::basic_parser<ValueBuilder> parser(options);
  parser.handler().Begin();
  json::error_code error;
  const size_t parsed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && parsed < text.size()) error = json::error::extra_data;
  if (error)
    return tl::unexpected(
        JsonProblem{parsed, Explain(error, parser.handler(), text.substr(parsed))});
  return parser.handler().Release();
}

void RepairSurrogates(std::string& text) {
  for (size_t i = text.find('\\'); i != std::string::npos; i = text.find('\\', i)) {
    const auto unit = EscapedUnit(text, i);
    if (!unit) {
      i += 2;  // the backslash and what it escapes
    } else if (IsHigh(unit) && IsLow(EscapedUnit(text, i + 6))) {
      i += 12;
    } else {
      if (IsHigh(unit) || IsLow(unit)) text.replace(i + 2, 4, "FFFD");
      i += 6;
    }
    if (i > text.size()) return;
  }
}

}  // namespace topodb::query
