#include "store/values.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/graph_builder.h"

namespace topodb::store {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    hex += "0123456789abcdef"[static_cast<uint8_t>(c) >> 4U];
    hex += "0123456789abcdef"[static_cast<uint8_t>(c) & 0xFU];
  }
  return hex;
}

Key IdentityKey(RecordKind kind) {
  Key key;
  key.kind = Kind::kIdentity;
  key.run = 1;
  key.tag = static_cast<uint8_t>(kind);
  key.id[0] = 0x77;
  return key;
}

IdentityRow ElementRow() {
  IdentityRow row;
  row.id[0] = 0x77;
  row.state = 1;
  row.ordinal = 2;
  row.content_hash = 0x0102030405060708;
  row.anchor_key.bytes[15] = 9;
  row.name = "link\tHome";
  return row;
}

TEST(ValuesTest, FormatGateIsFrozen) {
  const FormatGate gate{.format = 1, .oldest_reader = 2, .oldest_writer = 3, .version = "0.1"};
  EXPECT_EQ("000000010000000200000003302e31", Hex(Encode(gate)));
  EXPECT_EQ(gate, DecodeFormatGate(Encode(gate)).value());
  EXPECT_EQ(ErrorCode::kCorruption, DecodeFormatGate("12345678901").error().code);
}

TEST(ValuesTest, IdentityRowIsFrozen) {
  const IdentityRow row = ElementRow();
  const std::string value = EncodeIdentityValue(row, RecordKind::kElement);
  EXPECT_EQ(
      "00000001000000020102030405060708"
      "00000000000000000000000000000009"
      "6c696e6b09486f6d65",
      Hex(value));
  const IdentityRow decoded = DecodeIdentityRow(IdentityKey(RecordKind::kElement), value).value();
  EXPECT_EQ(row.id, decoded.id);
  EXPECT_EQ(row.ordinal, decoded.ordinal);
  EXPECT_EQ(row.anchor_key, decoded.anchor_key);
  EXPECT_EQ(row.name, decoded.name);
  EXPECT_EQ("00000001000000020102030405060708", Hex(EncodeIdentityValue(row, RecordKind::kEdge)));
}

TEST(ValuesTest, RefusesIdentityRowsOfTheWrongSize) {
  const std::string element = EncodeIdentityValue(ElementRow(), RecordKind::kElement);
  EXPECT_FALSE(DecodeIdentityRow(IdentityKey(RecordKind::kEdge), element));
  for (size_t size = 0; size < 32; ++size) {
    EXPECT_FALSE(DecodeIdentityRow(IdentityKey(RecordKind::kElement),
                                   std::string_view(element).substr(0, size)))
        << size;
  }
}

TEST(ValuesTest, ManifestRoundTripsAndRefusesEveryTruncation) {
  Manifest manifest;
  manifest.run = testing::BuildRun("whole");
  manifest.totals.Add("\x11key", "value");
  manifest.totals.Add("\x21index", "not counted");
  EXPECT_EQ(1U, manifest.totals.Of(Kind::kElement).rows);
  const std::string value = Encode(manifest);
  EXPECT_EQ(manifest, DecodeManifest(value).value());
  // The record ends with padding, which no field needs.
  constexpr size_t kPadding = 7;
  for (size_t size = 0; size < value.size(); ++size) {
    const auto cut = DecodeManifest(std::string_view(value).substr(0, size));
    EXPECT_FALSE(cut && (size + kPadding < value.size() || *cut != manifest)) << size;
  }
}

TEST(ValuesTest, TotalsNoticeMissingMovedAndAlteredRows) {
  Totals written;
  written.Add(
      "\x10"
      "a",
      "1");
  written.Add(
      "\x10"
      "b",
      "2");
  Totals other_order;
  other_order.Add(
      "\x10"
      "b",
      "2");
  other_order.Add(
      "\x10"
      "a",
      "1");
  EXPECT_EQ(written, other_order);
  Totals swapped;
  swapped.Add(
      "\x10"
      "a",
      "2");
  swapped.Add(
      "\x10"
      "b",
      "1");
  EXPECT_FALSE(written == swapped);
  Totals replaced = swapped;
  replaced.Replace(
      "\x10"
      "a",
      "2", "1");
  replaced.Replace(
      "\x10"
      "b",
      "1", "2");
  EXPECT_EQ(written, replaced);
}

}  // namespace
}  // namespace topodb::store
