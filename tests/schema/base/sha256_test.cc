#include "schema/base/sha256.h"

#include <string>

#include <gtest/gtest.h>

namespace topodb {
namespace {

// Vectors of FIPS 180-4 and of NIST's long messages.
TEST(Sha256Test, GivesThePublishedDigests) {
  struct Case {
    std::string text;
    const char* digest;
  };
  const Case kCases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Sha256Hex(c.text), c.digest) << c.text.size() << " bytes";
  // Every length around the padding's border is padded to a whole block.
  for (size_t n = 50; n < 70; ++n)
    EXPECT_NE(Sha256Hex(std::string(n, 'x')), Sha256Hex(std::string(n + 1, 'x')));
}

}  // namespace
}  // namespace topodb
