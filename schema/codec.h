#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/base/result.h"
#include "schema/model.h"

// Records <-> FlatBuffers bytes. The only place that knows the generated types; a stranger's bytes
// are verified (table identifier, FlatBuffers verifier with bounded depth and table count, enum
// ranges, id sizes) before a field is read.
namespace topodb {

// Every value can be encoded and, when its enums are valid, decoded to an equal one, except that
// numbers which are not finite become 0 and that a record beyond the bounds of codec_layout.h is
// refused by Decode. Deterministic.
std::string Encode(const Run& run);
std::string Encode(const State& state);
std::string Encode(const Element& element);
std::string Encode(const ActionEdge& edge);
std::string Encode(const SkippedAction& skip);
std::string Encode(const FailedObservation& failure);
std::string Encode(const CompletionObservation& observation);
std::string Encode(const Landmark& landmark);

// kCorruption when the bytes are no valid record of that kind.
template <class Record>
Result<Record> Decode(std::string_view bytes);

// 64-bit hash of what two runs' records must share to say the same: no ids of their own, times,
// positions or evidence (docs/format.md). A first filter: records with different hashes are to be
// compared, records with equal hashes need not be.
uint64_t ContentHash(const State& state);
uint64_t ContentHash(const Element& element);
uint64_t ContentHash(const ActionEdge& edge);
uint64_t ContentHash(const SkippedAction& skip);
uint64_t ContentHash(const FailedObservation& failure);
uint64_t ContentHash(const CompletionObservation& observation);
uint64_t ContentHash(const Landmark& landmark);

}  // namespace topodb
