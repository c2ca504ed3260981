#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schema/model.h"

// What the encoding and the decoding half of the codec share. Internal to schema/codec_*.cc.
namespace topodb::codec {

// The FlatBuffers file identifier of each record kind, and its name in messages. On disk: never
// change.
template <class Record>
struct Kind;
template <>
struct Kind<Run> {
  static constexpr const char* kIdentifier = "TPRN";
  static constexpr std::string_view kName = "run";
};
template <>
struct Kind<State> {
  static constexpr const char* kIdentifier = "TPST";
  static constexpr std::string_view kName = "state";
};
template <>
struct Kind<Element> {
  static constexpr const char* kIdentifier = "TPEL";
  static constexpr std::string_view kName = "element";
};
template <>
struct Kind<ActionEdge> {
  static constexpr const char* kIdentifier = "TPED";
  static constexpr std::string_view kName = "action edge";
};
template <>
struct Kind<SkippedAction> {
  static constexpr const char* kIdentifier = "TPSK";
  static constexpr std::string_view kName = "skipped action";
};
template <>
struct Kind<FailedObservation> {
  static constexpr const char* kIdentifier = "TPFA";
  static constexpr std::string_view kName = "failed observation";
};
template <>
struct Kind<CompletionObservation> {
  static constexpr const char* kIdentifier = "TPOB";
  static constexpr std::string_view kName = "observation";
};
template <>
struct Kind<Landmark> {
  static constexpr const char* kIdentifier = "TPLM";
  static constexpr std::string_view kName = "landmark";
};

// A locator's framework is left out when it is this one.
inline constexpr std::string_view kDefaultFramework = "playwright";

// LocatorIdentity as a bit set.
inline constexpr uint8_t kSameTag = 1, kSameRole = 2, kSameAccessibleName = 4, kSameText = 8,
                         kSameVisibility = 16, kAllSame = 31;

// Bounds on what a record may take, encoded and decoded. Strings can be shared inside the encoded
// form, so that a small hostile record could otherwise decode into a huge one.
inline constexpr size_t kMaxEncodedBytes = size_t{16} << 20U;
inline constexpr size_t kMaxDecodedBytes = size_t{64} << 20U;

}  // namespace topodb::codec
