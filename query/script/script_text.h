#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "query/script/script.h"
#include "schema/base/result.h"

// Scripts as text (docs/script.md). Pure.
//
//   script     := "topodb-script 1" LF line*
//   line       := (blank | comment | env | annotation | open | step) LF
//   comment    := "#" any*
//   env        := "env" SP NAME                      before open
//   open       := "open" fields                      exactly once, before the steps
//   annotation := "@target-v" DIGITS SP JSON-object  the line directly before its step
//   step       := verb fields
//   fields     := (SP+ key "=" (JSON-string | word | "${" NAME "}"))*
namespace topodb::script {

inline constexpr size_t kMaxScriptBytes = 4U << 20U;
inline constexpr size_t kMaxSteps = 1000;

// Ends with a line end; only printable characters and line ends. Equal scripts give equal bytes.
std::string Serialize(const Script& script);

// What Serialize wrote, or somebody edited. Passes over comments, unknown keys of a line, unknown
// members of an annotation and annotations of later versions. kUnsupportedFormat: a later version
// of the whole format. kInvalidArgument: anything else; the message names line and field:
// "line 4, name: is not the name in the record".
Result<Script> ParseScript(std::string_view text);

}  // namespace topodb::script
