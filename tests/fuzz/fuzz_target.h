#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A fuzz target is one function over bytes that aborts when an invariant breaks:
//   FUZZ_TARGET(record) { Require(Decode(Encode(x)) == x, "…", input); }
// The fuzz preset links each one with libFuzzer (libfuzzer_main.cc); every other preset links all
// of them into one test (corpus_test.cc).
namespace topodb::fuzz {

struct Target {
  std::string_view name;  // of the file, and of the folder below corpus/
  void (*run)(std::string_view input);
};

// The targets that are linked in.
std::vector<Target>& Targets();

// Prints the invariant and `detail`, escaped, and aborts unless `holds`.
void Require(bool holds, std::string_view invariant, std::string_view detail);

// Cuts hostile bytes into values, from the front; when they run out, zeros and empty texts follow.
class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}

  uint8_t Byte();
  // Up to the next line break, which is dropped.
  std::string_view Line();
  std::string_view Rest();
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// `valid` with some bytes replaced, as `edits` says: a position and a byte at a time. So the
// fuzzer starts from a value of today's format, and no stored corpus can become outdated.
std::string Damaged(std::string valid, Input edits);

#define FUZZ_TARGET(target)                                                   \
  static void Fuzz_##target(std::string_view input);                          \
  [[maybe_unused]] static const bool registered_##target =                    \
      (::topodb::fuzz::Targets().push_back({#target, &Fuzz_##target}), true); \
  static void Fuzz_##target(std::string_view input)

}  // namespace topodb::fuzz
