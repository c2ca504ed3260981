#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/script_text.h"
#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Scripts on real pages, performed by a real browser; what they did, the server's log tells.
namespace topodb::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kPassword = "correct-horse-9f3e";

// A password shows a button, which shows the account, which has a link.
constexpr std::string_view kSignIn = R"html(<!doctype html><title>Shop</title>
<main><h1>Sign in</h1><form onsubmit="return false">
<label>Password <input type="password" name="pass"></label></form><div id="more"></div></main>
<script>
  document.addEventListener('click', (event) => fetch('/log?' + event.target.id), true);
  document.querySelector('input').addEventListener('input', (event) => {
    fetch('/typed?' + event.target.value.length);
    more.innerHTML = '<h2>Ready</h2><button type="button" id="show">Show account</button>';
    show.onclick = () => {
      document.querySelector('main').innerHTML =
          '<h1>Your account</h1><a id="help" href="/help">Help</a>';
    };
  });
</script>)html";
constexpr std::string_view kHelp =
    "<!doctype html><title>Help</title><main><h1>Help</h1><p>Ask.</p></main>";

class ScriptRunTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.HandlePage("/", std::string(kSignIn));
    server_.HandlePage("/help", std::string(kHelp));
    server_.HandlePage("/log", "");
    server_.HandlePage("/typed", "");
    std::ofstream(directory_ / "values.json") << R"({"pass": ")" << kPassword << R"("})";
    const auto captured = Topodb({"capture", server_.Url("/"), "--allow", "input_edit", "--values",
                                  "values.json", "--max-depth", "4", "--quiet"});
    ASSERT_EQ(captured.exit_code, 0) << captured.err;
    std::filesystem::remove(directory_ / "values.json");
    const auto saved = Topodb({"script", "save", "latest", "--to", server_.Url("/help"), "--guard",
                               "heading \"Help\"", "help.script"});
    ASSERT_EQ(saved.exit_code, 0) << saved.err;
    EXPECT_THAT(saved.err, HasSubstr("it needs --env PASS="));
    std::ofstream(directory_ / "pass.txt") << kPassword << "\n";
    server_.ForgetRequests();
  }

  // Nothing of the database is needed.
  testing::BinaryResult Run(std::vector<std::string> more = {"--env", "PASS=@pass.txt", "--allow",
                                                             "input_edit"}) const {
    std::vector<std::string> arguments = {"script", "run", "help.script", "--db", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Topodb(std::move(arguments));
  }

  // What was clicked and how much was typed, in order.
  std::vector<std::string> Done() const {
    std::vector<std::string> done;
    for (const auto& request : server_.requests()) {
      if (request.path == "/log" || request.path == "/typed") done.push_back(request.query);
    }
    return done;
  }

  testing::FixtureServer server_;
};

TEST_F(ScriptRunTest, LeadsColdToItsGuardAndHoldsNoSecret) {
  EXPECT_THAT(Read("help.script"), AllOf(HasSubstr("value=${PASS}"), Not(HasSubstr(kPassword))));
  const auto shown = Topodb({"script", "show", "help.script"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("needs PASS"), HasSubstr("${PASS}"),
                               HasSubstr("Show account"), HasSubstr("wait")));

  const auto got = Run();
  ASSERT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(got.out, HasSubstr("4 steps: 4 passed"));
  const auto done = Done();
  ASSERT_FALSE(done.empty());
  EXPECT_EQ(std::to_string(kPassword.size()), done[done.size() - 3]);
  EXPECT_EQ("show", done[done.size() - 2]);
  EXPECT_EQ("help", done.back());
  EXPECT_THAT(got.out + got.err, Not(HasSubstr(kPassword)));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "none"));

  const auto json = Run({"--env", "PASS=@pass.txt", "--allow", "input_edit", "--format", "json"});
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_THAT(json.out, HasSubstr("\"passed\": true"));
  const auto junit = Run({"--env", "PASS=@pass.txt", "--allow", "input_edit", "--format", "junit"});
  EXPECT_THAT(junit.out, HasSubstr("tests=\"4\""));
}

TEST_F(ScriptRunTest, AMissingVariableOpensNothing) {
  const auto none = Run({"--allow", "input_edit"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("needs a value for PASS"), HasSubstr("--env PASS=")));
  const auto other = Run({"--env", "CODE=1"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("no variable CODE"), HasSubstr("it has PASS")));
  EXPECT_EQ(Run({"--env", "PASS=$NO_SUCH_VARIABLE"}).exit_code, 2);
  EXPECT_EQ(Run({"--env", "PASS=@no-such-file"}).exit_code, 3);
  EXPECT_EQ(Run({"--env", "PASS"}).exit_code, 2);
  EXPECT_THAT(server_.requests(), IsEmpty());
}

TEST_F(ScriptRunTest, TheEnvironmentGivesVariablesAndALiteralIsWarnedOf) {
  const auto got = Shell(R"(PASS=0123456789 "$TOPODB" script run help.script --allow input_edit)");
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(Done(), ::testing::Contains("10"));
  const auto literal = Run({"--env", "PASS=literal", "--allow", "input_edit"});
  EXPECT_EQ(literal.exit_code, 0);
  EXPECT_THAT(literal.err, HasSubstr("--env PASS: what stands on a command line"));
}

TEST_F(ScriptRunTest, WithoutLeaveNothingIsEntered) {
  const auto got = Run({"--env", "PASS=@pass.txt"});
  EXPECT_EQ(got.exit_code, 1);
  EXPECT_THAT(got.out, HasSubstr("risk:input_edit"));
  EXPECT_THAT(Done(), IsEmpty());
}

TEST_F(ScriptRunTest, AGuardThatDoesNotHoldIsNoPass) {
  server_.HandlePage("/help", "<!doctype html><title>Help</title><main><h1>Sold</h1></main>");
  const auto got = Run({"--env", "PASS=@pass.txt", "--allow", "input_edit", "--timeout", "5s"});
  EXPECT_EQ(got.exit_code, 1) << got.out;
  EXPECT_THAT(got.out, HasSubstr("outcome-mismatch"));
}

TEST_F(ScriptRunTest, RunsWhereTheSiteIsNow) {
  testing::FixtureServer moved;
  moved.HandlePage("/", std::string(kSignIn));
  moved.HandlePage("/help", std::string(kHelp));
  const auto got =
      Run({"--env", "PASS=@pass.txt", "--allow", "input_edit", "--base", moved.Url("/")});
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(server_.requests(), IsEmpty());
  EXPECT_EQ(moved.CountRequests("GET", "/help"), 1U);
}

TEST_F(ScriptRunTest, AFileThatIsNoScriptIsRefused) {
  struct Case {
    std::string text;
    int exit_code;
    const char* message;
  };
  const std::string script = Read("help.script");
  std::string renamed = script;
  const size_t name = renamed.rfind("name=\"Help\"");
  renamed.replace(name, 11, "name=\"Held\"");
  for (const Case& test :
       {Case{"", 2, "'help.script': line 1, header"}, Case{"topodb-script 9\n", 4, "format 9"},
        Case{renamed, 2, "name: is not the name in the record"},
        Case{script.substr(0, script.rfind("@target")), 2, "nothing proves"}}) {
    SCOPED_TRACE(test.message);
    std::ofstream(directory_ / "help.script") << test.text;
    const auto got = Run();
    EXPECT_EQ(got.exit_code, test.exit_code);
    EXPECT_THAT(got.err, HasSubstr(test.message));
  }
  std::filesystem::remove(directory_ / "help.script");
  EXPECT_EQ(Run().exit_code, 3);
  EXPECT_THAT(server_.requests(), IsEmpty());
}

}  // namespace
}  // namespace topodb::cli
