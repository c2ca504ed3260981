#include "capture/browser/client.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

TEST(ClientTest, HeadersAreANameAndAValue) {
  struct Case {
    std::string text;
    HttpHeader expected;
  };
  const std::vector<Case> cases = {
      {"X-Tenant: a", {"X-Tenant", "a"}},
      {"X-Tenant:a", {"X-Tenant", "a"}},
      {"Authorization:  Bearer x:y ", {"Authorization", "Bearer x:y"}},
      {"X-Empty:", {"X-Empty", ""}},
      {"Accept-Language: Füße", {"Accept-Language", "Füße"}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.text);
    const auto header = ParseHttpHeader(test.text);
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(*header, test.expected);
  }
}

TEST(ClientTest, WhatIsNoHeaderIsRefusedAndNotRepeated) {
  for (const std::string text :
       {"s3cret", "", ": s3cret", "X Y: s3cret", "X\r\nY: s3cret", "X: s3cret\r\nY: z",
        "X: s3cret\x7f", "Host: s3cret", "content-length: s3cret", "Transfer-Encoding: s3cret"}) {
    SCOPED_TRACE(text);
    const auto header = ParseHttpHeader(text);
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(header.error().message, Not(HasSubstr("s3cret")));
    EXPECT_NE(header.error().hint, "");
  }
}

TEST(ClientTest, CredentialsAreAUserAndAPassword) {
  EXPECT_EQ(ParseHttpCredentials("me:pass:word").value(),
            (HttpCredentials{.user = "me", .password = "pass:word"}));
  EXPECT_EQ(ParseHttpCredentials("me:").value(), (HttpCredentials{.user = "me", .password = ""}));
  for (const std::string text : {"", "s3cret", ":s3cret"}) {
    const auto credentials = ParseHttpCredentials(text);
    ASSERT_FALSE(credentials) << text;
    EXPECT_THAT(credentials.error().message, Not(HasSubstr("s3cret")));
  }
}

TEST(ClientTest, HeadersOfARequestAreReplacedByName) {
  EXPECT_THAT(WithHeaders(R"({"Accept": "*/*", "x-tenant": "a", "n": 1})",
                          {{"X-Tenant", "b"}, {"X-New", "c"}}),
              ElementsAre(Pair("Accept", "*/*"), Pair("X-Tenant", "b"), Pair("X-New", "c")));
  EXPECT_THAT(WithHeaders("no object", {{"X-New", "c"}}), ElementsAre(Pair("X-New", "c")));
}

}  // namespace
}  // namespace topodb::capture
