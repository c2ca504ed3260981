#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "schema/base/result.h"

namespace topodb::testing {

// What `write(sink)` hands to its sink; fails the test when it fails.
template <class Write>
std::string TextOf(const Write& write) {
  std::string text;
  const Status written = write([&](std::string_view part) {
    text += part;
    return Status();
  });
  EXPECT_TRUE(written) << written.error().message;
  return text;
}

}  // namespace topodb::testing
