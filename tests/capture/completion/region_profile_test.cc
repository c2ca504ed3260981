#include "capture/completion/region_profile.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(RegionProfileTest, TheBuiltInOnesAreSound) {
  EXPECT_THAT(BuiltInProfileNames(), ElementsAre("chatgpt", "generic-log"));
  for (const std::string& name : BuiltInProfileNames()) {
    const RegionProfile* const profile = FindBuiltInProfile(name);
    ASSERT_NE(nullptr, profile) << name;
    EXPECT_EQ(name, profile->name);
  }
  EXPECT_EQ(nullptr, FindBuiltInProfile("other"));
  const RegionProfile& chat = *FindBuiltInProfile("chatgpt");
  EXPECT_THAT(chat.terminal_controls, SizeIs(4));
  EXPECT_EQ(chat.items, chat.roles);
  EXPECT_EQ("data-message-id", chat.message_id);
  ASSERT_TRUE(chat.turn_id);
  EXPECT_EQ("conversation-turn", chat.turn_id->prefix);
  EXPECT_EQ(Millis(1000), chat.timings.quiet);
  EXPECT_EQ(Millis(5000), chat.timings.busy_quiet);
}

TEST(RegionProfileTest, AHostThatItIsNotForIsRefused) {
  const RegionProfile& chat = *FindBuiltInProfile("chatgpt");
  for (const std::string_view host :
       {"chatgpt.com", "chat.openai.com", "localhost", "127.0.0.1", ""}) {
    EXPECT_TRUE(chat.IsFor(host)) << host;
  }
  for (const std::string_view host : {"evil.test", "chatgpt.com.evil.test", "xchatgpt.com"}) {
    EXPECT_FALSE(chat.IsFor(host)) << host;
  }
  EXPECT_TRUE(FindBuiltInProfile("generic-log")->IsFor("anything.test"));
}

TEST(RegionProfileTest, TheSmallestOneThatProvesAnything) {
  const auto profile = ParseRegionProfile(
      R"({"version":"topodb-region-1","items":["li"],"terminalControls":["b"]})", "mine");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ("mine", profile->name);
  EXPECT_THAT(profile->roles, ElementsAre("li"));
  EXPECT_THAT(profile->stop_controls, IsEmpty());
}

// One line: which profile, which field, why.
TEST(RegionProfileTest, ABadOneIsOneLineThatSaysWhere) {
  struct Case {
    std::string_view fields, where;
  };
  const std::string head =
      R"({"version":"topodb-region-1","items":["li"],"terminalControls":["b"],)";
  const Case cases[] = {
      {R"("bodies":"p"})", "profile 'x.json': bodies: expected a list of texts"},
      {R"("bodies":["p",1]})", "profile 'x.json': bodies[1]: expected a text"},
      {R"("bodies":["p",""]})", "profile 'x.json': bodies[1]: expected a text"},
      {R"("body":["p"]})", "profile 'x.json': body: there is no such field"},
      {R"("turnId":{"attribute":"id"}})", "profile 'x.json': turnId.prefix: missing"},
      {R"("turnId":"id"})", "profile 'x.json': turnId: expected an object"},
      {R"("stopControls":["b"]})", "profile 'x.json': stopControls[0]: expected an object"},
      {R"("stopControls":[{"except":[]}]})", "profile 'x.json': stopControls[0].selector: missing"},
      {R"("placeholders":["{x}"]})", "profile 'x.json': placeholders[0]: '{x}' is no pattern"},
      {R"("conversation":["/c/"]})", "profile 'x.json': conversation: \"/c/\" has no {id}"},
      {R"("images":{}})", "profile 'x.json': images.sources: expected at least one pattern"},
      {R"("timings":{"quietMs":10}})", "profile 'x.json': timings.quietMs: less than 1000"},
      {R"("timings":{"quietMs":0}})", "profile 'x.json': timings.quietMs: expected milliseconds"},
      {R"("timings":{"quietMs":6000}})", "profile 'x.json': timings.busyQuietMs: expected no less"},
      {R"("name":7})", "profile 'x.json': name: expected a text"},
      {"\n\n\"name\":}", "profile 'x.json': line 3 is no JSON"},
      {"", "is no JSON"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.fields));
    const auto profile = ParseRegionProfile(head + std::string(c.fields), "x.json");
    ASSERT_FALSE(profile);
    EXPECT_EQ(ErrorCode::kInvalidArgument, profile.error().code);
    EXPECT_THAT(profile.error().message, HasSubstr(c.where));
    EXPECT_EQ(std::string::npos, profile.error().message.find('\n'));
  }
  for (const std::string_view whole :
       {"[]", "{}", R"({"version":"topodb-region-1","items":["li"]})",
        R"({"version":"topodb-region-1","terminalControls":["b"]})",
        R"({"version":"2","items":["li"],"terminalControls":["b"]})"}) {
    EXPECT_FALSE(ParseRegionProfile(whole, "x.json")) << whole;
  }
}

TEST(RegionProfileTest, ANameThatIsNothingListsTheProfiles) {
  const auto profile = LoadRegionProfile("no-such-profile");
  ASSERT_FALSE(profile);
  EXPECT_EQ(ErrorCode::kInvalidArgument, profile.error().code);
  EXPECT_THAT(profile.error().hint, HasSubstr("chatgpt, generic-log"));
}

}  // namespace
}  // namespace topodb::capture
