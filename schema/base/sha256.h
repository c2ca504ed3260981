#pragma once

#include <string>
#include <string_view>

namespace topodb {

// SHA-256 (FIPS 180-4) as 64 hex digits: for digests that people carry from one command to another.
// Ids are made by HashBytes.
std::string Sha256Hex(std::string_view bytes);

}  // namespace topodb
