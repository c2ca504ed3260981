#include "query/script/script_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/target_text.h"
#include "tests/query/script/sample_script.h"

namespace topodb::script {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ScriptText, ReadsBackWhatItWrote) {
  constexpr uint32_t kSeeds = 500;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Script script = ScriptMaker(seed).Make();
    const std::string text = Serialize(script);
    const auto read = ParseScript(text);
    ASSERT_TRUE(read) << read.error().message << "\n" << text;
    ASSERT_EQ(*read, script) << text;
    ASSERT_EQ(Serialize(*read), text);
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      ASSERT_TRUE(byte == '\n' || (byte >= 0x20 && byte != 0x7F)) << text;
    }
  }
}

// A step of the sort that `script save` writes.
TargetRecord SaveButton() {
  TargetRecord target;
  target.identity.role = "button";
  target.identity.name = "Save";
  target.identity.verification = Verification::kVerified;
  target.expected = Expectation{.from = {},
                                .state = {},
                                .url_key = "@entry/",
                                .modal_stack = {},
                                .template_key = "00",
                                .unstable_parts = {},
                                .effects = {}};
  return target;
}

std::string Annotated(const std::string& json) { return "@target-v1 " + json + "\n"; }

const std::string kSave = "click role=button name=\"Save\"\n";
const std::string kOpen = "open url=\"http://127.0.0.1/\"\n";
const std::string kHeader = "topodb-script 1\n";

TEST(ScriptText, ReadsWhatPeopleAndLaterVersionsWrite) {
  const std::string record = Annotated(WriteTarget(SaveButton()));
  const auto read = ParseScript(kHeader +
                                "# what it does\r\n"
                                "\n"
                                "env CODE\r\n"
                                "open  scope=directory url=\"http://127.0.0.1/a/\" colour=blue\n"
                                "\t\n" +
                                record +
                                "@target-v2 anything at all\n"
                                "click name=\"Save\" role=button later=\"yes\" x=${NOT_DECLARED}\n"
                                "@target-v99\n"
                                "fill role=textbox name=\"Code\" value=${CODE}");
  ASSERT_TRUE(read) << read.error().message;
  const Script want{.variables = {"CODE"},
                    .url = "http://127.0.0.1/a/",
                    .scope = EntryScope::kDirectory,
                    .steps = {{.verb = Verb::kClick,
                               .role = "button",
                               .name = "Save",
                               .value = {},
                               .target = SaveButton()},
                              {.verb = Verb::kFill,
                               .role = "textbox",
                               .name = "Code",
                               .value = {.text = "", .variable = "CODE"},
                               .target = std::nullopt}}};
  EXPECT_EQ(want, *read);
}

TEST(ScriptText, AnUnknownMemberOfARecordIsPassedOver) {
  std::string json = WriteTarget(SaveButton());
  json.insert(1, R"("later": {"deep": [1, 2]},)");
  const auto read = ParseScript(kHeader + kOpen + Annotated(json) + kSave);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(SaveButton(), read->steps.at(0).target);
}

TEST(ScriptText, ALaterFormatIsRefusedAsSuch) {
  const auto read = ParseScript("topodb-script 2\nanything");
  ASSERT_FALSE(read);
  EXPECT_EQ(ErrorCode::kUnsupportedFormat, read.error().code);
  EXPECT_THAT(read.error().message, StartsWith("line 1, header: "));
}

std::string Without(std::string json, const std::string& part, const std::string& with = "") {
  const size_t at = json.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return json.replace(at, part.size(), with);
}

TEST(ScriptText, RefusalsNameLineAndField) {
  const std::string json = WriteTarget(SaveButton());
  const std::string good = Annotated(json) + kSave;
  struct Case {
    std::string text;
    std::string where;
  };
  const std::vector<Case> cases = {
      {"", "line 1, header: "},
      {"topodb-script\n", "line 1, header: "},
      {"topodb-script 0\n", "line 1, header: "},
      {"topodb-script 1x\n", "line 1, header: "},
      {"\n" + kHeader, "line 1, header: "},
      {kHeader, "line 1, open: missing"},
      {kHeader + kOpen + kOpen, "line 3, open: a script opens one page only"},
      {kHeader + "open\n", "line 2, url: "},
      {kHeader + "open url=${URL}\n", "line 2, url: "},
      {kHeader + "open url=\"x\" scope=all\n", "line 2, scope: "},
      {kHeader + kOpen + "close\n", "line 3, close: "},
      {kHeader + kOpen + "jump role=button name=x\n", "line 3, verb: 'jump' is none"},
      {kHeader + kOpen + "env CODE\n", "line 3, env: must stand before open"},
      {kHeader + "env code\n" + kOpen, "line 2, env: "},
      {kHeader + "env A\nenv A\n" + kOpen, "line 3, env: A stands there twice"},
      {kHeader + kSave, "line 2, click: stands before open"},
      {kHeader + kOpen + "click name=x\n", "line 3, role: missing"},
      {kHeader + kOpen + "click role=button\n", "line 3, name: missing"},
      {kHeader + kOpen + "click role=button name=${NAME}\n", "line 3, name: missing"},
      {kHeader + kOpen + "click role=button name=\"Save\n", "line 3, name: the text does not end"},
      {kHeader + kOpen + "click role=button name=\"\\x\"\n", "line 3, name: "},
      {kHeader + kOpen + "click role=button name=\n", "line 3, name: expected a text in quotes"},
      {kHeader + kOpen + "click role=button role=link name=x\n",
       "line 3, role: stands there twice"},
      {kHeader + kOpen + "click role=button name=\"a\"b=c\n", "line 3, b: expected KEY=VALUE"},
      {kHeader + kOpen + "click \"Save\"\n", "line 3, field: expected KEY=VALUE"},
      {kHeader + kOpen + "click role=button name=x value=y\n", "line 3, value: click takes not"},
      {kHeader + kOpen + "fill role=textbox name=x\n", "line 3, value: fill takes one"},
      {kHeader + kOpen + "fill role=textbox name=x value=${CODE}\n",
       "line 3, value: CODE is not declared"},
      {kHeader + kOpen + "fill role=textbox name=x value=${code}\n",
       "line 3, value: a variable is"},
      {kHeader + kOpen + "fill role=textbox name=x value=${CODE\n", "line 3, value: a variable is"},
      {kHeader + kOpen + "wait ref=e12 role=heading name=x\n",
       "line 3, ref: a handle of another session"},
      // Annotations.
      {kHeader + kOpen + Annotated(json) + "\n" + kSave, "line 4, annotation: its step must"},
      {kHeader + kOpen + Annotated(json) + "# now\n" + kSave, "line 4, annotation: its step must"},
      {kHeader + kOpen + Annotated(json), "line 3, annotation: its step must"},
      {kHeader + kOpen + "@target-v7 {}\n\n" + kSave, "line 4, annotation: its step must"},
      {kHeader + Annotated(json) + kOpen, "line 3, open: takes no annotation"},
      {kHeader + Annotated(json) + "env A\n" + kOpen, "line 3, annotation: its step must"},
      {kHeader + kOpen + Annotated(json) + good, "line 4, annotation: the step has one already"},
      {kHeader + kOpen + "@target {}\n" + kSave, "line 3, annotation: expected @target-v1"},
      {kHeader + kOpen + "@target-v0 {}\n" + kSave, "line 3, annotation: expected @target-v1"},
      {kHeader + kOpen + "@note-v1 {}\n" + kSave, "line 3, annotation: expected @target-v1"},
      {kHeader + kOpen + Annotated("{") + kSave, "line 3, character "},
      {kHeader + kOpen + Annotated("[]") + kSave, "line 3, record: expected an object"},
      {kHeader + kOpen + Annotated("{}") + kSave, "line 3, identity: missing"},
      {kHeader + kOpen + Annotated(Without(json, "\"verified\"", "\"sure\"")) + kSave,
       "line 3, identity.verification: unknown value"},
      {kHeader + kOpen + Annotated(Without(json, "\"templateKey\":\"00\"", "\"x\":1")) + kSave,
       "line 3, expected.templateKey: missing"},
      {kHeader + kOpen + Annotated(Without(json, "\"Save\"", '"' + std::string(5000, 'S') + '"')) +
           kSave,
       "line 3, identity: larger than"},
      {kHeader + kOpen + Annotated(R"({"identity":{"role":"button","name":"Save"}})") + kSave,
       "line 4, expected: the record does not say"},
      {kHeader + kOpen + Annotated(json) + "wait role=button name=\"Save\"\n",
       "line 4, expected: a wait leads nowhere"},
      {kHeader + kOpen + Annotated(json) + "click role=button name=\"Help\"\n",
       "line 4, name: is not the name in the record"},
      {kHeader + kOpen + Annotated(json) + "click role=link name=\"Save\"\n",
       "line 4, role: is not the role in the record"},
  };
  ASSERT_TRUE(ParseScript(kHeader + kOpen + good));
  for (const Case& test : cases) {
    SCOPED_TRACE(test.text);
    const auto read = ParseScript(test.text);
    ASSERT_FALSE(read);
    EXPECT_EQ(ErrorCode::kInvalidArgument, read.error().code);
    EXPECT_THAT(read.error().message, StartsWith(test.where));
  }
}

TEST(ScriptText, TooMuchIsRefused) {
  std::string text = kHeader + kOpen;
  for (size_t i = 0; i <= kMaxSteps; ++i) text += kSave;
  const auto steps = ParseScript(text);
  ASSERT_FALSE(steps);
  EXPECT_THAT(steps.error().message, HasSubstr("at most 1000 steps"));
  EXPECT_FALSE(ParseScript(kHeader + kOpen + std::string(kMaxScriptBytes, '#')));
}

}  // namespace
}  // namespace topodb::script
