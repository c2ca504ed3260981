#include "capture/browser/launcher.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/target.h"
#include "tests/support/process_group.h"
#include "tests/support/temp_directory.h"

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::topodb::testing::ProcessGroup;

constexpr Millis kEnough{30'000};
constexpr Millis kSoon{1'000};  // the browser's end is noticed within this time

LaunchOptions Offline() {
  LaunchOptions options;
  options.extra_arguments = {
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"};
  return options;
}

// Gives every test a temporary folder of its own, so that nothing can be left unnoticed.
class LauncherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  void TearDown() override {
    EXPECT_EQ(0U, CountEntries());
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }

  size_t CountEntries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  static std::unique_ptr<Browser> Start(const LaunchOptions& options = Offline()) {
    auto browser = Browser::Launch(options);
    EXPECT_TRUE(browser) << browser.error().message;
    return std::move(browser).value_or(nullptr);
  }

  static std::shared_ptr<cdp::Session> OpenPage(Browser& browser) {
    auto& root = browser.connection().root();
    const auto created = root.Call(cdp::target::CreateTarget{}, kEnough);
    EXPECT_TRUE(created) << created.error().message;
    const auto attached =
        root.Call(cdp::target::AttachToTarget{.target_id = created->target_id}, kEnough);
    EXPECT_TRUE(attached) << attached.error().message;
    return browser.connection().OpenSession(attached->session_id);
  }

  testing::TempDirectory folder_;

 private:
  std::optional<std::string> before_;
};

TEST_F(LauncherTest, StartsRunsAPageAndLeavesNothing) {
  auto browser = Start();
  ASSERT_TRUE(browser);
  EXPECT_THAT(browser->version(), HasSubstr("Chrome/"));
  EXPECT_THAT(browser->websocket_url(), StartsWith("ws://127.0.0.1:"));
  EXPECT_EQ(::geteuid() == 0 ? 1U : 0U, browser->warnings().size());
  const auto page = OpenPage(*browser);
  const auto sum = page->Call(
      cdp::runtime::Evaluate{.expression = "({sum: 1 + 2})", .return_by_value = true}, kEnough);
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(R"({"sum":3})", sum->result.value_json);
  EXPECT_EQ(1U, CountEntries());

  const ProcessGroup group(browser->pid());
  EXPECT_GE(group.size(), 2U);
  browser->Stop();
  EXPECT_TRUE(group.WaitUntilGone(kSoon));
  EXPECT_EQ(0U, CountEntries());
  const auto later = page->CallRaw("Page.enable", "{}", kEnough);
  ASSERT_FALSE(later);
  EXPECT_EQ(ErrorCode::kBrowserGone, later.error().code);
  browser->Stop();
}

TEST_F(LauncherTest, ComputesRolesAndNames) {
  auto browser = Start();
  ASSERT_TRUE(browser);
  const auto role = OpenPage(*browser)->Call(
      cdp::runtime::Evaluate{.expression = "document.body.computedRole", .return_by_value = true},
      kEnough);
  ASSERT_TRUE(role);
  EXPECT_EQ("string", role->result.type);
}

TEST_F(LauncherTest, AMissingBrowserIsNamed) {
  LaunchOptions options = Offline();
  options.browser = "/nonexistent/browser";
  const auto browser = Browser::Launch(options);
  ASSERT_FALSE(browser);
  EXPECT_EQ(ErrorCode::kBrowserMissing, browser.error().code);
  EXPECT_THAT(browser.error().message, HasSubstr("/nonexistent/browser"));
}

TEST_F(LauncherTest, AProgramThatIsNoBrowserIsQuotedWithItsLastWords) {
  LaunchOptions options = Offline();
  options.browser = "/bin/ls";
  const auto browser = Browser::Launch(options);
  ASSERT_FALSE(browser);
  EXPECT_EQ(ErrorCode::kBrowserMissing, browser.error().code);
  EXPECT_THAT(browser.error().message, HasSubstr("ended while starting"));
  EXPECT_THAT(browser.error().message, HasSubstr("unrecognized option"));
}

TEST_F(LauncherTest, ABrowserThatDoesNotStartInTimeIsEnded) {
  LaunchOptions options = Offline();
  options.start_timeout = Millis{1};
  const auto browser = Browser::Launch(options);
  ASSERT_FALSE(browser);
  EXPECT_EQ(ErrorCode::kBrowserMissing, browser.error().code);
}

TEST_F(LauncherTest, AnArgumentThatIsOursIsRefusedBeforeAnythingStarts) {
  LaunchOptions options;
  options.extra_arguments = {"--remote-debugging-port=9222"};
  const auto browser = Browser::Launch(options);
  ASSERT_FALSE(browser);
  EXPECT_EQ(ErrorCode::kInvalidArgument, browser.error().code);
}

TEST_F(LauncherTest, AKilledBrowserFailsWhatWaits) {
  auto browser = Start();
  ASSERT_TRUE(browser);
  const auto page = OpenPage(*browser);
  const ProcessGroup group(browser->pid());
  auto never = page->Start(
      cdp::runtime::Evaluate{.expression = "new Promise(() => {})", .await_promise = true});
  ASSERT_EQ(0, ::kill(browser->pid(), SIGKILL));
  const auto outcome = never.Await(kSoon);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(ErrorCode::kBrowserGone, outcome.error().code) << outcome.error().message;
  EXPECT_TRUE(group.WaitUntilGone(kSoon));
}

TEST_F(LauncherTest, ACrashedPageIsLostAndTheBrowserIsNot) {
  auto browser = Start();
  ASSERT_TRUE(browser);
  const auto page = OpenPage(*browser);
  auto never = page->Start(
      cdp::runtime::Evaluate{.expression = "new Promise(() => {})", .await_promise = true});
  page->Post(cdp::page::Crash{});
  const auto outcome = never.Await(kEnough);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(ErrorCode::kTargetCrashed, outcome.error().code) << outcome.error().message;
  const auto other = OpenPage(*browser)->Call(cdp::runtime::Evaluate{.expression = "1"}, kEnough);
  EXPECT_TRUE(other);
}

TEST_F(LauncherTest, AClosedPageIsLost) {
  auto browser = Start();
  ASSERT_TRUE(browser);
  auto& root = browser->connection().root();
  const auto created = root.Call(cdp::target::CreateTarget{}, kEnough);
  ASSERT_TRUE(created);
  const auto attached =
      root.Call(cdp::target::AttachToTarget{.target_id = created->target_id}, kEnough);
  ASSERT_TRUE(attached);
  const auto page = browser->connection().OpenSession(attached->session_id);
  auto never = page->Start(
      cdp::runtime::Evaluate{.expression = "new Promise(() => {})", .await_promise = true});
  ASSERT_TRUE(root.Call(cdp::target::CloseTarget{.target_id = created->target_id}, kEnough));
  const auto outcome = never.Await(kEnough);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(ErrorCode::kTargetCrashed, outcome.error().code) << outcome.error().message;
}

// A process that starts a browser, tells its number and waits to be killed.
class Owner {
 public:
  Owner() {
    int ready[2];
    EXPECT_EQ(0, ::pipe(ready));
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto browser = Browser::Launch(Offline());
      const pid_t number = browser ? (*browser)->pid() : -1;
      static_cast<void>(::write(ready[1], &number, sizeof(number)) > 0);
      ::pause();
    }
    EXPECT_EQ(static_cast<ssize_t>(sizeof(browser_)),
              ::read(ready[0], &browser_, sizeof(browser_)));
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Owner() { Kill(); }

  void Kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t browser() const { return browser_; }

 private:
  pid_t pid_ = -1;
  pid_t browser_ = -1;
};

TEST_F(LauncherTest, KillingItsOwnerEndsTheBrowserAndTheNextStartSweeps) {
  Owner owner;
  ASSERT_GT(owner.browser(), 0);
  const ProcessGroup group(owner.browser());
  EXPECT_GE(group.size(), 2U);
  owner.Kill();
  EXPECT_TRUE(group.WaitUntilGone(Millis{3'000}));
  EXPECT_EQ(1U, CountEntries());  // nobody was left to remove the profile

  auto browser = Start();
  ASSERT_TRUE(browser);
  EXPECT_EQ(1U, CountEntries());
}

}  // namespace
}  // namespace topodb::capture
