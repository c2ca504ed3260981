#include "cli/secret_value.h"

#include <cstdlib>

#include <fmt/format.h>

#include "cli/read_file.h"

namespace topodb::cli {

Result<SecretValue> ReadSecretValue(std::string_view given) {
  if (given.starts_with('@')) {
    TOPODB_TRY(std::string text, ReadFile(given.substr(1)));
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return SecretValue{.text = std::move(text), .source = SecretSource::kFile};
  }
  if (!given.starts_with('$')) {
    return SecretValue{.text = std::string(given), .source = SecretSource::kLiteral};
  }
  const std::string name(given.substr(1));
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("there is no environment variable '{}'", name),
                 "set it, or give the value as @FILE"};
  }
  return SecretValue{.text = value, .source = SecretSource::kEnvironment};
}

}  // namespace topodb::cli
