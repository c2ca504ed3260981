#include "query/script/line_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "query/exchange/json_text.h"
#include "query/exchange/json_writer.h"

namespace topodb::script {
namespace {

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// Cuts the leading characters that `belongs` from `text`.
template <class Belongs>
std::string_view Cut(std::string_view& text, const Belongs& belongs) {
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const auto cut = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(cut.size());
  return cut;
}

Error Bad(std::string_view field, std::string_view problem) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", field, problem), ""};
}

// The length of the string literal that `text` begins with, quotes included; 0: it does not end.
size_t LiteralSize(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return 0;
}

Result<Value> CutLiteral(std::string_view key, std::string_view& text) {
  const size_t size = LiteralSize(text);
  if (size == 0) return Bad(key, "the text does not end");
  const auto parsed = query::ParseJson(text.substr(0, size));
  if (!parsed) return Bad(key, parsed.error().message);
  text.remove_prefix(size);
  return Value{.text = std::string(parsed->get_string()), .variable = {}};
}

Result<Value> CutVariable(std::string_view key, std::string_view& text) {
  const size_t end = text.find('}');
  const auto name = end == std::string_view::npos ? "" : text.substr(2, end - 2);
  if (!IsVariableName(name)) {
    return Bad(key, "a variable is written ${NAME}, in capital letters");
  }
  text.remove_prefix(end + 1);
  return Value{.text = {}, .variable = std::string(name)};
}

Result<Value> CutValue(std::string_view key, std::string_view& text) {
  if (text.starts_with('"')) return CutLiteral(key, text);
  if (text.starts_with("${")) return CutVariable(key, text);
  const auto word = Cut(text, IsWordCharacter);
  if (word.empty()) return Bad(key, "expected a text in quotes, a word or ${NAME}");
  return Value{.text = std::string(word), .variable = {}};
}

}  // namespace

const Value* Line::Find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &Field::key);
  return found == fields.end() ? nullptr : &found->value;
}

Result<Line> ReadLine(std::string_view text) {
  Line line;
  line.verb = Cut(text, IsWordCharacter);
  while (true) {
    const auto blank = Cut(text, [](char c) { return c == ' ' || c == '\t'; });
    if (text.empty()) return line;
    const auto key = Cut(text, IsWordCharacter);
    if (key.empty() || blank.empty() || !text.starts_with('=')) {
      return Bad(key.empty() ? "field" : key, "expected KEY=VALUE, with blanks between");
    }
    text.remove_prefix(1);
    if (line.Find(key) != nullptr) return Bad(key, "stands there twice");
    TOPODB_TRY(Value value, CutValue(key, text));
    line.fields.push_back({std::string(key), std::move(value)});
  }
}

void AppendField(std::string_view key, std::string_view text, std::string& line) {
  line += fmt::format(" {}=", key);
  query::AppendJsonString(text, line);
}

void AppendVariable(std::string_view key, std::string_view name, std::string& line) {
  line += fmt::format(" {}=${{{}}}", key, name);
}

}  // namespace topodb::script
