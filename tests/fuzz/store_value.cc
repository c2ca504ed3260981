#include <string>

#include "store/values.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/schema/sample_records.h"

namespace topodb::fuzz {
namespace {

using namespace store;

void CheckManifest(std::string_view bytes) {
  const auto manifest = DecodeManifest(bytes);
  if (!manifest) {
    Require(manifest.error().code == ErrorCode::kCorruption, "a refusal is kCorruption", bytes);
    return;
  }
  const std::string encoded = store::Encode(*manifest);
  const auto again = DecodeManifest(encoded);
  Require(again && *again == *manifest, "a manifest reads back equal", bytes);
  Require(store::Encode(*again) == encoded, "equal manifests have equal bytes", bytes);
}

void CheckIdentityRow(RecordKind kind, std::string_view value) {
  Key key;
  key.kind = Kind::kIdentity;
  key.tag = static_cast<uint8_t>(kind);
  if (const auto row = DecodeIdentityRow(key, value)) {
    Require(EncodeIdentityValue(*row, kind) == value, "an identity row has one spelling", value);
  }
}

FUZZ_TARGET(store_value) {
  if (const auto gate = DecodeFormatGate(input)) {
    Require(store::Encode(*gate) == input, "a format gate has one spelling", input);
  }
  if (const auto run = DecodeRunNumber(input)) {
    Require(EncodeRunNumber(*run) == input, "a run number has one spelling", input);
  }
  for (const auto kind : {RecordKind::kElement, RecordKind::kEdge}) CheckIdentityRow(kind, input);
  CheckManifest(input);
  Manifest manifest;
  manifest.run = SampleRun();
  CheckManifest(Damaged(store::Encode(manifest), Input(input)));
}

}  // namespace
}  // namespace topodb::fuzz
