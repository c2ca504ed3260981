#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// JSON text, written front to back into a string.
namespace topodb::query {

// Appends `text` as a JSON string literal: always valid UTF-8 (bad bytes become U+FFFD), controls,
// bidi controls, U+2028, U+2029 and tags escaped, so that the output is harmless on a terminal too.
void AppendJsonString(std::string_view text, std::string& out);

// One value or several, compact, keys in the order of the calls. The caller keeps to the grammar:
// inside an object every value follows its Key().
//   JsonWriter json(out);
//   json.BeginObject();
//   json.Key("id");
//   json.String("edge_1");
//   json.EndObject();
class JsonWriter {
 public:
  // Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out) : out_(out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view name);

  void String(std::string_view text);
  void Null();
  void Boolean(std::same_as<bool> auto value) { Raw(value ? "true" : "false"); }
  void Number(std::integral auto value) { Raw(std::to_string(value)); }
  // The shortest text that reads back as the same number; what is no number is null.
  void Number(double value);

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Raw(std::string_view text);
  void Separate();

  std::string& out_;
  bool need_comma_ = false;
};

}  // namespace topodb::query
