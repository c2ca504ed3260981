#include "store/identity_scan.h"

#include <utility>

#include "store/keys.h"
#include "store/values.h"

namespace topodb::store {
namespace {

constexpr size_t kIdBytes = std::tuple_size_v<IdBytes>;
constexpr size_t kKeyBytes = 1 + sizeof(RunNumber) + 1 + kIdBytes;
// State ordinal and ordinal stand before the content hash.
constexpr size_t kContentAt = sizeof(StateOrdinal) + sizeof(uint32_t);
constexpr size_t kContentBytes = sizeof(uint64_t);

}  // namespace

IdentityScan::IdentityScan(const Kv& kv, RunNumber run, RecordKind kind) {
  const KeyRange range = IdentityRange(run, kind);
  row_ = kv.Scan(range.begin, range.end);
  Check();
}

void IdentityScan::Next() {
  row_->Next();
  Check();
}

std::string_view IdentityScan::id() const { return row_->key().substr(kKeyBytes - kIdBytes); }

std::string_view IdentityScan::content() const {
  return row_->value().substr(kContentAt, kContentBytes);
}

Result<IdentityRow> IdentityScan::Row() const {
  TOPODB_TRY(const Key key, ParseKey(row_->key()));
  auto row = DecodeIdentityRow(key, row_->value());
  if (!row) return std::move(row).error().With(DescribeKey(row_->key()));
  return row;
}

void IdentityScan::Check() {
  if (!row_->Valid()) return;
  if (row_->key().size() == kKeyBytes && row_->value().size() >= kContentAt + kContentBytes) return;
  status_ = Error{ErrorCode::kCorruption, DescribeKey(row_->key()) + " is no identity row", {}};
}

}  // namespace topodb::store
