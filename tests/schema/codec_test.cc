#include "schema/codec.h"

#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/names.h"
#include "tests/schema/sample_records.h"

namespace topodb {
namespace {

using ::testing::HasSubstr;

template <class Record>
Record Sample();
template <>
Run Sample() {
  return SampleRun();
}
template <>
State Sample() {
  return SampleState();
}
template <>
Element Sample() {
  return SampleElement();
}
template <>
ActionEdge Sample() {
  return SampleEdge();
}
template <>
SkippedAction Sample() {
  return SampleSkip();
}
template <>
FailedObservation Sample() {
  return SampleFailure();
}
template <>
CompletionObservation Sample() {
  return SampleObservation();
}
template <>
Landmark Sample() {
  return SampleLandmark();
}

template <class Record>
class CodecTest : public ::testing::Test {};
using Records = ::testing::Types<Run, State, Element, ActionEdge, SkippedAction, FailedObservation,
                                 CompletionObservation, Landmark>;
TYPED_TEST_SUITE(CodecTest, Records);

// A decode may succeed or refuse; anything else is a defect of the decoder.
template <class Record>
void ExpectValueOrCorruption(const Result<Record>& result) {
  if (!result) {
    ASSERT_EQ(result.error().code, ErrorCode::kCorruption);
    ASSERT_THAT(result.error().message, HasSubstr(" record "));
  }
}

TYPED_TEST(CodecTest, RoundTripsAFullRecord) {
  const auto record = Sample<TypeParam>();
  const auto decoded = Decode<TypeParam>(Encode(record));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(*decoded == record);
  EXPECT_EQ(Encode(*decoded), Encode(record));
}

TYPED_TEST(CodecTest, RoundTripsAnEmptyRecord) {
  const TypeParam record{};
  const auto decoded = Decode<TypeParam>(Encode(record));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(*decoded == record);
  EXPECT_FALSE(*decoded == Sample<TypeParam>());
}

TYPED_TEST(CodecTest, ReadsFromAnyAlignment) {
  const std::string bytes = Encode(Sample<TypeParam>());
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string shifted = std::string(shift, 'x') + bytes;
    const auto decoded = Decode<TypeParam>(std::string_view(shifted).substr(shift));
    ASSERT_TRUE(decoded) << shift << ": " << decoded.error().message;
    EXPECT_TRUE(*decoded == Sample<TypeParam>());
  }
}

TYPED_TEST(CodecTest, RefusesEveryOtherKind) {
  const auto refuses = [](const std::string& bytes) {
    const auto decoded = Decode<TypeParam>(bytes);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption);
    EXPECT_THAT(decoded.error().message, HasSubstr("identifier"));
  };
  const std::string own = Encode(Sample<TypeParam>());
  for (const std::string& bytes :
       {Encode(SampleRun()), Encode(SampleState()), Encode(SampleElement()), Encode(SampleEdge()),
        Encode(SampleSkip()), Encode(SampleFailure()), Encode(SampleObservation()),
        Encode(SampleLandmark())}) {
    if (bytes != own) refuses(bytes);
  }
}

TYPED_TEST(CodecTest, SurvivesEveryTruncation) {
  for (const std::string& bytes : {Encode(Sample<TypeParam>()), Encode(TypeParam{})}) {
    for (size_t size = 0; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);  // its own allocation: overruns are seen
      ASSERT_NO_FATAL_FAILURE(ExpectValueOrCorruption(Decode<TypeParam>(cut))) << size;
    }
  }
  EXPECT_FALSE(Decode<TypeParam>(std::string_view()));
}

TYPED_TEST(CodecTest, SurvivesSeededByteFlips) {
  const unsigned seed = 4711;
  std::mt19937 random(seed);
  const std::string bytes = Encode(Sample<TypeParam>());
  size_t refused = 0;
  for (int round = 0; round < 10000; ++round) {
    std::string damaged = bytes;
    for (auto flips = 1 + random() % 3; flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random() & 0xFFU);
    }
    const auto decoded = Decode<TypeParam>(damaged);
    ASSERT_NO_FATAL_FAILURE(ExpectValueOrCorruption(decoded))
        << "seed " << seed << " round " << round;
    if (!decoded) {
      ++refused;
    } else {
      // What was accepted can be written and read again.
      const auto again = Decode<TypeParam>(Encode(*decoded));
      ASSERT_TRUE(again && *again == *decoded) << "seed " << seed << " round " << round;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(CodecRefusalTest, NamesRecordAndField) {
  Element element = SampleElement();
  element.name_source = static_cast<NameSource>(9);
  SkippedAction skip = SampleSkip();
  skip.risk_level = static_cast<RiskLevel>(0);
  ActionEdge edge = SampleEdge();
  edge.effects[1].type = static_cast<EffectType>(EnumSize<EffectType>() + 1);
  FailedObservation failure = SampleFailure();
  failure.action_type = static_cast<ActionType>(0);
  Landmark landmark = SampleLandmark();
  landmark.identity.ids[0].kind = static_cast<IdKind>(200);

  const auto message = [](const auto& result) {
    return result ? std::string("accepted") : result.error().message;
  };
  EXPECT_EQ(message(Decode<Element>(Encode(element))),
            "element record is invalid: name source is 9, not 1 to 4");
  EXPECT_EQ(message(Decode<SkippedAction>(Encode(skip))),
            "skipped action record is invalid: risk level is 0, not 1 to 3");
  EXPECT_EQ(message(Decode<ActionEdge>(Encode(edge))),
            "action edge record is invalid: effect type is 13, not 1 to 12");
  EXPECT_EQ(message(Decode<FailedObservation>(Encode(failure))),
            "failed observation record is invalid: action type is 0, not 1 to 7");
  EXPECT_EQ(message(Decode<Landmark>(Encode(landmark))),
            "landmark record is invalid: id kind is 200, not 1 to 4");
  EXPECT_EQ(message(Decode<topodb::Run>("")), "run record is too short");
  EXPECT_EQ(message(Decode<State>(std::string(64, 'x'))),
            "state record has the identifier of something else");
  EXPECT_EQ(message(Decode<State>("\xFF\xFF\xFF\x7FTPST-------------")),
            "state record does not hold together");
}

// JSON has no such numbers, so they are not stored.
TEST(CodecTest, NumbersThatAreNotFiniteBecomeZero) {
  Element element = SampleElement();
  element.bbox = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity(), 1};
  const auto decoded = Decode<Element>(Encode(element));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->bbox, (Rect{0, 0, 0, 1}));
}

TEST(CodecTest, AbsentAndEmptyStayApart) {
  for (const std::optional<std::string>& text :
       std::vector<std::optional<std::string>>{std::nullopt, "", "x"}) {
    Element element;
    element.role = element.accessible_name = element.text = element.label = text;
    element.placeholder = text;
    element.context = {{ContextKind::kRow, "", text, text, text}};
    element.parameter_surface.emplace().name = text;
    const auto decoded = Decode<Element>(Encode(element));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, element);
  }
}

TEST(CodecTest, TextIsKeptByteForByte) {
  Element element;
  element.accessible_name = std::string("a\0b\x1B\xE2\x80\xAE\xFF", 8);
  const auto decoded = Decode<Element>(Encode(element));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->accessible_name, element.accessible_name);
}

// Locators repeat their element's names and containers; a record must not pay for each of them.
TEST(CodecTest, RepeatedTextsAndScopesAreStoredOnce) {
  Element element = SampleElement();
  Locator locator = SampleLocator();
  locator.scopes.assign(3, {ContextKind::kSection, "region", std::string(200, 's'), std::nullopt});
  locator.evidence = {{EvidenceLevel::kVerified, "page", std::string(200, 'e')}};
  element.locators = {locator};
  const size_t one = Encode(element).size();
  element.locators.assign(5, locator);
  EXPECT_LT(Encode(element).size(), one + 4 * 200);
  const auto decoded = Decode<Element>(Encode(element));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, element);
}

TEST(CodecTest, RefusesARecordThatUnfoldsBeyondItsBounds) {
  // One long text, referred to by many fields: small when encoded, huge when decoded.
  Element element;
  element.truncated.assign(700, std::string(100000, 'x'));
  const std::string bytes = Encode(element);
  ASSERT_LT(bytes.size(), 1000000U);
  const auto decoded = Decode<Element>(bytes);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message,
            "element record is invalid: decodes into more than a record may hold");
}

}  // namespace
}  // namespace topodb
