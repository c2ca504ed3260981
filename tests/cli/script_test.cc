#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/script_text.h"
#include "tests/cli/command_test_base.h"

namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class ScriptTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    StoreSmallGraph("shop", 1);
  }

  testing::BinaryResult Save(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"script", "save", "shop", "--to",
                                          "https://shop.test/docs/guide"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Topodb(std::move(arguments));
  }
};

TEST_F(ScriptTest, SavesThePathToAState) {
  const auto got = Save({"--guard", "heading \"Page /docs/guide\"", "guide.script"});
  ASSERT_EQ(got.exit_code, 0) << got.err;
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("wrote guide.script: 3 steps"));
  const std::string text = Read("guide.script");
  EXPECT_THAT(text, StartsWith("topodb-script 1\nopen url=\"https://shop.test/\" scope=origin\n"));
  const auto script = script::ParseScript(text);
  ASSERT_TRUE(script) << script.error().message;
  ASSERT_EQ(3U, script->steps.size());
  EXPECT_EQ("Docs", script->steps[0].name);
  EXPECT_EQ("Guide", script->steps[1].name);
  EXPECT_EQ(script::Verb::kWait, script->steps[2].verb);
}

TEST_F(ScriptTest, RefusalsSayWhatToDoAndWriteNothing) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    const char* message;
    const char* hint;
  };
  const std::vector<Case> cases = {
      {{"a"}, 2, "a script needs a landmark", "heading \"Page /docs/guide\""},
      {{"--guard", "heading \"Other\"", "a"}, 2, "no landmark of the state is called", "mark_"},
      {{"--guard", "mark", "no/such/folder/a"}, 3, "cannot create 'no/such/folder/a'", ""},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.message);
    const auto got = Save(test.arguments);
    EXPECT_EQ(got.exit_code, test.exit_code);
    EXPECT_THAT(got.err, HasSubstr(test.message));
    EXPECT_THAT(got.err, HasSubstr(test.hint));
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(directory_ / "a"));
  }
  const auto nowhere = Topodb({"script", "save", "shop", "--to", "https://shop.test/none", "a"});
  EXPECT_EQ(nowhere.exit_code, 3);
}

TEST_F(ScriptTest, AFileThatExistsIsReplacedOnlyWhenForced) {
  std::ofstream(directory_ / "a") << "mine";
  const auto kept = Save({"--guard", "mark", "a"});
  EXPECT_EQ(kept.exit_code, 3);
  EXPECT_THAT(kept.err, HasSubstr("'a' exists already"));
  EXPECT_THAT(kept.err, HasSubstr("--force"));
  EXPECT_EQ("mine", Read("a"));
  EXPECT_EQ(Save({"--guard", "mark", "--force", "a"}).exit_code, 0);
  EXPECT_THAT(Read("a"), StartsWith("topodb-script 1\n"));
}

TEST_F(ScriptTest, OfTwoThatSaveAtOnceOneWins) {
  const auto got = Shell(R"(
      save() { "$TOPODB" script save shop --to entry --guard mark a -q; echo $?; }
      for i in $(seq 10); do rm -f a; { save & save & wait; } 2> /dev/null | sort | xargs; done)");
  std::string want;
  for (int i = 0; i < 10; ++i) want += "0 3\n";
  EXPECT_EQ(want, got.out) << got.err;
}

}  // namespace
}  // namespace topodb::cli
