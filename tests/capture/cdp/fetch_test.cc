#include "capture/cdp/protocol/fetch.h"

#include <string>

#include <gtest/gtest.h>

namespace topodb::capture::cdp::fetch {
namespace {

// Of every length modulo three, as in RFC 4648, section 10.
TEST(FetchTest, ATextBodyIsHandedBackAsBase64) {
  struct Case {
    std::string body, base64;
  };
  for (const Case& test : {Case{"", ""}, Case{"f", "Zg=="}, Case{"fo", "Zm8="}, Case{"foo", "Zm9v"},
                           Case{"foob", "Zm9vYg=="}, Case{"\xc3\xbf", "w78="}}) {
    SCOPED_TRACE(test.body);
    const auto reply =
        GetResponseBody::ParseReply(R"({"base64Encoded":false,"body":")" + test.body + "\"}");
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(test.base64, reply->body_base64);
  }
}

TEST(FetchTest, ABase64BodyIsHandedBackAsItIs) {
  const auto reply = GetResponseBody::ParseReply(R"({"base64Encoded":true,"body":"AAECAw=="})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ("AAECAw==", reply->body_base64);
  EXPECT_FALSE(GetResponseBody::ParseReply(R"({"base64Encoded":true})"));
}

}  // namespace
}  // namespace topodb::capture::cdp::fetch
