#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"
#include "store/keys.h"

// The values of docs/format.md that are not records: format gate, identity row, manifest.
// Every decoder refuses what is no such value with kCorruption; none reads past its bytes.
namespace topodb::store {

struct FormatGate {
  uint32_t format = 0;
  uint32_t oldest_reader = 0;
  uint32_t oldest_writer = 0;
  std::string version;  // of the topodb that made the database
  bool operator==(const FormatGate&) const = default;
};

std::string Encode(const FormatGate& gate);
Result<FormatGate> DecodeFormatGate(std::string_view value);

std::string EncodeRunNumber(RunNumber run);
Result<RunNumber> DecodeRunNumber(std::string_view value);

// The value of an identity row; `row.id` stands in its key. Anchor and name for elements only.
std::string EncodeIdentityValue(const IdentityRow& row, RecordKind kind);
Result<IdentityRow> DecodeIdentityRow(const Key& key, std::string_view value);

// How many rows of one kind a run has, and the XOR of their RowSums.
struct KindTotal {
  uint64_t rows = 0;
  uint64_t sum = 0;
  bool operator==(const KindTotal&) const = default;
};

uint64_t RowSum(std::string_view key, std::string_view value);

// Totals of kFactKinds, in that order.
class Totals {
 public:
  // A row of another kind changes nothing.
  void Add(std::string_view key, std::string_view value);
  void Replace(std::string_view key, std::string_view old_value, std::string_view new_value);
  // Requires a kind of kFactKinds.
  KindTotal& Of(Kind kind);
  const KindTotal& Of(Kind kind) const;
  RunCounts Counts() const;
  bool operator==(const Totals&) const = default;

 private:
  std::array<KindTotal, std::size(kFactKinds)> totals_;
};

// What the rows of a run add up to now.
Result<Totals> CountRows(const Kv& kv, RunNumber run);

struct Manifest {
  Totals totals;
  Run run;
  bool operator==(const Manifest&) const = default;
};

std::string Encode(const Manifest& manifest);
Result<Manifest> DecodeManifest(std::string_view value);

}  // namespace topodb::store
