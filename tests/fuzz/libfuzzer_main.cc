#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz_target.h"

// What libFuzzer calls; the program holds one target.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  topodb::fuzz::Targets().front().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
