#include "schema/base/hash.h"

#include <cstring>

#include <fmt/format.h>
#include <xxhash.h>

namespace topodb {
namespace {

void AppendLength(std::string& out, uint32_t length) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(length >> shift & 0xFFU);
}

}  // namespace

IdBytes HashBytes(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  IdBytes id{};
  static_assert(sizeof(canonical.digest) == sizeof(id));
  std::memcpy(id.data(), canonical.digest, id.size());
  return id;
}

uint64_t HashBytes64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Canonical& Canonical::Add(std::string_view part) {
  AppendLength(bytes_, static_cast<uint32_t>(part.size()));
  bytes_ += part;
  return *this;
}

Canonical& Canonical::AddAbsent() {
  AppendLength(bytes_, 0xFFFFFFFFU);
  return *this;
}

Canonical& Canonical::AddNumber(uint64_t number) {
  const fmt::format_int text(number);
  return Add({text.data(), text.size()});
}

Canonical& Canonical::AddId(const IdBytes& bytes) {
  return Add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace topodb
