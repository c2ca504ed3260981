#include "capture/cdp/json.h"

#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture::cdp {
namespace {

TEST(FieldsTest, ReadsWhatIsThere) {
  const std::string json =
      R"({"s":"a\u00e9\n\"","i":-7,"d":1.5e3,"b":true,"o":{"x":{"y":[1,{}]}},"l":[{"n":1},{"n":2}],)"
      R"("r": [ 1, {"z" : null} ] ,"e":"","\u0041":"key"})";
  Fields fields(json, "Test.method");
  EXPECT_EQ("aé\n\"", fields.String("s"));
  EXPECT_EQ(-7, fields.Int("i"));
  EXPECT_EQ(1500, fields.Double("d"));
  EXPECT_TRUE(fields.Bool("b"));
  EXPECT_EQ(R"({"y":[1,{}]})", fields.Object("o").Raw("x"));
  auto list = fields.Objects("l");
  ASSERT_EQ(2U, list.size());
  EXPECT_EQ(2, list[1].Int("n"));
  EXPECT_EQ(R"([ 1, {"z" : null} ])", fields.Raw("r"));
  EXPECT_EQ("", fields.String("e"));
  EXPECT_EQ("key", fields.String("A"));
  EXPECT_EQ("", fields.OptionalString("absent"));
  EXPECT_EQ(std::nullopt, fields.OptionalInt("absent"));
  EXPECT_FALSE(fields.OptionalObject("absent"));
  EXPECT_TRUE(fields.OptionalObjects("absent").empty());
  EXPECT_TRUE(fields.Has("l"));
  EXPECT_FALSE(fields.Has("absent"));
  EXPECT_TRUE(fields.Finish(1));
}

TEST(FieldsTest, NamesTheFirstProblem) {
  struct Case {
    std::string_view json;
    void (*read)(Fields&);
    std::string_view want;
  };
  const Case kCases[] = {
      {"{}", [](Fields& f) { f.String("s"); }, "M: no field 's'"},
      {"{}", [](Fields& f) { f.Object("o").Int("i"); }, "M: no field 'o'"},
      {R"({"s":1})", [](Fields& f) { f.String("s"); }, "M: 's' is no string"},
      {R"({"s":null})", [](Fields& f) { f.OptionalString("s"); }, "M: 's' is no string"},
      {R"({"i":1.5})", [](Fields& f) { f.Int("i"); }, "M: 'i' is no integer"},
      {R"({"i":99999999999999999999})", [](Fields& f) { f.Int("i"); }, "M: 'i' is no integer"},
      {R"({"d":"x"})", [](Fields& f) { f.Double("d"); }, "M: 'd' is no number"},
      {R"({"b":1})", [](Fields& f) { f.Bool("b"); }, "M: 'b' is no boolean"},
      {R"({"o":{"x":1}})", [](Fields& f) { f.Object("o").String("x"); }, "M: 'x' is no string"},
      {R"({"o":[]})", [](Fields& f) { f.Object("o"); }, "M: malformed JSON"},
      {R"({"l":{}})", [](Fields& f) { f.Objects("l"); }, "M: 'l' is no array"},
      {"", [](Fields&) {}, "M: malformed JSON"},
      {"[]", [](Fields&) {}, "M: malformed JSON"},
      {R"({"a":1)", [](Fields&) {}, "M: malformed JSON"},
      {R"({"a"})", [](Fields&) {}, "M: malformed JSON"},
      {"{\"a\":\"\xff\"}", [](Fields&) {}, "M: malformed JSON"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.json);
    Fields fields(c.json, "M");
    c.read(fields);
    const auto result = fields.Finish(0);
    ASSERT_FALSE(result);
    EXPECT_EQ(ErrorCode::kProtocol, result.error().code);
    EXPECT_EQ(c.want, result.error().message);
  }
}

TEST(FieldsTest, PassesOnDeepAndLargeMembersUntouched) {
  const std::string deep = std::string(5'000, '[') + std::string(5'000, ']');
  const std::string large = '"' + std::string(3'000'000, 'x') + '"';
  const std::string json = R"({"deep":)" + deep + R"(,"large":)" + large + "}";
  Fields fields(json, "M");
  EXPECT_EQ(deep, fields.Raw("deep"));
  EXPECT_EQ(3'000'000U, fields.String("large").size());
  EXPECT_TRUE(fields.Finish(0));
}

TEST(ObjectWriterTest, WritesJsonThatMeansTheSame) {
  const std::string nasty = std::string("\"\\\n\t\x01\x7f", 6) + "é漢🗑" + std::string(1, '\0');
  const auto text = ObjectWriter()
                        .String("s", nasty)
                        .Int("i", -5)
                        .Double("d", 0.1)
                        .Bool("b", false)
                        .Raw("r", "[1]")
                        .RawArray("l", {"1", "{}"})
                        .Optional("absent", std::optional<std::string>())
                        .Optional("present", std::optional<std::string>("x"))
                        .Flag("off", false)
                        .Flag("on", true)
                        .Take();
  const boost::json::value want = {
      {"s", nasty},     {"i", -5},
      {"d", 0.1},       {"b", false},
      {"r", {1}},       {"on", true},
      {"present", "x"}, {"l", boost::json::array{1, boost::json::object()}}};
  EXPECT_EQ(want, boost::json::parse(text)) << text;
  EXPECT_EQ("{}", ObjectWriter().Take());
}

TEST(ObjectWriterTest, ReplacesWhatIsNotUtf8) {
  struct Case {
    std::string_view bytes, want;
  };
  const Case kCases[] = {
      {"ok é", "\"ok é\""},
      {"\xff", "\"\uFFFD\""},
      {"\xc3", "\"\uFFFD\""},
      {"\xc0\x80", "\"\uFFFD\uFFFD\""},
      {"\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
      {"\xf4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
      {"\xf0\x9f\x97\x91", "\"🗑\""},
      {"a\x80z", "\"a\uFFFDz\""},
      {"\xe6\xbc", "\"\uFFFD\uFFFD\""},
  };
  for (const auto& c : kCases) EXPECT_EQ(c.want, QuoteJson(c.bytes));
}

TEST(EnvelopeTest, IsAReplyOrAnEventAndNothingElse) {
  struct Case {
    std::string_view message;
    bool want;
  };
  const Case kCases[] = {
      {R"({"id":1,"result":{}})", true},
      {R"({"id":1,"error":{"code":-1,"message":"no"}})", true},
      {R"({"error":{"code":-32700,"message":"not JSON"}})", true},
      {R"({"method":"A.b"})", true},
      {R"({"method":"A.b","params":{},"sessionId":"S"})", true},
      {R"({"id":1})", false},
      // A command: taken for a reply it would end a call with an empty result.
      {R"({"id":1,"method":"A.b","params":{}})", false},
      {R"({"id":"1","result":{}})", false},
      {R"({"id":1,"error":{}})", false},
      {R"({"result":{}})", false},
      {"{}", false},
  };
  for (const auto& c : kCases) {
    const auto envelope = ParseEnvelope(c.message);
    EXPECT_EQ(c.want, envelope.has_value()) << c.message;
    if (!envelope) {
      EXPECT_EQ(ErrorCode::kProtocol, envelope.error().code) << c.message;
    }
  }
}

TEST(JsonTest, LoneSurrogatesAreReplacedAndPairsKept) {
  struct Case {
    std::string text, want;
  };
  const Case kCases[] = {
      {R"("\ud83d\uddd1")", R"("\ud83d\uddd1")"},
      {R"("\ud83d")", R"("\uFFFD")"},
      {R"("\uddd1x")", R"("\uFFFDx")"},
      {R"("\uD83D\uD83D\uDDD1")", R"("\uFFFD\uD83D\uDDD1")"},
      {R"("\ud83d\n")", R"("\uFFFD\n")"},
      {R"("\\ud83d")", R"("\\ud83d")"},  // an escaped backslash, then letters
      {R"("\\\ud83d")", R"("\\\uFFFD")"},
      {R"("\u00e9")", R"("\u00e9")"},
      {R"("\ud83)", R"("\ud83)"},
      {R"(\)", R"(\)"},
      {"", ""},
  };
  for (auto c : kCases) {
    SCOPED_TRACE(c.text);
    ReplaceLoneSurrogates(c.text);
    EXPECT_EQ(c.want, c.text);
  }
}

TEST(JsonTest, TheIdOfALargeReplyIsReadFromItsStart) {
  EXPECT_EQ(12, LeadingId(R"({"id":12,"result":{)"));
  EXPECT_EQ(std::nullopt, LeadingId(R"({"method":"A.b"})"));
  EXPECT_EQ(std::nullopt, LeadingId(R"({"id":)"));
  EXPECT_EQ(std::nullopt, LeadingId(R"({"id":999999999999999999999,)"));
}

TEST(RuntimeTest, ValuesStayRawAndExceptionsAreKept) {
  const auto value =
      runtime::Evaluate::ParseReply(R"({"result":{"type":"object","value":{"a":[1,2]}}})");
  ASSERT_TRUE(value);
  EXPECT_EQ(R"({"a":[1,2]})", value->result.value_json);
  EXPECT_FALSE(value->exception);

  const auto thrown = runtime::Evaluate::ParseReply(
      R"({"result":{"type":"object","subtype":"error"},"exceptionDetails":{"exceptionId":1,)"
      R"("text":"Uncaught","lineNumber":2,"columnNumber":3,)"
      R"("exception":{"type":"object","description":"TypeError: x"}}})");
  ASSERT_TRUE(thrown);
  ASSERT_TRUE(thrown->exception);
  EXPECT_EQ("TypeError: x", thrown->exception->description);
}

TEST(RuntimeTest, ConsoleArgumentsReadAsInTheConsole) {
  const auto event = runtime::ConsoleApiCalled::Parse(
      R"({"type":"error","args":[{"type":"string","value":"a\nb"},{"type":"number","value":4},)"
      R"({"type":"object","description":"Error: x"},{"type":"undefined"},)"
      R"({"type":"number","unserializableValue":"NaN"}]})");
  ASSERT_TRUE(event);
  EXPECT_EQ("a\nb 4 Error: x undefined NaN", event->text);
}

}  // namespace
}  // namespace topodb::capture::cdp
