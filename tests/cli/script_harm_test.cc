#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/script/script_text.h"
#include "schema/base/hash.h"
#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Scripts that somebody wrote to do harm: the server must not hear of it.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kPage = R"html(<!doctype html><title>Shop</title><h1>Shop</h1>
<button type="button" id="remove" onclick="fetch('/harm?remove')">Delete account</button>
<button type="button" id="news" onclick="fetch('/harm', {method: 'POST'}); this.textContent = 'x'">
Show news</button>
<form action="/harm" method="post"><button id="send">Send order</button></form>
<a id="file" href="file:///etc/passwd">Manual</a>
<a id="meta" href="http://169.254.169.254/latest/meta-data/">Credentials</a>
<a id="away" href="http://localhost:9/away">Partner</a>)html";

class ScriptHarmTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.HandlePage("/", std::string(kPage));
    server_.HandlePage("/harm", "");
  }

  // What a forger writes: a click on that control, said to be harmless and to lead nowhere.
  script::Script Forge(const std::string& role, const std::string& name,
                       const std::string& id) const {
    script::TargetRecord target;
    target.identity.scope = {"@entry", "@entry/", {}, {}, ""};
    target.identity.role = role;
    target.identity.name = name;
    target.identity.name_hash = HashBytes64(name);
    target.identity.ids = {{IdKind::kDomId, "", id, 1}};
    target.identity.identity_count = target.identity.matched_count = 1;
    if (id == "send") target.identity.ancestry = {{"form", std::nullopt}};
    target.identity.verification = Verification::kVerified;
    target.locators = {{.strategy = LocatorStrategy::kCss, .value = "#" + id}};
    target.expected = script::Expectation{.from = {},
                                          .state = {},
                                          .url_key = "@entry/",
                                          .modal_stack = {},
                                          .template_key = "00",
                                          .unstable_parts = {},
                                          .effects = {}};
    script::TargetRecord heading;
    heading.identity = target.identity;
    heading.identity.ids.clear();
    heading.identity.role = "heading";
    heading.identity.name = "Shop";
    heading.identity.name_hash = HashBytes64("Shop");
    return {.variables = {},
            .url = server_.Url("/"),
            .scope = script::EntryScope::kOrigin,
            .steps = {{script::Verb::kClick, role, name, {}, target},
                      {script::Verb::kWait, "heading", "Shop", {}, heading}}};
  }

  testing::BinaryResult Run(const script::Script& script) const {
    std::ofstream(directory_ / "x.script") << script::Serialize(script);
    return Topodb({"script", "run", "x.script", "--timeout", "5s"});
  }

  testing::FixtureServer server_;
};

TEST_F(ScriptHarmTest, NothingHarmfulIsSent) {
  struct Case {
    const char* role;
    const char* name;
    const char* id;
    const char* why;
  };
  for (const Case& test : {Case{"button", "Delete account", "remove", "risk:destructive"},
                           Case{"button", "Send order", "send", "risk:"},
                           Case{"button", "Show news", "news", "request-blocked"},
                           Case{"link", "Manual", "file", "out-of-scope"},
                           Case{"link", "Credentials", "meta", "out-of-scope"},
                           Case{"link", "Partner", "away", "out-of-scope"}}) {
    SCOPED_TRACE(test.name);
    const auto got = Run(Forge(test.role, test.name, test.id));
    EXPECT_EQ(got.exit_code, 1) << got.err;
    EXPECT_THAT(got.out, HasSubstr(test.why));
    EXPECT_THAT(got.out, HasSubstr("0 passed"));
  }
  EXPECT_GE(server_.CountRequests("GET", "/"), 6U);
  for (const auto& request : server_.requests()) EXPECT_NE(request.path, "/harm") << request.method;
}

TEST_F(ScriptHarmTest, NoScriptChoosesAPlaceThatIsNoWebSite) {
  for (const char* url :
       {"file:///etc/passwd", "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/", "http://[fe80::1]/", "http://2852039166/",
        "javascript:alert(1)", "data:text/html,x", "chrome://settings", "/relative"}) {
    SCOPED_TRACE(url);
    script::Script script = Forge("link", "Partner", "away");
    script.url = url;
    const auto got = Run(script);
    EXPECT_EQ(got.exit_code, 1) << got.err;
    EXPECT_THAT(got.out, HasSubstr("2 steps: 0 passed, 0 diverged, 0 unverified, 2 skipped"));
    EXPECT_THAT(got.err, HasSubstr("--base"));
  }
  EXPECT_THAT(server_.requests(), IsEmpty());
}

}  // namespace
}  // namespace topodb::cli
