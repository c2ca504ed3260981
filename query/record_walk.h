#pragma once

#include <string_view>
#include <utility>

#include "schema/base/result.h"
#include "schema/codec.h"
#include "schema/model.h"
#include "store/keys.h"
#include "store/kv.h"

namespace topodb::query {

// Shows every record row of one kind to `visitor`, in stored order:
//   visitor.Row(key bytes, value bytes)             every row with a key, before it is decoded
//   visitor.Use(key bytes, store::Key, Record)      a record
//   visitor.BadKey(key bytes, Error)                what is no key
//   visitor.BadRecord(key bytes, store::Key, Error) what is no record of the kind
// Errors are those of the store; rows behind one are not shown.
template <class Record, class Visitor>
Status WalkKind(const store::Kv& kv, store::Kind kind, store::RunNumber run, Visitor& visitor) {
  const store::KeyRange range = store::RangeOf(kind, run);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    Result<store::Key> key = store::ParseKey(row->key());
    if (!key) {
      visitor.BadKey(row->key(), std::move(key).error());
      continue;
    }
    visitor.Row(row->key(), row->value());
    Result<Record> record = Decode<Record>(row->value());
    if (record) {
      visitor.Use(row->key(), *key, *record);
    } else {
      visitor.BadRecord(row->key(), *key, std::move(record).error());
    }
  }
  return row->status();
}

// All record kinds: states first, then what refers to them; edges before elements. After each,
//   visitor.Ended(store::Kind, Status)
// is told how that went, and what it returns ends the walk unless it is success.
template <class Visitor>
Status WalkRecords(const store::Kv& kv, store::RunNumber run, Visitor& visitor) {
  using store::Kind;
  TOPODB_TRY_VOID(visitor.Ended(Kind::kState, WalkKind<State>(kv, Kind::kState, run, visitor)));
  TOPODB_TRY_VOID(visitor.Ended(Kind::kEdge, WalkKind<ActionEdge>(kv, Kind::kEdge, run, visitor)));
  TOPODB_TRY_VOID(
      visitor.Ended(Kind::kElement, WalkKind<Element>(kv, Kind::kElement, run, visitor)));
  TOPODB_TRY_VOID(
      visitor.Ended(Kind::kSkip, WalkKind<SkippedAction>(kv, Kind::kSkip, run, visitor)));
  TOPODB_TRY_VOID(
      visitor.Ended(Kind::kFailure, WalkKind<FailedObservation>(kv, Kind::kFailure, run, visitor)));
  TOPODB_TRY_VOID(visitor.Ended(
      Kind::kObservation, WalkKind<CompletionObservation>(kv, Kind::kObservation, run, visitor)));
  return visitor.Ended(Kind::kLandmark, WalkKind<Landmark>(kv, Kind::kLandmark, run, visitor));
}

}  // namespace topodb::query
