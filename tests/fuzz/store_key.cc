#include <string>
#include <tuple>

#include "store/keys.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace store;

bool InRange(const KeyRange& range, std::string_view key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

void CheckStored(std::string_view bytes) {
  const auto key = ParseKey(bytes);
  if (!key) {
    Require(key.error().code == ErrorCode::kCorruption, "a refusal is kCorruption", bytes);
    return;
  }
  Require(EncodeKey(*key) == bytes, "a key has one spelling", bytes);
  Require(InRange(RangeOf(key->kind), bytes), "a key is in the range of its kind", bytes);
}

// Keys made of hostile values: they read back, and sort as their fields do.
Key ElementByName(Input& input) {
  Key key;
  key.kind = Kind::kElementByName;
  key.run = input.Byte();
  key.state = input.Byte();
  key.ordinal = input.Byte();
  key.text = input.Line();
  key.name = input.Line();
  return key;
}

void CheckMade(Input input, std::string_view detail) {
  const Key left = ElementByName(input), right = ElementByName(input);
  const std::string left_bytes = EncodeKey(left), right_bytes = EncodeKey(right);
  const auto parsed = ParseKey(left_bytes);
  Require(parsed && *parsed == left, "a written key reads back equal", detail);
  const auto fields = [](const Key& key) {
    return std::tie(key.run, key.text, key.name, key.state, key.ordinal);
  };
  Require((left_bytes < right_bytes) == (fields(left) < fields(right)),
          "keys sort as their fields do", detail);
  Require(InRange(RangeOf(left.kind, left.run), left_bytes), "a key is in its run", detail);
  Require(InRange(RangeOf(left.kind, left.run), right_bytes) == (left.run == right.run),
          "a run's range holds no other run", detail);
  if (left.text == CutForIndex(left.text)) {
    Require(InRange(RoleRange(left.run, left.text), right_bytes) ==
                (left.run == right.run && left.text == right.text),
            "a role's range holds that role only", detail);
  }
}

FUZZ_TARGET(store_key) {
  CheckStored(input);
  CheckMade(Input(input), input);
  const auto cut = CutForIndex(input);
  Require(cut.size() <= kMaxIndexedText && input.starts_with(cut), "a cut text is a prefix", input);
}

}  // namespace
}  // namespace topodb::fuzz
