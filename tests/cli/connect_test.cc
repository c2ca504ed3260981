#include <chrono>
#include <memory>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/launcher.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/cdp/protocol/target.h"
#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Captures in a browser that somebody else runs and goes on using.
namespace topodb::cli {
namespace {

namespace cdp = capture::cdp;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr capture::Millis kEnough{30'000};

// What the user has open: it posts all the time, and is logged in.
constexpr std::string_view kUsersPage = R"html(<!doctype html><title>Mine</title><script>
  document.cookie = 'login=mine; path=/';
  localStorage.setItem('kept', 'yes');
  setInterval(() => fetch('/mine', { method: 'POST' }), 20);
</script>)html";

constexpr std::string_view kCapturedPage = R"html(<!doctype html><title>Notes</title>
<h1>Notes</h1><p id=note>Note</p>
<button onclick="note.textContent = 'more'">Show more</button>
<button onclick="note.textContent = 'sent'; fetch('/theirs', { method: 'POST' })">Show news</button>
<button onclick="note.textContent = 'opened'; window.open('/window')">Show window</button>
<a href="/window" target="_blank" rel="noopener">Details</a>
<script>
  localStorage.setItem('kept', 'no');
  document.cookie = 'login=theirs; path=/';
  note.dataset.shared = typeof SharedWorker;
</script>)html";

class ConnectTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.HandlePage("/user", std::string(kUsersPage));
    server_.HandlePage("/", std::string(kCapturedPage));
    server_.HandlePage("/window", "<!doctype html><title>Window</title>");
    server_.HandlePage("/mine", "");
    server_.HandlePage("/theirs", "");
    auto launched = capture::Browser::Launch(
        {.extra_arguments = {"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                             "--disable-blink-features=ComputedAccessibilityInfo"}});
    ASSERT_TRUE(launched) << launched.error().message;
    browser_ = *std::move(launched);
    cdp::Session& root = browser_->connection().root();
    const auto tab = root.Call(cdp::target::CreateTarget{.url = server_.Url("/user")}, kEnough);
    ASSERT_TRUE(tab) << tab.error().message;
    const auto attached =
        root.Call(cdp::target::AttachToTarget{.target_id = tab->target_id}, kEnough);
    ASSERT_TRUE(attached) << attached.error().message;
    tab_ = browser_->connection().OpenSession(attached->session_id);
    ASSERT_TRUE(server_.WaitForRequest("POST", "/mine", kEnough));
  }

  // What an expression in the user's tab gives, as JSON.
  std::string InUsersTab(const std::string& expression) {
    const auto reply = tab_->Call(
        cdp::runtime::Evaluate{.expression = expression, .return_by_value = true}, kEnough);
    return reply ? reply->result.value_json : reply.error().message;
  }

  testing::FixtureServer server_;
  std::unique_ptr<capture::Browser> browser_;
  std::shared_ptr<cdp::Session> tab_;
};

TEST_F(ConnectTest, CapturesBesideTheUserWhoNoticesNothing) {
  server_.ForgetRequests();
  const auto got = Topodb({"capture", server_.Url("/"), "--connect", browser_->websocket_url(),
                           "--out", "run.json", "--quiet"});
  ASSERT_EQ(got.exit_code, 0) << got.err;
  const auto posts = server_.CountRequests("POST", "/mine");
  EXPECT_GT(posts, 0U) << "the user's tab stood still";

  // The capture is whole: names without a browser flag, the copied login, and nothing done.
  const std::string run = Shell("cat run.json").out;
  for (const char* name : {"Show more", "Show news", "Show window", "Details"}) {
    EXPECT_THAT(run, HasSubstr(std::string("\"accessibleName\":\"") + name)) << name;
  }
  EXPECT_EQ(server_.CountRequests("POST", "/theirs"), 0U);
  EXPECT_EQ(server_.CountRequests("GET", "/window"), 0U);
  EXPECT_THAT(run, HasSubstr("risk_policy_blocked"));
  size_t pages = 0;
  for (const auto& request : server_.requests()) {
    if (request.path != "/") continue;
    ++pages;
    EXPECT_EQ(request.Header("cookie"), "login=mine");
  }
  EXPECT_GT(pages, 2U);
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);

  // The user's things are as they were, and go on.
  EXPECT_EQ(InUsersTab("document.cookie"), "\"login=mine\"");
  EXPECT_EQ(InUsersTab("localStorage.getItem('kept')"), "\"yes\"");
  EXPECT_EQ(InUsersTab("typeof SharedWorker"), "\"function\"");
  server_.ForgetRequests();
  EXPECT_TRUE(server_.WaitForRequest("POST", "/mine", kEnough));
}

TEST_F(ConnectTest, ReplaysInARunningBrowser) {
  ASSERT_EQ(Topodb({"capture", server_.Url("/"), "--max-actions", "1", "--quiet"}).exit_code, 0);
  const auto replay = Topodb({"replay", "--connect", browser_->websocket_url()});
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("1 passed"));
}

TEST_F(CommandTest, BrowsersThatCannotBeConnectedToAreNamed) {
  struct Case {
    const char* endpoint;
    int exit_code;
    const char* message;
  };
  for (const Case& test : {
           Case{"http://127.0.0.1:9", 7, "no browser to attach to at 'http://127.0.0.1:9'"},
           Case{"ws://127.0.0.1:9/devtools", 7, "no browser to attach to"},
           Case{"http://browser.example:9222", 2, "is not on this machine"},
           Case{"ftp://127.0.0.1:9222", 2, "is not of the form"},
           Case{"127.0.0.1", 2, "'127.0.0.1'"},
       }) {
    SCOPED_TRACE(test.endpoint);
    const auto got = Topodb({"capture", "http://127.0.0.1:9/", "--connect", test.endpoint});
    EXPECT_EQ(got.exit_code, test.exit_code);
    EXPECT_THAT(got.out, IsEmpty());
    EXPECT_THAT(got.err, HasSubstr(test.message));
  }
  const auto both =
      Topodb({"capture", "http://127.0.0.1:9/", "--connect", "http://127.0.0.1:9", "--headed"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--connect"));
}

}  // namespace
}  // namespace topodb::cli
