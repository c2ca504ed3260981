#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/find_browser.h"
#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Exported paths, run by the tools that they are for; what they did, the server's log tells.
namespace topodb::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Every control shows the next one, and a heading of its own.
constexpr std::string_view kOrder = R"html(<!doctype html><title>Order</title>
<main><h1>Order</h1><button type="button" id="start">Start "now"</button></main>
<script>
  const main = document.querySelector('main');
  const log = (what) => fetch('/log?' + what);
  const show = (heading, html) => { main.innerHTML = '<h1>' + heading + '</h1>' + html; };
  start.onclick = () => {
    log('start');
    show('Size', '<label>Size <select id="s"><option>S<option>M<option>L</select></label>');
    s.onchange = () => {
      log('size-' + s.value);
      show('Note', '<label>Note <input id="n"></label>');
      n.oninput = () => {
        if (n.value !== 'topodb') return;
        log('note-' + n.value);
        show('Terms', '<label>Agree <input type="checkbox" id="a"></label>');
        a.onchange = () => {
          log('agree-' + a.checked);
          show('Last', '<button type="button" id="f">Finish</button>');
          f.onclick = () => { log('finish'); show('Done', '<p>Thanks</p>'); };
        };
      };
    };
  };
</script>)html";

constexpr std::string_view kSecret = R"html(<!doctype html><title>Sign in</title>
<main><h1>Sign in</h1><label>Password <input type="password" name="pass" id="p"></label></main>
<script>
  p.oninput = () => {
    if (p.value !== 'horse-77') return;
    fetch('/log?in');
    document.querySelector('main').innerHTML = '<h1>Inside</h1>';
  };
</script>)html";

class ExportPathTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    const auto found = capture::FindBrowser("", capture::BrowserSearch::FromEnvironment());
    ASSERT_TRUE(found) << found.error().message;
    browser_ = *found;
    std::filesystem::create_directory_symlink(web() / "node_modules", directory_ / "node_modules");
    server_.HandlePage("/log", "");
  }

  static std::filesystem::path web() {
    return std::filesystem::path(TOPODB_SOURCE_DIR) / "tests/web";
  }

  void Capture(std::string_view page) {
    server_.HandlePage("/", std::string(page));
    std::ofstream(directory_ / "values.json") << R"({"pass": "horse-77"})";
    const auto got = Topodb({"capture", server_.Url("/"), "--allow", "input_edit", "--values",
                             "values.json", "--max-depth", "6", "--quiet"});
    ASSERT_EQ(got.exit_code, 0) << got.err;
    server_.ForgetRequests();
  }

  // The state with that heading.
  std::string StateWith(const std::string& heading) const {
    const std::string all = Topodb({"export", "--as", "jsonl"}).out;
    const size_t at = all.find("\"name\":\"" + heading + "\"");
    const size_t id = all.rfind("\"stateId\":\"", at);
    return at == std::string::npos ? "none" : all.substr(id + 11, 38);
  }

  testing::BinaryResult Export(const std::string& form, const std::string& heading,
                               const std::string& file) const {
    return Topodb({"export", "--as", form, "--to", StateWith(heading), "--guard",
                   "heading \"" + heading + "\"", "-o", file});
  }

  testing::BinaryResult Node(std::vector<std::string> arguments,
                             std::vector<std::string> environment) const {
    environment.push_back("TOPODB_BROWSER=" + browser_);
    environment.push_back("TOPODB_SPECS=" + directory_.string());
    return testing::RunBinary("/usr/bin/env", {.arguments = std::move(arguments),
                                               .directory = directory_,
                                               .input = {},
                                               .environment = std::move(environment)});
  }
  testing::BinaryResult Playwright(std::vector<std::string> environment = {}) const {
    return Node({"node", (web() / "node_modules/@playwright/test/cli.js").string(), "test", "-c",
                 (web() / "playwright.config.mjs").string()},
                std::move(environment));
  }
  testing::BinaryResult Recorder(const std::string& file) const {
    return Node({"node", (web() / "play_recording.mjs").string(), file, browser_}, {});
  }

  std::vector<std::string> Log() const {
    std::vector<std::string> log;
    for (const auto& request : server_.requests()) {
      if (request.path == "/log") log.push_back(request.query);
    }
    return log;
  }

  testing::FixtureServer server_;
  std::string browser_;
};

TEST_F(ExportPathTest, RunsWithPlaywright) {
  Capture(kOrder);
  ASSERT_EQ(Export("playwright", "Done", "order.spec.js").exit_code, 0);
  const auto got = Playwright();
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(got.out, HasSubstr("1 passed"));
  EXPECT_THAT(Log(), ElementsAre("start", "size-M", "note-topodb", "agree-true", "finish"));

  // The guard is asserted.
  server_.HandlePage("/", std::string(kOrder).replace(kOrder.find("'Done'"), 6, "'Lost'"));
  const auto lost = Playwright();
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.out, HasSubstr("1 failed"));
}

TEST_F(ExportPathTest, RunsWithPuppeteer) {
  Capture(kOrder);
  ASSERT_EQ(Export("recorder", "Done", "order.json").exit_code, 0);
  const auto got = Recorder("order.json");
  EXPECT_EQ(got.exit_code, 0) << got.out << got.err;
  EXPECT_THAT(Log(), ElementsAre("start", "size-M", "note-topodb", "agree-true", "finish"));

  server_.HandlePage("/", std::string(kOrder).replace(kOrder.find("'Done'"), 6, "'Lost'"));
  EXPECT_NE(Recorder("order.json").exit_code, 0);
}

TEST_F(ExportPathTest, SecretsAreReadFromTheEnvironment) {
  Capture(kSecret);
  ASSERT_EQ(Export("playwright", "Inside", "in.spec.js").exit_code, 0);
  const std::string text = Shell("cat in.spec.js").out;
  EXPECT_THAT(text, HasSubstr("env(\"PASS\")"));
  EXPECT_EQ(text.find("horse"), std::string::npos);
  const auto none = Playwright();
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.out, HasSubstr("PASS is not in the environment"));
  EXPECT_THAT(Log(), IsEmpty());
  const auto got = Playwright({"PASS=horse-77"});
  EXPECT_EQ(got.exit_code, 0) << got.out;
  EXPECT_THAT(Log(), ElementsAre("in"));

  const auto recorder = Export("recorder", "Inside", "in.json");
  EXPECT_EQ(recorder.exit_code, 2);
  EXPECT_THAT(recorder.err, HasSubstr("needs PASS, and a recording has no variables"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "in.json"));
}

TEST_F(CommandTest, APathNeedsItsEndAndItsGuard) {
  StoreSmallGraph("shop", 1);
  const auto open = Topodb({"export", "--as", "playwright"});
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_THAT(open.err, HasSubstr("add --to STATE"));
  const auto unguarded = Topodb({"export", "--as", "recorder", "--to", "https://shop.test/docs"});
  EXPECT_EQ(unguarded.exit_code, 2);
  EXPECT_THAT(unguarded.err, HasSubstr("heading \"Page /docs\""));
}

}  // namespace
}  // namespace topodb::cli
