#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace topodb {

// 128 bits of a content hash (schema/base/hash.h), big-endian.
using IdBytes = std::array<uint8_t, 16>;

// 32 lower-case hex digits.
std::string ToHex(const IdBytes& bytes);
// nullopt unless `hex` is exactly 32 lower-case hex digits.
std::optional<IdBytes> FromHex(std::string_view hex);

// An id of one kind of record; ids of different kinds do not mix. The text form is
// prefix + 32 hex digits. The all-zero value means "not assigned yet".
template <class Tag>
struct Id {
  static constexpr std::string_view kPrefix = Tag::kPrefix;
  IdBytes bytes{};

  bool is_zero() const { return bytes == IdBytes{}; }
  std::string ToString() const { return std::string(kPrefix) + ToHex(bytes); }
  // nullopt unless `text` is the exact text form.
  static std::optional<Id> Parse(std::string_view text) {
    if (text.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
    const auto parsed = FromHex(text.substr(kPrefix.size()));
    if (!parsed) return std::nullopt;
    return Id{*parsed};
  }
  auto operator<=>(const Id&) const = default;
};

struct StateTag {
  static constexpr std::string_view kPrefix = "state_";
};
struct ElementTag {
  static constexpr std::string_view kPrefix = "el_";
};
struct LocatorTag {
  static constexpr std::string_view kPrefix = "loc_";
};
struct EdgeTag {
  static constexpr std::string_view kPrefix = "edge_";
};
struct SkipTag {
  static constexpr std::string_view kPrefix = "skip_";
};
struct FailureTag {
  static constexpr std::string_view kPrefix = "fail_";
};
struct ObservationTag {
  static constexpr std::string_view kPrefix = "obs_";
};
struct LandmarkTag {
  static constexpr std::string_view kPrefix = "mark_";
};
struct RunTag {
  static constexpr std::string_view kPrefix = "crawl_";
};
struct InputTag {
  static constexpr std::string_view kPrefix = "input_";
};
struct AnchorTag {
  static constexpr std::string_view kPrefix = "anchor_";
};

using StateId = Id<StateTag>;
using ElementId = Id<ElementTag>;
using LocatorId = Id<LocatorTag>;
using EdgeId = Id<EdgeTag>;
using SkipId = Id<SkipTag>;
using FailureId = Id<FailureTag>;
using ObservationId = Id<ObservationTag>;
using LandmarkId = Id<LandmarkTag>;
using RunId = Id<RunTag>;
using InputFingerprint = Id<InputTag>;
using AnchorKey = Id<AnchorTag>;

}  // namespace topodb

// Hashing for lookup tables only; unordered containers are never iterated into output.
template <class Tag>
struct std::hash<topodb::Id<Tag>> {
  size_t operator()(const topodb::Id<Tag>& id) const noexcept {
    size_t value = 0;
    for (size_t i = 0; i < sizeof(value); ++i) value = value << 8U | id.bytes[i];
    return value;
  }
};
