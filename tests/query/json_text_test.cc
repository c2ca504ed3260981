#include "query/exchange/json_text.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "query/exchange/iso_time.h"
#include "query/exchange/record_css.h"

namespace topodb::query {
namespace {

TEST(ParseJson, ReadsFractionsExactly) {
  for (const char* text : {"0.30000000000000004", "8.41", "1.7976931348623157e308", "5e-324",
                           "123456789012345678901234567890"}) {
    const auto value = ParseJson(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(std::strtod(text, nullptr), value->as_double()) << text;
  }
}

TEST(ParseJson, Refuses) {
  struct Case {
    std::string text, message;
  };
  const Case cases[] = {
      {R"({"a":1,"a":2})", R"(key "a" stands twice)"},
      {R"([{"x":{"b":1,"c":2,"b":3}}])", R"(key "b" stands twice)"},
      {R"({"a":1,"\u0061":2})", R"(key "a" stands twice)"},
      {"1e400", "number out of range"},
      {"[-1e400]", "number out of range"},
      {"NaN", "syntax error"},
      {"[1,]", "syntax error"},
      {"[1", "unexpected end"},
      {"\"\xFF\"", "not valid UTF-8"},
      {R"("\ud800")", "syntax error"},
      {"1 2", "extra data"},
      {std::string(65, '[') + std::string(65, ']'), "nested deeper than 64 levels"},
      {"", "unexpected end"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto value = ParseJson(c.text);
    ASSERT_FALSE(value);
    EXPECT_NE(std::string::npos, value.error().message.find(c.message)) << value.error().message;
    EXPECT_LE(value.error().offset, c.text.size());
  }
  EXPECT_TRUE(ParseJson(std::string(64, '[') + std::string(64, ']')));
}

TEST(RepairSurrogates, ReplacesHalvesOnly) {
  struct Case {
    std::string text, want;
  };
  const Case cases[] = {
      {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
      {R"("x\ud83d")", R"("x\uFFFD")"},
      {R"("\ude00\ud83d")", R"("\uFFFD\uFFFD")"},
      {R"("\ud83d\ud83d\ude00")", R"("\uFFFD\ud83d\ude00")"},
      {R"("\\ud83d")", R"("\\ud83d")"},
      {R"("\\\ud83d")", R"("\\\uFFFD")"},
      {R"("\u00e9\n")", R"("\u00e9\n")"},
      {R"("\ud8)", R"("\ud8)"},
      {"\\", "\\"},
  };
  for (const Case& c : cases) {
    std::string text = c.text;
    RepairSurrogates(text);
    EXPECT_EQ(c.want, text);
  }
}

TEST(IsoTime, ReadsWhatItWrites) {
  struct Case {
    int64_t millis;
    std::string_view text;
  };
  const Case cases[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {1, "1970-01-01T00:00:00.001Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {951782400000, "2000-02-29T00:00:00.000Z"},
      {253402300799999, "9999-12-31T23:59:59.999Z"},
      {-62167219200000, "0000-01-01T00:00:00.000Z"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.text, ToIsoTime({c.millis}));
    EXPECT_EQ(Timestamp{c.millis}, ParseIsoTime(c.text)) << c.text;
  }
  EXPECT_EQ("9999-12-31T23:59:59.999Z", ToIsoTime({INT64_MAX}));
  EXPECT_EQ("0000-01-01T00:00:00.000Z", ToIsoTime({INT64_MIN}));
}

TEST(IsoTime, ReadsOtherSpellingsAndRefusesTheRest) {
  EXPECT_EQ(Timestamp{1000}, ParseIsoTime("1970-01-01T00:00:01Z"));
  EXPECT_EQ(Timestamp{1500}, ParseIsoTime("1970-01-01T00:00:01.5Z"));
  EXPECT_EQ(Timestamp{1123}, ParseIsoTime("1970-01-01T00:00:01.123456789Z"));
  EXPECT_EQ(Timestamp{0}, ParseIsoTime("1970-01-01T02:00:00+02:00"));
  EXPECT_EQ(Timestamp{0}, ParseIsoTime("1969-12-31T23:30:00-00:30"));
  for (const char* text :
       {"", "1970-01-01", "1970-01-01T00:00:00", "1970-02-29T00:00:00Z", "1970-13-01T00:00:00Z",
        "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00ZZ", "+970-01-01T00:00:00Z", "1970-01-01T00:00:00.0000000000Z"}) {
    EXPECT_EQ(std::nullopt, ParseIsoTime(text)) << text;
  }
}

TEST(AttributeSelector, ReadsBackPrintableValues) {
  for (const std::string_view value : {"save", "a\"b", "a\\b", "\xC3\xA9", ""}) {
    std::string attribute, read;
    ASSERT_TRUE(ParseAttributeSelector(AttributeSelector("data-qa", value), attribute, read));
    EXPECT_EQ("data-qa", attribute);
    EXPECT_EQ(value, read);
  }
  for (const std::string_view selector : {"#id", "[a]", "[=\"x\"]", "[a=\"x\"] b",
                                          "[a=\"x\"][b=\"y\"]", "[a=\"\\31 \"]", "[a=\"", ""}) {
    std::string attribute = "kept", value = "kept";
    EXPECT_FALSE(ParseAttributeSelector(selector, attribute, value)) << selector;
    EXPECT_EQ("kept", attribute + value.substr(4));
  }
  EXPECT_EQ("[a=\"x\\a y\"]", AttributeSelector("a", "x\ny"));
}

}  // namespace
}  // namespace topodb::query
