#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "schema/base/ids.h"

namespace topodb {

// XXH3-128 of the bytes, in canonical big-endian order (xxHash's XXH128_canonicalFromHash): stable
// across machines and library versions. Content identity only; not for security.
IdBytes HashBytes(std::string_view bytes);

// A 64-bit content hash (XXH3-64).
uint64_t HashBytes64(std::string_view bytes);

// The canonical encoding that every id recipe hashes (docs/format.md): each part as its length in
// bytes (u32 big-endian) followed by its bytes, so that ("ab","c") and ("a","bc") differ. An absent
// part is the length 0xFFFFFFFF alone and differs from an empty one. Parts are shorter than that.
class Canonical {
 public:
  // `domain` names the recipe ("state", "edge" …), so that equal parts of two recipes differ.
  explicit Canonical(std::string_view domain) { Add(domain); }

  Canonical& Add(std::string_view part);
  Canonical& AddAbsent();
  Canonical& AddNumber(uint64_t number);  // as decimal text
  Canonical& AddId(const IdBytes& bytes);

  IdBytes Hash() const { return HashBytes(bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace topodb
