#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Captures of a site that knows who is logged in, with a real browser.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using testing::HttpRequest;
using testing::HttpResponse;

constexpr std::string_view kSession = "canary-session-7c1f", kToken = "canary-token-93ab";

constexpr std::string_view kLoginPage =
    "<!doctype html><title>Login</title><h1>Welcome</h1>"
    "<form><label>Password <input type=password></label><button>Enter</button></form>";
constexpr std::string_view kAccountPage =
    "<!doctype html><title>Account</title><h1>Account</h1><p id=said role=status></p>"
    "<button type=button onclick=\"localStorage.clear(); said.textContent = 'cleared'\">Show "
    "cleared</button><button type=button onclick=\"said.textContent = 'two'\">Show two</button>"
    "<a href=\"/expired\">Profile</a>"
    "<script>if (localStorage.token) document.querySelector('h1').textContent = 'Your account';"
    "</script>";

class StorageStateTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.Handle("/", [](const HttpRequest& request) {
      const bool known = request.Header("Cookie").find(kSession) != std::string::npos;
      return HttpResponse{.body = std::string(known ? kAccountPage : kLoginPage)};
    });
    server_.HandlePage("/expired", std::string(kLoginPage));
    std::ofstream(directory_ / "state.json") << fmt::format(
        R"({{"cookies": [{{"name": "sid", "value": "{}", "domain": "127.0.0.1", "path": "/",
             "httpOnly": true}}], "origins": [{{"origin": "http://127.0.0.1:{}",
             "localStorage": [{{"name": "token", "value": "{}"}}]}}]}})",
        kSession, server_.port(), kToken);
  }

  std::string Bytes(const std::filesystem::path& folder) const {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_ / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(file), {});
    }
    return all;
  }

  testing::FixtureServer server_;
};

TEST_F(StorageStateTest, EveryCandidateIsLoggedInAndNothingOfItIsStored) {
  const auto got = Topodb(
      {"capture", server_.Url("/"), "--storage-state", "state.json", "--out", "run.json", "-v"});
  ASSERT_EQ(got.exit_code, 0) << got.err;
  // What one candidate cleared is there again for the next; where the login is lost, the run says
  // so and does not go on.
  EXPECT_THAT(got.out, HasSubstr("4 states"));
  EXPECT_THAT(got.out, HasSubstr("3 edges"));
  EXPECT_THAT(Topodb({"query", "states"}).out, HasSubstr("Account"));
  EXPECT_THAT(Topodb({"query", "failures"}).out, HasSubstr("auth_required"));
  EXPECT_THAT(Topodb({"export"}).out, HasSubstr("Your account"));
  std::filesystem::remove(directory_ / "state.json");
  const std::string all = Bytes(".") + got.out + got.err;
  EXPECT_NE(all.find("Your account"), std::string::npos);
  EXPECT_EQ(all.find(kSession), std::string::npos);
  EXPECT_EQ(all.find(kToken), std::string::npos);
}

TEST_F(StorageStateTest, WithoutItTheSiteIsTheLoginPage) {
  const auto got = Topodb({"capture", server_.Url("/"), "--mode", "scan"});
  ASSERT_EQ(got.exit_code, 0) << got.err;
  EXPECT_THAT(Topodb({"query", "states"}).out, HasSubstr("Login"));
}

TEST_F(StorageStateTest, AFileThatIsNoneIsRefusedBeforeAnythingStarts) {
  std::ofstream(directory_ / "bad.json") << R"({"cookies": [{"name": "sid"}]})";
  const auto bad = Topodb({"capture", server_.Url("/"), "--storage-state", "bad.json"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("cookies[0].value is no text"));
  const auto missing = Topodb({"capture", server_.Url("/"), "--storage-state", "none.json"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("none.json"));
  EXPECT_EQ(server_.CountRequests("GET", "/"), 0U);
}

}  // namespace
}  // namespace topodb::cli
