#include "schema/base/text.h"

#include <string>

#include "capture/risk/words.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

void CheckValid(const std::string& text, std::string_view detail) {
  Require(ReplaceInvalidUtf8(text) == text, "text is valid UTF-8", detail);
}

FUZZ_TARGET(text) {
  const std::string normal = NormalizeText(input);
  CheckValid(normal, input);
  Require(NormalizeText(normal) == normal, "normal text stays as it is", input);
  Require(NormalizeText(ReplaceInvalidUtf8(input)) == normal, "bad bytes count as U+FFFD", input);
  Require(normal.find_first_of("\n\t\r\x1B\x7F") == std::string::npos,
          "normal text has no controls", input);

  const std::string folded = FoldName(input);
  CheckValid(folded, input);
  Require(FoldName(folded) == folded, "folded text stays as it is", input);

  const std::string valid = ReplaceInvalidUtf8(input);
  CheckValid(valid, input);
  for (size_t size = 0; size <= 8; ++size) {
    const std::string cut = TruncateUtf8(input, size);
    CheckValid(cut, input);
    Require(cut.size() <= size && valid.starts_with(cut), "a cut text is a prefix", input);
    Require(valid.size() > size || cut == valid, "what fits is not cut", input);
  }

  for (const auto split : {capture::CaseSplit::kOff, capture::CaseSplit::kOn}) {
    for (const auto& each : capture::SplitWords(input, split)) {
      Require(!each.text.empty() && !each.raw.empty(), "no word is empty", input);
      Require(capture::FoldWord(each.text) == each.text, "a folded word stays as it is", input);
      Require(input.find(each.raw) != std::string_view::npos, "words stand in the text", input);
    }
  }
}

}  // namespace
}  // namespace topodb::fuzz
