#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/script/script.h"
#include "schema/base/result.h"

// One line of a script: a verb and its fields. Internal to query/script. Pure.
namespace topodb::script {

struct Field {
  std::string key;
  Value value;
};

struct Line {
  std::string verb;
  std::vector<Field> fields;

  // The field of that key; nullptr when there is none.
  const Value* Find(std::string_view key) const;
};

// kInvalidArgument: "FIELD: what is wrong". A key stands at most once in a line.
Result<Line> ReadLine(std::string_view text);

// Appends ` key="text"`, or ` key=${NAME}`.
void AppendField(std::string_view key, std::string_view text, std::string& line);
void AppendVariable(std::string_view key, std::string_view name, std::string& line);

}  // namespace topodb::script
