#include "store/values.h"

#include <cstddef>
#include <optional>

#include "schema/base/hash.h"
#include "schema/codec.h"

namespace topodb::store {
namespace {

template <class Number>
void AppendNumber(std::string& out, Number number) {
  for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(number >> shift & 0xFFU);
  }
}

// Takes a big-endian number off the front of `bytes`; nullopt when there are too few.
template <class Number>
std::optional<Number> TakeNumber(std::string_view& bytes) {
  if (bytes.size() < sizeof(Number)) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof(Number); ++i) {
    number = number << 8U | static_cast<uint8_t>(bytes[i]);
  }
  bytes.remove_prefix(sizeof(Number));
  return static_cast<Number>(number);
}

Error Malformed(std::string_view what) {
  return {ErrorCode::kCorruption, "malformed " + std::string(what), {}};
}

// The index into kFactKinds.
std::optional<size_t> FactIndex(Kind kind) {
  for (size_t i = 0; i < std::size(kFactKinds); ++i) {
    if (kFactKinds[i] == kind) return i;
  }
  return std::nullopt;
}

std::optional<size_t> FactIndexOfKey(std::string_view key) {
  if (key.empty()) return std::nullopt;
  return FactIndex(static_cast<Kind>(static_cast<uint8_t>(key.front())));
}

}  // namespace

std::string Encode(const FormatGate& gate) {
  std::string value;
  AppendNumber(value, gate.format);
  AppendNumber(value, gate.oldest_reader);
  AppendNumber(value, gate.oldest_writer);
  return value + gate.version;
}

Result<FormatGate> DecodeFormatGate(std::string_view value) {
  const auto format = TakeNumber<uint32_t>(value);
  const auto oldest_reader = TakeNumber<uint32_t>(value);
  const auto oldest_writer = TakeNumber<uint32_t>(value);
  if (!format || !oldest_reader || !oldest_writer) return Malformed("format gate");
  return FormatGate{.format = *format,
                    .oldest_reader = *oldest_reader,
                    .oldest_writer = *oldest_writer,
                    .version = std::string(value)};
}

std::string EncodeRunNumber(RunNumber run) {
  std::string value;
  AppendNumber(value, run);
  return value;
}

Result<RunNumber> DecodeRunNumber(std::string_view value) {
  const auto run = TakeNumber<RunNumber>(value);
  if (!run || !value.empty()) return Malformed("run number");
  return *run;
}

std::string EncodeIdentityValue(const IdentityRow& row, RecordKind kind) {
  std::string value;
  AppendNumber(value, row.state);
  AppendNumber(value, row.ordinal);
  AppendNumber(value, row.content_hash);
  if (kind == RecordKind::kElement) {
    value.append(row.anchor_key.bytes.begin(), row.anchor_key.bytes.end());
    value += row.name;
  }
  return value;
}

Result<IdentityRow> DecodeIdentityRow(const Key& key, std::string_view value) {
  const auto state = TakeNumber<StateOrdinal>(value);
  const auto ordinal = TakeNumber<uint32_t>(value);
  const auto content_hash = TakeNumber<uint64_t>(value);
  if (!state || !ordinal || !content_hash) return Malformed("identity row");
  IdentityRow row{.id = key.id,
                  .state = *state,
                  .ordinal = *ordinal,
                  .content_hash = *content_hash,
                  .anchor_key = {},
                  .name = {}};
  if (static_cast<RecordKind>(key.tag) == RecordKind::kElement) {
    for (uint8_t& byte : row.anchor_key.bytes) {
      const auto taken = TakeNumber<uint8_t>(value);
      if (!taken) return Malformed("identity row");
      byte = *taken;
    }
    row.name = value;
  } else if (!value.empty()) {
    return Malformed("identity row");
  }
  return row;
}

uint64_t RowSum(std::string_view key, std::string_view value) {
  std::string row;
  row.reserve(key.size() + value.size());
  row += key;
  row += value;
  return HashBytes64(row);
}

void Totals::Add(std::string_view key, std::string_view value) {
  const auto index = FactIndexOfKey(key);
  if (!index) return;
  totals_.at(*index).rows += 1;
  totals_.at(*index).sum ^= RowSum(key, value);
}

void Totals::Replace(std::string_view key, std::string_view old_value, std::string_view new_value) {
  const auto index = FactIndexOfKey(key);
  if (!index) return;
  totals_.at(*index).sum ^= RowSum(key, old_value) ^ RowSum(key, new_value);
}

KindTotal& Totals::Of(Kind kind) { return totals_.at(FactIndex(kind).value()); }

const KindTotal& Totals::Of(Kind kind) const { return totals_.at(FactIndex(kind).value()); }

RunCounts Totals::Counts() const {
  return {.states = Of(Kind::kState).rows,
          .elements = Of(Kind::kElement).rows,
          .edges = Of(Kind::kEdge).rows,
          .skipped_actions = Of(Kind::kSkip).rows,
          .failed_observations = Of(Kind::kFailure).rows,
          .observations = Of(Kind::kObservation).rows};
}

Result<Totals> CountRows(const Kv& kv, RunNumber run) {
  Totals totals;
  for (const Kind kind : kFactKinds) {
    const KeyRange range = RangeOf(kind, run);
    const auto row = kv.Scan(range.begin, range.end);
    for (; row->Valid(); row->Next()) totals.Add(row->key(), row->value());
    TOPODB_TRY_VOID(row->status());
  }
  return totals;
}

std::string Encode(const Manifest& manifest) {
  std::string value;
  AppendNumber(value, static_cast<uint32_t>(std::size(kFactKinds)));
  for (const Kind kind : kFactKinds) {
    const KindTotal& total = manifest.totals.Of(kind);
    AppendNumber(value, static_cast<uint8_t>(kind));
    AppendNumber(value, total.rows);
    AppendNumber(value, total.sum);
  }
  return value + topodb::Encode(manifest.run);
}

Result<Manifest> DecodeManifest(std::string_view value) {
  const auto count = TakeNumber<uint32_t>(value);
  if (count != std::size(kFactKinds)) return Malformed("manifest");
  Manifest manifest;
  for (const Kind kind : kFactKinds) {
    const auto written_kind = TakeNumber<uint8_t>(value);
    const auto rows = TakeNumber<uint64_t>(value);
    const auto sum = TakeNumber<uint64_t>(value);
    if (written_kind != static_cast<uint8_t>(kind) || !rows || !sum) return Malformed("manifest");
    manifest.totals.Of(kind) = {.rows = *rows, .sum = *sum};
  }
  TOPODB_TRY(manifest.run, Decode<Run>(value));
  return manifest;
}

}  // namespace topodb::store
