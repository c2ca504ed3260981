#include <string>

#include "query/script/script_text.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

FUZZ_TARGET(script) {
  const auto read = script::ParseScript(input);
  if (!read) {
    Require(read.error().code == ErrorCode::kInvalidArgument ||
                read.error().code == ErrorCode::kUnsupportedFormat,
            "a bad script is bad input", input);
    Require(read.error().message.starts_with("line "), "a refusal names the line", input);
    return;
  }
  const std::string text = script::Serialize(*read);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    Require(byte == '\n' || (byte >= 0x20 && byte != 0x7F), "a script holds no controls", input);
  }
  const auto again = script::ParseScript(text);
  Require(again && *again == *read, "a script reads back equal", input);
  Require(script::Serialize(*again) == text, "writing is a fixed point", input);
}

}  // namespace
}  // namespace topodb::fuzz
