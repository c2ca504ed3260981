#pragma once

#include <string>
#include <string_view>

#include "schema/base/result.h"

namespace topodb::cli {

enum class SecretSource : unsigned char { kLiteral, kFile, kEnvironment };

struct SecretValue {
  std::string text;
  SecretSource source = SecretSource::kLiteral;
};

// What a flag that takes a secret was given: "@FILE" is the file's content without its last line
// end, "$NAME" an environment variable; anything else stands for itself, and is then seen by
// everyone who can list processes. kNotFound, kIo: the file. kInvalidArgument: no such variable.
Result<SecretValue> ReadSecretValue(std::string_view given);

}  // namespace topodb::cli
