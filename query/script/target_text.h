#pragma once

#include <string>
#include <string_view>

#include "query/script/script.h"
#include "schema/base/result.h"

// The annotation "target-v1" as one line of JSON. Pure.
namespace topodb::script {

// What is absent or empty is left out; no line break, no control character.
std::string WriteTarget(const TargetRecord& target);

// Reads what WriteTarget wrote; unknown members are passed over. kInvalidArgument; the message
// begins with the member that is wrong: "expected.templateKey: missing".
Result<TargetRecord> ReadTarget(std::string_view text);

}  // namespace topodb::script
