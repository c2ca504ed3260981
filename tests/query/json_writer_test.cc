#include "query/exchange/json_writer.h"

#include <limits>
#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace topodb::query {
namespace {

using namespace std::string_view_literals;

TEST(JsonWriter, StringsAreValidUtf8WithoutControls) {
  struct Case {
    std::string_view text, want;
  };
  const Case cases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"a\"b\\c/d", R"("a\"b\\c/d")"},
      {"\n\r\t\b\f", R"("\n\r\t\b\f")"},
      {"\0\x01\x1B\x7F"sv, R"("\u0000\u0001\u001b\u007f")"},
      {"\xC2\x85", R"("\u0085")"},   // C1 control
      {"\xC2\xA0", "\"\xC2\xA0\""},  // no-break space
      {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\""},
      {"\xFF", "\"\xEF\xBF\xBD\""},
      {"a\xC3", "\"a\xEF\xBF\xBD\""},                // cut off
      {"\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},  // overlong
      {"\xE0\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},  // surrogate
      {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {"\xC3(", "\"\xEF\xBF\xBD(\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.want);
    std::string out;
    AppendJsonString(c.text, out);
    EXPECT_EQ(c.want, out);
    boost::json::error_code error;
    boost::json::parse(out, error);
    EXPECT_FALSE(error) << error.message();
  }
}

TEST(JsonWriter, NumbersReadBackAsTheyWere) {
  struct Case {
    double number;
    std::string_view want;
  };
  const Case cases[] = {
      {0, "0"},
      {-0.0, "0"},
      {0.1 + 0.2, "0.30000000000000004"},
      {-1.5, "-1.5"},
      {1440, "1440"},
      {1e21, "1e+21"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::infinity(), "null"},
      {std::numeric_limits<double>::quiet_NaN(), "null"},
  };
  for (const Case& c : cases) {
    std::string out;
    JsonWriter(out).Number(c.number);
    EXPECT_EQ(c.want, out);
  }
}

TEST(JsonWriter, SeparatesMembersAndItems) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("empty");
  json.BeginArray();
  json.EndArray();
  json.Key("items");
  json.BeginArray();
  json.Number(1);
  json.Number(18446744073709551615U);
  json.BeginObject();
  json.EndObject();
  json.Null();
  json.EndArray();
  json.Key("yes");
  json.Boolean(true);
  json.EndObject();
  EXPECT_EQ(R"({"empty":[],"items":[1,18446744073709551615,{},null],"yes":true})", out);
}

}  // namespace
}  // namespace topodb::query
