#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/base/ids.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

// The keys of docs/format.md: encoding, parsing, ranges. Byte order of keys is the order of scans.
namespace topodb::store {

// The first byte of every key. On disk: never renumber, only append.
enum class Kind : uint8_t {
  kStore = 0x00,
  kManifest = 0x01,
  kRunName = 0x02,
  kDraft = 0x03,
  kRunByInput = 0x04,
  kState = 0x10,
  kElement = 0x11,
  kEdge = 0x12,
  kSkip = 0x13,
  kFailure = 0x14,
  kLandmark = 0x15,
  kObservation = 0x16,
  kForeignId = 0x1A,
  kEdgeByTo = 0x20,
  kIdentity = 0x21,
  kElementByName = 0x22,
  kAdjacency = 0x23,
  kStateByRoute = 0x24,
  kEdgeByRisk = 0x25,
};

// Every kind whose keys begin with a run number and belong to that run alone, in key order.
inline constexpr Kind kRunKinds[] = {
    Kind::kState,        Kind::kElement,    Kind::kEdge,          Kind::kSkip,
    Kind::kFailure,      Kind::kLandmark,   Kind::kObservation,   Kind::kForeignId,
    Kind::kEdgeByTo,     Kind::kIdentity,   Kind::kElementByName, Kind::kAdjacency,
    Kind::kStateByRoute, Kind::kEdgeByRisk,
};

// The kinds of kRunKinds that hold facts; the others are derived from them. Manifests total these.
inline constexpr Kind kFactKinds[] = {
    Kind::kState,   Kind::kElement,  Kind::kEdge,        Kind::kSkip,
    Kind::kFailure, Kind::kLandmark, Kind::kObservation, Kind::kForeignId,
};

// The ordinal of "no state": failures before any state, dangling references of imports.
inline constexpr StateOrdinal kNoState = 0xFFFFFFFF;

// Names and routes in index keys are cut to this many bytes.
inline constexpr size_t kMaxIndexedText = 256;

inline constexpr std::string_view kFormatFact = "topodb";
inline constexpr std::string_view kNextRunFact = "next-run";

// A key taken apart. Each kind uses the fields that docs/format.md lists for it; the others keep
// their defaults.
struct Key {
  Kind kind = Kind::kStore;
  RunNumber run = 0;
  StateOrdinal state = 0;  // S: the state a record belongs to; of an edge, where it starts
  StateOrdinal to = 0;     // T
  uint32_t ordinal = 0;    // N
  uint8_t tag = 0;         // K, or risk
  IdBytes id{};            // ID
  std::string text;        // fact, run name, role, route
  std::string name;        // folded and cut
  bool operator==(const Key&) const = default;
};

std::string EncodeKey(const Key& key);

// kCorruption unless `bytes` is exactly what EncodeKey gives for some key of a known kind.
Result<Key> ParseKey(std::string_view bytes);

// "key 1000000007000000aa", for error messages.
std::string DescribeKey(std::string_view bytes);

// Keys from `begin` to before `end`; an empty `end` means "to the last key".
struct KeyRange {
  std::string begin, end;
  bool operator==(const KeyRange&) const = default;
};

KeyRange RangeOf(Kind kind);
KeyRange RangeOf(Kind kind, RunNumber run);
// Kinds whose first field after the run is S or T.
KeyRange RangeOf(Kind kind, RunNumber run, StateOrdinal state);
// The identity rows of one record kind.
KeyRange IdentityRange(RunNumber run, RecordKind kind);
// Elements of exactly this role, any name.
KeyRange RoleRange(RunNumber run, std::string_view role);

// Cut to kMaxIndexedText bytes on a code point; what is valid UTF-8 stays valid.
std::string_view CutForIndex(std::string_view text);

}  // namespace topodb::store
