#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "schema/base/result.h"
#include "schema/codec.h"
#include "schema/model.h"
#include "store/keys.h"
#include "store/kv.h"

namespace topodb::query {

// Where the records of a type are stored.
template <class Record>
inline constexpr store::Kind kKindOf = store::Kind::kState;
template <>
inline constexpr store::Kind kKindOf<Element> = store::Kind::kElement;
template <>
inline constexpr store::Kind kKindOf<ActionEdge> = store::Kind::kEdge;
template <>
inline constexpr store::Kind kKindOf<SkippedAction> = store::Kind::kSkip;
template <>
inline constexpr store::Kind kKindOf<FailedObservation> = store::Kind::kFailure;
template <>
inline constexpr store::Kind kKindOf<CompletionObservation> = store::Kind::kObservation;
template <>
inline constexpr store::Kind kKindOf<Landmark> = store::Kind::kLandmark;

enum class Walk : uint8_t { kGoOn, kStop };

// Calls use(const store::Key&, Record) -> Result<Walk> for every record of the range (which holds
// one kind), in stored order, one at a time, until that says kStop. The first error ends the walk:
// of the store, of a value that is no such record (kCorruption, names the key), or of `use`.
template <class Record, class Use>
Status ScanRecords(const store::Kv& kv, const store::KeyRange& range, const Use& use) {
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
    Result<Record> record = Decode<Record>(row->value());
    if (!record) return std::move(record).error().With(store::DescribeKey(row->key()));
    TOPODB_TRY(const Walk walk, use(key, *std::move(record)));
    if (walk == Walk::kStop) return {};
  }
  return row->status();
}

// The same for all of them: use(const store::Key&, Record) -> Status.
template <class Record, class Use>
Status ForEachRecord(const store::Kv& kv, const store::KeyRange& range, const Use& use) {
  return ScanRecords<Record>(kv, range,
                             [&](const store::Key& key, Record&& record) -> Result<Walk> {
                               TOPODB_TRY_VOID(use(key, std::move(record)));
                               return Walk::kGoOn;
                             });
}

// Those of one state.
template <class Record>
Result<std::vector<Record>> RecordsOf(const store::Kv& kv, store::RunNumber run,
                                      store::StateOrdinal state) {
  std::vector<Record> records;
  TOPODB_TRY_VOID(ForEachRecord<Record>(kv, store::RangeOf(kKindOf<Record>, run, state),
                                        [&](const store::Key& /*key*/, Record record) -> Status {
                                          records.push_back(std::move(record));
                                          return {};
                                        }));
  return records;
}

}  // namespace topodb::query
