#pragma once

#include <memory>
#include <string_view>

#include "schema/base/result.h"
#include "store/graph_reader.h"
#include "store/kv.h"

namespace topodb::store {

// Walks the identity rows of one kind of a run in the order of their ids. What two runs are joined
// by stands in the bytes of a row, so a row is decoded only when asked for.
//   for (; scan.Valid(); scan.Next()) Use(scan.id(), scan.content());
//   TOPODB_TRY_VOID(scan.status());
class IdentityScan {
 public:
  // `kv` must outlive the scan.
  IdentityScan(const Kv& kv, RunNumber run, RecordKind kind);

  bool Valid() const { return status_ && row_->Valid(); }
  void Next();

  // Valid until the next Next().
  std::string_view id() const;       // the 16 bytes
  std::string_view content() const;  // the bytes of the content hash
  Result<IdentityRow> Row() const;

  // kCorruption names the key of a row that is too short to be one.
  Status status() const { return status_ ? row_->status() : status_; }

 private:
  void Check();

  std::unique_ptr<Iterator> row_;
  Status status_;
};

}  // namespace topodb::store
