#include <filesystem>
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/files.h"
#include "tests/support/fixture_server.h"

// `topodb await` as a user meets it: what it prints, stores and exits with.
namespace topodb::cli {
namespace {

namespace fs = std::filesystem;
using testing::BinaryResult;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class AwaitTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    const fs::path fixtures = fs::path(TOPODB_SOURCE_DIR) / "fixtures/completion";
    server.HandlePage("/c/ab12", testing::ReadFile(fixtures / "chat.html"));
    server.Handle("/send", [](const auto&) { return testing::HttpResponse{.body = "ok"}; });
    server.Handle("/backend-api/estuary/content", [](const auto&) {
      return testing::HttpResponse{
          .content_type = "image/svg+xml",
          .body = R"(<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>)"};
    });
    fs::copy_file(fixtures / "log_profile.json", directory_ / "log.json");
  }

  std::string Chat(const std::string& commands) const {
    return server.Url("/c/ab12?do=" + commands);
  }

  BinaryResult Await(const std::string& url, std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"await", url, "--profile", "chatgpt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Topodb(std::move(arguments));
  }

  testing::FixtureServer server;
};

TEST_F(AwaitTest, AnAnswerIsPrintedAndStored) {
  const auto done = Await(Chat("turn(m1);text(Two%20words);bar"), {});
  EXPECT_EQ(0, done.exit_code) << done.err;
  EXPECT_EQ("Two words\n", done.out);
  const auto listed = Topodb({"query", "observations", "--format", "json"});
  ASSERT_EQ(0, listed.exit_code) << listed.err;
  const auto records = boost::json::parse(listed.out).as_array();
  ASSERT_EQ(1U, records.size());
  EXPECT_EQ("complete", records[0].at("status").as_string());
  EXPECT_EQ("Two words", records[0].at("text").as_string());
  EXPECT_EQ("m1", records[0].at("proof").at("messageId").as_string());
  EXPECT_EQ(0, Topodb({"check"}).exit_code);
  const std::string id(records[0].at("observationId").as_string());
  EXPECT_THAT(Topodb({"show", id}).out, HasSubstr("Two words"));
  EXPECT_EQ(0, Topodb({"explain", id}).exit_code);
  EXPECT_EQ(0, Topodb({"export", "-o", "run.json"}).exit_code);
  EXPECT_EQ(0, Topodb({"import", "--db", "other", "run.json"}).exit_code);
  EXPECT_EQ("1\n", Topodb({"query", "observations", "--count", "--db", "other"}).out);
}

TEST_F(AwaitTest, WithoutProofNothingIsPrinted) {
  const auto done = Await(Chat("turn(m1);text(secre);more(tive)"), {"--timeout", "3"});
  EXPECT_EQ(1, done.exit_code);
  EXPECT_THAT(done.out, IsEmpty());
  EXPECT_THAT(done.err, HasSubstr("not finished: deferred (recovery-deferred-unverified)"));
  const auto exported = Topodb({"export"});
  EXPECT_THAT(exported.out, HasSubstr("\"status\":\"deferred\",\"text\":null"));
  EXPECT_THAT(exported.out + done.err, Not(HasSubstr("secretive")));
}

TEST_F(AwaitTest, NothingIsStoredWhenNothingShallBe) {
  const auto done =
      Await(Chat("turn(m1);text(Hello)"), {"--timeout", "3", "--no-store", "--format", "json"});
  EXPECT_EQ(1, done.exit_code);
  const auto record = boost::json::parse(done.out);
  EXPECT_EQ("timeout", record.at("status").as_string());
  EXPECT_TRUE(record.at("text").is_null());
  EXPECT_EQ("provider.poll-timeout", record.at("errorCode").as_string());
  EXPECT_FALSE(fs::exists(directory_ / ".topodb"));
}

TEST_F(AwaitTest, AMessageIsSentOnlyThroughTheGuard) {
  const std::string url = server.Url("/c/ab12?post=1&then=turn(m1);text(Well);bar");
  const std::vector<std::string> sending = {"--fill",          "#prompt=a=b", "--submit",
                                            "button \"Send\"", "--timeout",   "6"};
  const auto stopped = Await(url, sending);
  EXPECT_EQ(1, stopped.exit_code);
  EXPECT_THAT(stopped.err, HasSubstr("the network guard stopped POST"));
  EXPECT_EQ(0U, server.CountRequests("POST", "/send"));

  std::vector<std::string> allowed = sending;
  allowed.insert(allowed.end(), {"--guard-allow", "POST /send"});
  const auto sent = Await(url, allowed);
  EXPECT_EQ(0, sent.exit_code) << sent.err;
  EXPECT_EQ("Well\n", sent.out);
  ASSERT_EQ(1U, server.CountRequests("POST", "/send"));
  for (const auto& request : server.requests()) {
    if (request.method != "POST") continue;
    EXPECT_EQ("a=b", request.body);
  }
}

TEST_F(AwaitTest, WhatThePageShowsAlreadyIsOld) {
  const auto done = Await(Chat("turn(m1);text(Old);bar"), {"--since-now", "--timeout", "3"});
  EXPECT_EQ(1, done.exit_code);
  EXPECT_THAT(done.err, HasSubstr("timeout"));
}

// A26
TEST_F(AwaitTest, ImagesAreStoredAndNamedExactly) {
  const auto done = Await(Chat("turn(m1);image(file_1);image(file_2)"), {"--image", "pictures"});
  EXPECT_EQ(0, done.exit_code) << done.err;
  EXPECT_EQ(
      "Generated 2 images.\n\n![Generated image](pictures/image-1.svg)\n"
      "![Generated image](pictures/image-2.svg)\n",
      done.out);
  EXPECT_THAT(testing::ReadFile(directory_ / "pictures/image-2.svg"), StartsWith("<svg"));
  // Nothing that is there already is written over.
  EXPECT_THAT(Await(Chat("turn(m1);image(file_1)"), {"--image", "pictures"}).out,
              HasSubstr("pictures/image-3.svg"));
}

TEST_F(AwaitTest, ACopyIsTakenFromTheProvenItem) {
  const auto done = Await(Chat("turn(m1);text(Hello);bar"), {"--copy"});
  EXPECT_EQ("**Hello**\n", done.out) << done.err;
}

TEST_F(AwaitTest, TextOfPagesCannotDriveATerminal) {
  const auto done = Await(Chat("turn(m1);text(a%1B[31mb%0Ac);bar"), {});
  EXPECT_EQ("a\\u001b[31mb\nc\n", done.out) << done.err;
}

// What a capture has waited for, a replay waits for, too.
TEST_F(AwaitTest, ACaptureAndItsReplayWaitForWhatAnActionBegins) {
  const std::string page =
      testing::ReadFile(fs::path(TOPODB_SOURCE_DIR) / "fixtures/completion/log.html");
  server.HandlePage("/log", page);
  const std::vector<std::string> awaiting = {"--await-profile", "log.json"};
  auto capture = awaiting;
  capture.insert(capture.begin(), {"capture", server.Url("/log"), "--jobs", "1"});
  const auto captured = Topodb(capture);
  ASSERT_EQ(0, captured.exit_code) << captured.err;
  EXPECT_THAT(captured.out, HasSubstr("2 states"));
  EXPECT_THAT(captured.out, HasSubstr("1 observation"));
  EXPECT_EQ(0, Topodb({"check"}).exit_code);
  EXPECT_THAT(Topodb({"query", "observations"}).out, HasSubstr("button \"Show log\""));
  auto replay = awaiting;
  replay.insert(replay.begin(), "replay");
  const auto passed = Topodb(replay);
  EXPECT_EQ(0, passed.exit_code) << passed.out << passed.err;

  // The same page, but its build never ends.
  const std::string_view ends = "query.has('forever')";
  std::string forever = page;
  forever.replace(forever.find(ends), ends.size(), "true");
  server.HandlePage("/log", forever);
  const auto diverged = Topodb(replay);
  EXPECT_EQ(1, diverged.exit_code);
  EXPECT_THAT(diverged.out, HasSubstr("not seen to be finished"));
}

TEST_F(AwaitTest, BadInputIsOneClearLine) {
  std::ofstream(directory_ / "bad.json") << R"({"version":"topodb-region-1","items":["p"]})";
  std::ofstream(directory_ / "selector.json")
      << R"({"version":"topodb-region-1","items":["p["],"terminalControls":["b"]})";
  const std::string url = Chat("turn(m1)");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  const Case cases[] = {
      {{"await", url}, 2, "--profile"},
      {{"await", url, "--profile", "nothing"}, 2, "'nothing' is neither a profile nor a file"},
      {{"await", url, "--profile", "bad.json"}, 2, "'bad.json': terminalControls: expected"},
      {{"await", url, "--profile", "selector.json"}, 2, "'p[' of the profile is no selector"},
      {{"await", url, "--profile", "chatgpt", "--fill", "x"}, 2, "'x' is no LOCATOR=TEXT"},
      {{"await", url, "--profile", "chatgpt", "--submit", "#none"}, 1, "no control '#none'"},
      {{"await", url, "--profile", "chatgpt", "--submit", "button["},
       2,
       "'button[' is no selector"},
      {{"await", url, "--profile", "chatgpt", "--submit", "*"}, 2, "controls '*'"},
      {{"await", "https://example.org/", "--profile", "chatgpt"}, 2, "is not for example.org"},
      {{"await", server.Url("/none", "127.0.0.2"), "--profile", "generic-log"}, 7, "cannot open"},
      {{"capture", url, "--await-profile", "nothing"}, 2, "'nothing' is neither a profile"},
      {{"capture", url, "--await-profile", "log.json", "--clock", "virtual"}, 2, "virtual time"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.arguments));
    const auto refused = Topodb(c.arguments);
    EXPECT_EQ(c.code, refused.exit_code) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(c.message));
    EXPECT_THAT(refused.out, IsEmpty());
  }
}

}  // namespace
}  // namespace topodb::cli
