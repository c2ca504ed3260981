#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Flags that take secrets, from the command line to the site.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ClientFlagsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    server_.Handle("/", [](const testing::HttpRequest& request) {
      return testing::HttpResponse{.body = "<!doctype html><title>" + request.Header("X-Api-Key") +
                                           "|" + request.Header("Authorization") + "</title>"};
    });
  }

  testing::BinaryResult Scan(std::vector<std::string> flags,
                             std::vector<std::string> environment = {}) const {
    std::vector<std::string> arguments = {"capture", server_.Url("/"), "--mode", "scan"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return testing::RunBinary(TOPODB_BINARY, {.arguments = arguments,
                                              .directory = directory_,
                                              .input = {},
                                              .environment = std::move(environment)});
  }

  // What the site got with the last request.
  std::string Got(std::string_view header) const {
    return server_.requests().empty() ? "" : server_.requests().back().Header(header);
  }

  testing::FixtureServer server_;
};

TEST_F(ClientFlagsTest, SecretsComeFromFilesAndVariables) {
  std::ofstream(directory_ / "key") << "from-a-file\n";
  std::ofstream(directory_ / "line") << "X-Api-Key: whole-line\r\n";
  const auto file = Scan({"--header", "X-Api-Key: @key"});
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(Got("X-Api-Key"), "from-a-file");
  EXPECT_EQ(Scan({"--header", "@line"}).exit_code, 0);
  EXPECT_EQ(Got("X-Api-Key"), "whole-line");
  const auto variable = Scan({"--header", "X-Api-Key: $KEY"}, {"KEY=from-a-variable"});
  EXPECT_EQ(variable.exit_code, 0) << variable.err;
  EXPECT_EQ(Got("X-Api-Key"), "from-a-variable");
  for (const auto& result : {file, variable}) {
    EXPECT_THAT(result.err, Not(HasSubstr("list of processes")));
  }
}

TEST_F(ClientFlagsTest, ASecretOnTheCommandLineIsWarnedOf) {
  const auto secret = Scan({"--header", "Authorization: Bearer abc", "--quiet"});
  EXPECT_EQ(secret.exit_code, 0) << secret.err;
  EXPECT_EQ(Got("Authorization"), "Bearer abc");
  EXPECT_THAT(secret.err, HasSubstr("the header 'Authorization'"));
  EXPECT_THAT(secret.err, Not(HasSubstr("abc")));
  EXPECT_THAT(Scan({"--http-credentials", "me:word"}).err, HasSubstr("list of processes"));
  EXPECT_THAT(Scan({"--header", "Accept-Language: de"}).err, Not(HasSubstr("list of processes")));
}

TEST_F(ClientFlagsTest, WhatCannotBeUsedIsRefusedBeforeAnythingStarts) {
  struct Case {
    std::vector<std::string> flags;
    int exit_code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"--header", "s3cret"}, 2, "no ':'"},
      {{"--header", "Host: s3cret"}, 2, "Host"},
      {{"--header", "X-Api-Key: $NO_SUCH_VARIABLE"}, 2, "NO_SUCH_VARIABLE"},
      {{"--header", "X-Api-Key: @none"}, 3, "none"},
      {{"--http-credentials", "s3cret"}, 2, "user:password"},
      {{"--http-credentials", "$NO_SUCH_VARIABLE"}, 2, "NO_SUCH_VARIABLE"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.flags.back());
    const auto result = Scan(test.flags);
    EXPECT_EQ(result.exit_code, test.exit_code);
    EXPECT_THAT(result.err, HasSubstr(test.message));
    EXPECT_THAT(result.err, Not(HasSubstr("s3cret")));
  }
  EXPECT_TRUE(server_.requests().empty());
  EXPECT_FALSE(std::filesystem::exists(directory_ / ".topodb"));
}

}  // namespace
}  // namespace topodb::cli
