#include "capture/browser/storage_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(StorageStateTest, ReadsWhatPlaywrightWrites) {
  const auto state = ParseStorageState(
      R"({"cookies": [{"name": "session", "value": "abc", "domain": "127.0.0.1", "path": "/app",
          "expires": 1900000000.5, "httpOnly": true, "secure": false, "sameSite": "Lax"},
          {"name": "short", "value": "", "domain": ".example.org"}],
          "origins": [{"origin": "http://127.0.0.1:8000",
                       "localStorage": [{"name": "theme", "value": "dark"}]}], "more": 1})");
  ASSERT_TRUE(state) << state.error().message;
  ASSERT_THAT(state->cookies, SizeIs(2));
  const cdp::storage::Cookie want{.name = "session",
                                  .value = "abc",
                                  .domain = "127.0.0.1",
                                  .path = "/app",
                                  .expires = 1900000000.5,
                                  .http_only = true,
                                  .secure = false,
                                  .same_site = "Lax",
                                  .partition_key_json = {}};
  EXPECT_TRUE(want == state->cookies[0]);
  EXPECT_EQ("/", state->cookies[1].path);
  EXPECT_EQ(-1, state->cookies[1].expires);
  ASSERT_THAT(state->local_storage, SizeIs(1));
  EXPECT_EQ("http://127.0.0.1:8000", state->local_storage[0].origin);
  EXPECT_EQ((std::vector<NameValue>{{"theme", "dark"}}), state->local_storage[0].items);
}

TEST(StorageStateTest, RefusesWhatIsNoneAndNeverRepeatsAValue) {
  const struct {
    std::string_view text, message;
  } kCases[] = {
      {"", "no JSON"},
      {"[]", "no JSON object"},
      {"{}", "neither cookies nor origins"},
      {R"({"cookies": {}})", "cookies is no list"},
      {R"({"cookies": [1]})", "cookies[0] is no object"},
      {R"({"cookies": [{"name": "a", "value": "hush", "domain": "x"}, {"name": "b"}]})",
       "cookies[1].value is no text"},
      {R"({"origins": [{"localStorage": []}]})", "origins[0].origin is no text"},
      {R"({"origins": [{"origin": "http://x", "localStorage": [{"name": "hush"}]}]})",
       "origins[0].localStorage[0].value is no text"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto state = ParseStorageState(c.text);
    ASSERT_FALSE(state);
    EXPECT_EQ(ErrorCode::kInvalidArgument, state.error().code);
    EXPECT_THAT(state.error().message, HasSubstr(c.message));
    EXPECT_THAT(state.error().message, Not(HasSubstr("hush")));
  }
}

TEST(StorageStateTest, TheScriptKeepsItsTextsTexts) {
  EXPECT_THAT(RestoreScript({}), IsEmpty());
  EXPECT_THAT(RestoreScript({.cookies = {}, .local_storage = {{"http://x", {}}}}), IsEmpty());
  const std::string script =
      RestoreScript({.cookies = {}, .local_storage = {{"http://x", {{"a\"b", "</script>\n'"}}}}});
  EXPECT_THAT(script, HasSubstr(R"("http://x")"));
  EXPECT_THAT(script, HasSubstr(R"("a\"b")"));
  EXPECT_THAT(script, HasSubstr(R"(\n')"));
}

}  // namespace
}  // namespace topodb::capture
