#include "store/keys.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace topodb::store {
namespace {

std::string Bytes(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  std::string digits(hex);
  std::erase(digits, ' ');
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(digit(digits[i]) * 16 + digit(digits[i + 1]));
  }
  return bytes;
}

Key Make(Kind kind, RunNumber run, StateOrdinal state = 0, uint32_t ordinal = 0) {
  Key key;
  key.kind = kind;
  key.run = run;
  key.state = state;
  key.ordinal = ordinal;
  return key;
}

Key WithText(Key key, std::string_view text, std::string_view name = {}) {
  key.text = text;
  key.name = name;
  return key;
}

Key WithTo(Key key, StateOrdinal to) {
  key.to = to;
  return key;
}

Key WithTag(Key key, uint8_t tag) {
  key.tag = tag;
  return key;
}

Key WithId(Key key) {
  for (size_t i = 0; i < key.id.size(); ++i) key.id[i] = static_cast<uint8_t>(0xA0 + i);
  return key;
}

struct GoldenKey {
  Key key;
  std::string_view hex;
};

// On disk: a change here is a change of the format.
const GoldenKey kGolden[] = {
    {WithText(Make(Kind::kStore, 0), "topodb"), "00 746f706f6462"},
    {WithText(Make(Kind::kStore, 0), "next-run"), "00 6e6578742d72756e"},
    {Make(Kind::kManifest, 7), "01 00000007"},
    {WithText(Make(Kind::kRunName, 0), "nightly"), "02 6e696768746c79 0001"},
    {Make(Kind::kDraft, 0x01020304), "03 01020304"},
    {WithId(Make(Kind::kRunByInput, 7)), "04 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 00000007"},
    {Make(Kind::kState, 7, 1), "10 00000007 00000001"},
    {Make(Kind::kElement, 7, 1, 2), "11 00000007 00000001 00000002"},
    {Make(Kind::kEdge, 7, 1, 2), "12 00000007 00000001 00000002"},
    {Make(Kind::kSkip, 7, 1, 2), "13 00000007 00000001 00000002"},
    {Make(Kind::kFailure, 7, kNoState, 2), "14 00000007 ffffffff 00000002"},
    {Make(Kind::kLandmark, 7, 1, 2), "15 00000007 00000001 00000002"},
    {Make(Kind::kObservation, 7, kNoState, 0), "16 00000007 ffffffff 00000000"},
    {WithId(Make(Kind::kForeignId, 7)), "1a 00000007 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"},
    {WithTo(Make(Kind::kEdgeByTo, 7, 1, 2), 9), "20 00000007 00000009 00000001 00000002"},
    {WithId(WithTag(Make(Kind::kIdentity, 7), 3)),
     "21 00000007 03 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"},
    {WithText(Make(Kind::kElementByName, 7, 1, 2), "link", "home"),
     "22 00000007 6c696e6b0001 686f6d650001 00000001 00000002"},
    {WithText(Make(Kind::kElementByName, 7, 1, 2), "", std::string_view("a\0b", 3)),
     "22 00000007 0001 6100ff620001 00000001 00000002"},
    {WithTo(Make(Kind::kAdjacency, 7, 1, 2), 9), "23 00000007 00000001 00000009 00000002"},
    {WithText(Make(Kind::kStateByRoute, 7, 1), "/docs"), "24 00000007 2f646f63730001 00000001"},
    {WithTag(Make(Kind::kEdgeByRisk, 7, 1, 2), 3), "25 00000007 03 00000001 00000002"},
};

TEST(KeysTest, EncodesAsTheFormatSays) {
  for (const GoldenKey& golden : kGolden) {
    SCOPED_TRACE(golden.hex);
    EXPECT_EQ(Bytes(golden.hex), EncodeKey(golden.key));
  }
}

TEST(KeysTest, ParsesWhatItEncodes) {
  for (const GoldenKey& golden : kGolden) {
    SCOPED_TRACE(golden.hex);
    const auto parsed = ParseKey(Bytes(golden.hex));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(golden.key, *parsed);
  }
}

TEST(KeysTest, RefusesWhatIsNoKey) {
  for (const std::string_view hex : {
           "",                                      // nothing
           "0f 00000001",                           // unknown kind
           "26 00000001",                           // unknown kind
           "10 00000007 000000",                    // too short
           "10 00000007 00000001 00",               // too long
           "02 6162",                               // no terminator
           "02 61 00",                              // half a terminator
           "02 61 0002",                            // no such escape
           "02 61 0001 00",                         // more after the terminator
           "21 00000007 03 a0a1",                   // half an id
           "22 00000007 6c0001 00000001 00000002",  // one text of two
       }) {
    SCOPED_TRACE(hex);
    const auto parsed = ParseKey(Bytes(hex));
    ASSERT_FALSE(parsed);
    EXPECT_EQ(ErrorCode::kCorruption, parsed.error().code);
  }
}

TEST(KeysTest, EveryPrefixOfEveryKeyIsRefused) {
  for (const GoldenKey& golden : kGolden) {
    if (golden.key.kind == Kind::kStore) continue;  // ends where the key ends
    const std::string bytes = Bytes(golden.hex);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(ParseKey(std::string_view(bytes).substr(0, size))) << golden.hex << " " << size;
    }
  }
}

TEST(KeysTest, ByteOrderIsTheOrderOfFields) {
  const std::vector<Key> ordered = {
      Make(Kind::kState, 1, 0),
      Make(Kind::kState, 1, 0xFF),
      Make(Kind::kState, 1, 0x100),
      Make(Kind::kState, 1, kNoState),
      Make(Kind::kState, 2, 0),
      Make(Kind::kElement, 1, 0, 5),
      WithText(Make(Kind::kElementByName, 1, 9, 9), "", "z"),
      WithText(Make(Kind::kElementByName, 1, 0, 0), "a", ""),
      WithText(Make(Kind::kElementByName, 1, 0, 0), std::string_view("a\0", 2), ""),
      WithText(Make(Kind::kElementByName, 1, 0, 0), std::string_view("a\0b", 3), ""),
      WithText(Make(Kind::kElementByName, 1, 0, 0), "a\x01", ""),
      WithText(Make(Kind::kElementByName, 1, 9, 0), "ab", "a"),
      WithText(Make(Kind::kElementByName, 1, 0, 1), "ab", "b"),
      WithText(Make(Kind::kElementByName, 1, 0, 0), "ab\xFF", ""),
  };
  std::vector<std::string> encoded;
  for (const Key& key : ordered) encoded.push_back(EncodeKey(key));
  for (size_t i = 1; i < encoded.size(); ++i) EXPECT_LT(encoded[i - 1], encoded[i]) << i;
}

TEST(KeysTest, RangesHoldTheirKeysAndNoOthers) {
  const auto holds = [](const KeyRange& range, const Key& key) {
    const std::string bytes = EncodeKey(key);
    return range.begin <= bytes && (range.end.empty() || bytes < range.end);
  };
  EXPECT_TRUE(holds(RangeOf(Kind::kState), Make(Kind::kState, 0xFFFFFFFF, kNoState)));
  EXPECT_FALSE(holds(RangeOf(Kind::kState), Make(Kind::kElement, 0)));
  EXPECT_TRUE(holds(RangeOf(Kind::kState, 0xFF), Make(Kind::kState, 0xFF, kNoState)));
  EXPECT_FALSE(holds(RangeOf(Kind::kState, 0xFF), Make(Kind::kState, 0x100, 0)));
  EXPECT_FALSE(holds(RangeOf(Kind::kState, 0xFF), Make(Kind::kState, 0xFE, kNoState)));
  EXPECT_TRUE(holds(RangeOf(Kind::kEdge, 1, 0xFF), Make(Kind::kEdge, 1, 0xFF, 0xFFFFFFFF)));
  EXPECT_FALSE(holds(RangeOf(Kind::kEdge, 1, 0xFF), Make(Kind::kEdge, 1, 0x100, 0)));
  EXPECT_TRUE(holds(RangeOf(Kind::kFailure, 1, kNoState), Make(Kind::kFailure, 1, kNoState, 3)));
  EXPECT_FALSE(holds(RangeOf(Kind::kFailure, 1, kNoState), Make(Kind::kFailure, 2, 0, 0)));
  EXPECT_TRUE(
      holds(IdentityRange(1, RecordKind::kEdge), WithId(WithTag(Make(Kind::kIdentity, 1), 3))));
  EXPECT_FALSE(
      holds(IdentityRange(1, RecordKind::kEdge), WithId(WithTag(Make(Kind::kIdentity, 1), 4))));
  EXPECT_TRUE(holds(RoleRange(1, "link"), WithText(Make(Kind::kElementByName, 1), "link", "\xFF")));
  EXPECT_FALSE(holds(RoleRange(1, "link"), WithText(Make(Kind::kElementByName, 1), "links", "")));
}

TEST(KeysTest, CutsIndexedTextOnACodePoint) {
  EXPECT_EQ("short", CutForIndex("short"));
  const std::string exact(kMaxIndexedText, 'a');
  EXPECT_EQ(exact, CutForIndex(exact));
  EXPECT_EQ(exact, CutForIndex(exact + "b"));
  // A two-byte letter across the border goes as a whole.
  EXPECT_EQ(exact.substr(1), CutForIndex(exact.substr(1) + "\xC3\xA4" + "b"));
  EXPECT_EQ(std::string(), CutForIndex(std::string(kMaxIndexedText + 1, '\x80')));
}

}  // namespace
}  // namespace topodb::store
