#pragma once

#include <utility>

#include "schema/base/result.h"
#include "schema/codec.h"
#include "store/keys.h"
#include "store/kv.h"

namespace topodb::query {

// Calls use(const store::Key&, Record) -> Status for every record of the range (which holds one
// kind), in stored order, one at a time. The first error ends the walk: of the store, of a value
// that is no such record (kCorruption, names the key), or of `use`.
template <class Record, class Use>
Status ForEachRecord(const store::Kv& kv, const store::KeyRange& range, const Use& use) {
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
    Result<Record> record = Decode<Record>(row->value());
    if (!record) return std::move(record).error().With(store::DescribeKey(row->key()));
    TOPODB_TRY_VOID(use(key, *std::move(record)));
  }
  return row->status();
}

}  // namespace topodb::query
