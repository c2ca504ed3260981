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
// Errors are those of the store.
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

// All record kinds: states first, then what refers to them; edges before elements.
template <class Visitor>
Status WalkRecords(const store::Kv& kv, store::RunNumber run, Visitor& visitor) {
  using store::Kind;
  TOPODB_TRY_VOID(WalkKind<State>(kv, Kind::kState, run, visitor));
  TOPODB_TRY_VOID(WalkKind<ActionEdge>(kv, Kind::kEdge, run, visitor));
  TOPODB_TRY_VOID(WalkKind<Element>(kv, Kind::kElement, run, visitor));
  TOPODB_TRY_VOID(WalkKind<SkippedAction>(kv, Kind::kSkip, run, visitor));
  TOPODB_TRY_VOID(WalkKind<FailedObservation>(kv, Kind::kFailure, run, visitor));
  TOPODB_TRY_VOID(WalkKind<CompletionObservation>(kv, Kind::kObservation, run, visitor));
  return WalkKind<Landmark>(kv, Kind::kLandmark, run, visitor);
}

}  // namespace topodb::query
