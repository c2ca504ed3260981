#include "schema/base/ids.h"

#include <string>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

#include "schema/base/hash.h"

namespace topodb {
namespace {

constexpr IdBytes kBytes{0x00, 0x01, 0x7F, 0x80, 0xFF, 0xA5, 0x5A, 0x10,
                         0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x90, 0x0F};
constexpr std::string_view kHex = "00017f80ffa55a10203040506070900f";

TEST(IdsTest, HexRoundTrip) {
  EXPECT_EQ(ToHex(kBytes), kHex);
  EXPECT_EQ(FromHex(kHex), kBytes);
}

TEST(IdsTest, HexRefusals) {
  const std::string hex(kHex);
  for (const std::string& text :
       {std::string(), hex.substr(1), hex + "0", std::string("0") + hex,
        "00017F80FFA55A10203040506070900F" + std::string(), hex.substr(0, 31) + "g",
        hex.substr(0, 31) + " ", "0x" + hex.substr(2), hex.substr(0, 31) + std::string(1, '\0')}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(FromHex(text), std::nullopt);
  }
}

TEST(IdsTest, TextForm) {
  const StateId id{kBytes};
  EXPECT_EQ(id.ToString(), "state_" + std::string(kHex));
  EXPECT_EQ(StateId::Parse(id.ToString()), id);
  EXPECT_FALSE(id.is_zero());
  EXPECT_TRUE(StateId{}.is_zero());
}

TEST(IdsTest, TextRefusals) {
  const std::string hex(kHex);
  for (const std::string& text :
       {std::string(), std::string("state_"), hex, "el_" + hex, "State_" + hex, " state_" + hex,
        "state_" + hex + "\n", "state_" + hex.substr(2), "state_state_" + hex}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(StateId::Parse(text), std::nullopt);
  }
}

TEST(IdsTest, PrefixesAreTheFormat) {
  EXPECT_EQ(StateId::kPrefix, "state_");
  EXPECT_EQ(ElementId::kPrefix, "el_");
  EXPECT_EQ(LocatorId::kPrefix, "loc_");
  EXPECT_EQ(EdgeId::kPrefix, "edge_");
  EXPECT_EQ(SkipId::kPrefix, "skip_");
  EXPECT_EQ(FailureId::kPrefix, "fail_");
  EXPECT_EQ(LandmarkId::kPrefix, "mark_");
  EXPECT_EQ(RunId::kPrefix, "crawl_");
  EXPECT_EQ(InputFingerprint::kPrefix, "input_");
  EXPECT_EQ(AnchorKey::kPrefix, "anchor_");
}

TEST(IdsTest, KindsDoNotMix) {
  EXPECT_FALSE((std::is_convertible_v<StateId, ElementId>));
  EXPECT_FALSE((std::is_constructible_v<StateId, ElementId>));
}

TEST(IdsTest, OrderIsOrderOfText) {
  const StateId low{{0x01}}, high{{0xFF}};
  EXPECT_LT(low, high);
  EXPECT_LT(low.ToString(), high.ToString());
}

TEST(IdsTest, LookupTables) {
  std::unordered_set<StateId> ids{StateId{kBytes}, StateId{}};
  EXPECT_TRUE(ids.contains(StateId{kBytes}));
  EXPECT_FALSE(ids.contains(StateId{{0x01}}));
}

// ---- canonical encoding ------------------------------------------------------------------------

TEST(CanonicalTest, Bytes) {
  Canonical canonical("d");
  canonical.Add("ab").Add("").AddAbsent().AddNumber(120).AddId(kBytes);
  const std::string_view want(
      "\0\0\0\1d"
      "\0\0\0\2ab"
      "\0\0\0\0"
      "\xFF\xFF\xFF\xFF"
      "\0\0\0\3"
      "120"
      "\0\0\0\x10",
      30);
  EXPECT_EQ(canonical.bytes().substr(0, want.size()), want);
  EXPECT_EQ(canonical.bytes().substr(want.size()),
            std::string_view(reinterpret_cast<const char*>(kBytes.data()), kBytes.size()));
}

TEST(CanonicalTest, TellsApart) {
  const IdBytes base = Canonical("d").Add("ab").Add("c").Hash();
  EXPECT_EQ(Canonical("d").Add("ab").Add("c").Hash(), base);
  EXPECT_NE(Canonical("d").Add("a").Add("bc").Hash(), base);
  EXPECT_NE(Canonical("d").Add("abc").Hash(), base);
  EXPECT_NE(Canonical("d").Add("c").Add("ab").Hash(), base);
  EXPECT_NE(Canonical("e").Add("ab").Add("c").Hash(), base);
  EXPECT_NE(Canonical("d").Add("ab").Add("c").Add("").Hash(), base);
  EXPECT_NE(Canonical("d").AddAbsent().Hash(), Canonical("d").Add("").Hash());
  EXPECT_NE(Canonical("d").AddAbsent().Hash(), Canonical("d").Add("\xFF\xFF\xFF\xFF").Hash());
  EXPECT_EQ(Canonical("d").AddNumber(7).Hash(), Canonical("d").Add("7").Hash());
}

// The published test values of XXH3: another library or machine must give the same ids.
TEST(HashTest, PublishedValues) {
  EXPECT_EQ(ToHex(HashBytes("")), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(HashBytes64(""), 0x2d06800538d394c2U);
}

}  // namespace
}  // namespace topodb
