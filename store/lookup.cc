#include "store/lookup.h"

#include <utility>

#include "store/values.h"

namespace topodb::store {

Result<std::optional<IdentityRow>> FindIdentity(const Kv& kv, RunNumber run, RecordKind kind,
                                                const IdBytes& id) {
  Key key;
  key.kind = Kind::kIdentity;
  key.run = run;
  key.tag = static_cast<uint8_t>(kind);
  key.id = id;
  const std::string bytes = EncodeKey(key);
  TOPODB_TRY(const auto value, kv.Get(bytes));
  if (!value) return std::optional<IdentityRow>();
  auto row = DecodeIdentityRow(key, *value);
  if (!row) return std::move(row).error().With(DescribeKey(bytes));
  return std::optional<IdentityRow>(*std::move(row));
}

Result<std::string> GetStored(const Kv& kv, Kind kind, RunNumber run, StateOrdinal state,
                              uint32_t ordinal) {
  Key key;
  key.kind = kind;
  key.run = run;
  key.state = state;
  key.ordinal = ordinal;
  const std::string bytes = EncodeKey(key);
  TOPODB_TRY(auto value, kv.Get(bytes));
  if (!value) return Error{ErrorCode::kCorruption, DescribeKey(bytes) + " has no record", {}};
  return *std::move(value);
}

}  // namespace topodb::store
