#include "capture/guard/network_guard.h"

#include <random>

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

constexpr std::string_view kUrl = "https://a.example/api";

std::string RuleFor(GuardRequest request, GuardMode mode = GuardMode::kMutations) {
  return JudgeRequest(request, {mode, {}}).rule;
}

TEST(NetworkGuard, BlocksUnsafeMethods) {
  for (const char* method : {"GET", "HEAD", "OPTIONS"}) {
    EXPECT_EQ(RuleFor({.method = method, .url = kUrl}), "safe_method");
  }
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PURGE", "get",
                             "Get", "MKCOL", "", "GET "}) {
    SCOPED_TRACE(method);
    const auto verdict = JudgeRequest({.method = method, .url = kUrl}, {});
    EXPECT_FALSE(verdict.allowed);
    EXPECT_EQ(verdict.rule, "unsafe_method");
  }
  EXPECT_EQ(RuleFor({.method = "GET", .url = kUrl, .method_override = "DELETE"}), "unsafe_method");
  EXPECT_EQ(RuleFor({.method = "GET", .url = kUrl, .method_override = "HEAD"}), "safe_method");
}

TEST(NetworkGuard, HasModes) {
  const GuardRequest loading = {.method = "GET", .url = kUrl};
  GuardRequest loaded = loading;
  loaded.phase = LoadPhase::kLoaded;
  EXPECT_EQ(RuleFor(loading, GuardMode::kAllNetwork), "safe_method");
  EXPECT_EQ(RuleFor(loaded, GuardMode::kAllNetwork), "all_network");
  EXPECT_EQ(RuleFor(loaded, GuardMode::kMutations), "safe_method");
  GuardRequest post = loading;
  post.method = "POST";
  EXPECT_EQ(RuleFor(post, GuardMode::kAllNetwork), "unsafe_method");
  EXPECT_EQ(RuleFor(post, GuardMode::kOff), "guard_off");
  post.body = R"({"query": "{ me { id } }"})";
  EXPECT_EQ(RuleFor(post), "graphql_query");
  post.phase = LoadPhase::kLoaded;
  EXPECT_EQ(RuleFor(post, GuardMode::kAllNetwork), "unsafe_method");
  post.method = "PUT";
  EXPECT_EQ(RuleFor(post), "unsafe_method");

  for (const auto mode : {GuardMode::kMutations, GuardMode::kAllNetwork, GuardMode::kOff}) {
    EXPECT_EQ(ParseGuardMode(ToString(mode)), mode);
  }
  EXPECT_EQ(ParseGuardMode("on"), std::nullopt);
}

TEST(NetworkGuard, LetsNamedRequestsThrough) {
  const struct {
    const char* rule;
    const char* method;
    const char* url;
    bool want;
  } kCases[] = {
      {"POST https://a.example/search", "POST", "https://a.example/search", true},
      {"POST https://a.example/search", "POST", "https://a.example/search?q=1", false},
      {"POST https://a.example/search*", "POST", "https://a.example/search?q=1", true},
      {"POST https://a.example/search*", "PUT", "https://a.example/search", false},
      {"POST https://a.example/search*", "POST", "https://a.example/delete", false},
      {"POST https://a.example/search/*", "POST", "https://a.example/search/../delete", false},
      {"POST https://a.example/search/*", "POST", "https://a.example/search/%2e%2e/delete", false},
      {"POST https://a.example/*", "POST", "http://a.example/x", false},
      {"POST https://a.example/*", "POST", "https://a.example:8443/x", false},
      {"POST https://a.example/*", "POST", "https://a.example@evil.example/x", false},
      {"POST https://a.example/*", "POST", "https://evil.example/https://a.example/x", false},
      {"* https://a.example/x", "DELETE", "https://a.example/x", true},
      {"POST https://*.a.example/*", "POST", "https://x.a.example/y", true},
      {"POST https://*.a.example/*", "POST", "https://a.example/y", false},
      {"POST https://*.a.example/*", "POST", "https://evila.example/y", false},
      {"POST /graphql", "POST", "https://entry.example/graphql", true},
      {"POST /graphql", "POST", "https://a.example/graphql", false},
      {"GET wss://a.example/live*", "GET", "wss://a.example/live?room=1", true},
      {"* ws://a.example/live", "GET", "ws://a.example/live", true},
      {"* ws://a.example/live", "GET", "wss://a.example/live", false},
      {"GET wss://a.example/live", "GET", "wss://a.example/admin", false},
      {"* https://a.example/*", "GET", "wss://a.example/live", false},
      {"  POST   /a*c  ", "POST", "https://entry.example/abbbc", true},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(std::string(c.rule) + " / " + c.url);
    const auto rule = ParseGuardAllow(c.rule, "https://entry.example/start");
    ASSERT_TRUE(rule) << rule.error().message;
    const GuardRequest request = {.method = c.method, .url = c.url};
    const auto verdict = JudgeRequest(request, {GuardMode::kMutations, {*rule}});
    EXPECT_EQ(verdict.allowed, c.want);
    EXPECT_EQ(verdict.recorded, c.want);
    EXPECT_EQ(verdict.detail, c.want ? c.rule : "");
  }
}

TEST(NetworkGuard, ShutsSocketsInEveryModeButOff) {
  for (const char* url : {"ws://a.example/live", "wss://a.example/", "WS://a.example:81/live"}) {
    SCOPED_TRACE(url);
    for (const auto mode : {GuardMode::kMutations, GuardMode::kAllNetwork}) {
      const auto verdict = JudgeRequest({.method = "GET", .url = url}, {mode, {}});
      EXPECT_FALSE(verdict.allowed);
      EXPECT_EQ(verdict.rule, "socket");
    }
    EXPECT_EQ(RuleFor({.method = "GET", .url = url}, GuardMode::kOff), "guard_off");
  }
  EXPECT_EQ(RulesForSockets({GuardMode::kOff, {}}), SocketRules());
  const std::vector<std::string> all = {"ws://*:*", "wss://*:*"};
  EXPECT_EQ(RulesForSockets({}), (SocketRules{.open = {}, .shut = all}));
}

TEST(NetworkGuard, WritesOpenSocketsAsBrowsersReadThem) {
  const struct {
    const char* rule;
    const char* want;  // no query unless the rule has one
  } kCases[] = {
      {"GET ws://127.0.0.1:8080/live", "ws://127.0.0.1:8080/live?"},
      {"* wss://*.a.example/live/*", "wss://*.a.example/live/*?"},
      {"GET wss://a.example/live?room=*", "wss://a.example/live?room=*"},
      {"GET wss://a.example/a:b(c){d}+e", R"(wss://a.example/a\:b\(c\)\{d\}\+e?)"},
      {"GET https://a.example/live", nullptr},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.rule);
    const auto rule = ParseGuardAllow(c.rule, "https://entry.example/start");
    ASSERT_TRUE(rule) << rule.error().message;
    const auto open = RulesForSockets({GuardMode::kMutations, {*rule}}).open;
    EXPECT_EQ(open,
              c.want == nullptr ? std::vector<std::string>() : std::vector{std::string(c.want)});
  }
}

TEST(NetworkGuard, RefusesVagueRules) {
  for (const char* text :
       {"", " ", "POST", "POST ", "/graphql", "post /graphql", "POST /a /b", "POST a.example/x",
        "POST *", "POST //a.example/x", "POST https://", "POST https://a.example*",
        "POST https://*/x", "POST https://*.com/x", "POST https://a.*/x",
        "POST https://u@a.example/", "POST ftp://a.example/", "POST wss://a.example/"}) {
    SCOPED_TRACE(text);
    const auto rule = ParseGuardAllow(text, "https://entry.example/");
    ASSERT_FALSE(rule);
    EXPECT_EQ(rule.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(rule.error().hint.empty());
  }
}

TEST(Graphql, LetsOnlyQueriesThrough) {
  const char* const kQueries[] = {
      R"({"query": "{ me }"})",
      R"({"query": "query { me }"})",
      R"({"query": "query Q($a: Int = 3, $b: In = {x: [1]}) @live { me(id: $a) { id } }"})",
      R"({"query": "# mutation\n{ me }", "variables": {"a": ":"}, "operationName": null})",
      R"({"query": "query A { a } query B { b }", "operationName": "A"})",
      R"({"query": "fragment F on U { id } query { ...F }"})",
      R"({"query": "query mutation { mutation }"})",
      R"({"query": "{ find(text: \"} mutation {\") { id } }"})",
      R"({"query": "{ find(text: \"\"\"} \\\"\"\" mutation {\"\"\") { id } }"})",
      R"({"query": "{ a }", "extensions": {}})",
      R"({"query": "{ a }", "extensions": null})",
      R"([{"query": "{ a }"}, {"query": "query { b }"}])",
  };
  for (const char* body : kQueries) EXPECT_TRUE(IsGraphqlQueryOnly(body)) << body;

  const char* const kOthers[] = {
      "",
      "{}",
      "[]",
      "null",
      "{ me }",
      "query=%7Bme%7D",
      R"({"query": ""})",
      R"({"query": "{}"})",
      R"({"query": "shoes"})",
      R"({"query": "query"})",
      R"({"query": 3})",
      R"({"query": ["{ me }"]})",
      R"({"query": "mutation { deleteAll }"})",
      R"({"query": "subscription { x }"})",
      R"({"query": "query A { a } mutation B { b }"})",
      R"({"query": "{ a } mutation { b }"})",
      R"({"query": "{ a # }\n} mutation { b }"})",
      R"({"query": "{ a(x: \"\\\"\") } mutation { b }"})",
      R"({"query": "type A { a: Int }"})",
      R"({"query": "fragment F on U { id }"})",
      R"({"query": "{ a"})",
      R"({"query": "{ a } }"})",
      R"({"query": "{ a(x: [1) }"})",
      R"({"query": "{ a(x: \"open) }"})",
      R"({"query": "query Q } { a }"})",
      R"({"query": "{ a }", "id": "deleteAll"})",
      R"({"query": "{ a }", "extensions": {"persistedQuery": {"sha256Hash": "x"}}})",
      R"({"query": "{ a }", "extensions": 3})",
      R"({"extensions": {"persistedQuery": {"sha256Hash": "x"}}})",
      R"({"query": "{ a }", "query": "mutation { b }"})",
      R"({"query": "mutation { b }", "query": "{ a }"})",
      R"([{"query": "{ a }"}, {"query": "mutation { b }"}])",
      R"([{"query": "{ a }"}, []])",
      R"([[{"query": "{ a }"}]])",
      R"({"query": "{ a }"} {"query": "mutation { b }"})",
  };
  for (const char* body : kOthers) EXPECT_FALSE(IsGraphqlQueryOnly(body)) << body;
}

TEST(Graphql, SurvivesAnyDocument) {
  const std::string_view kPieces[] = {
      "{",      "}",         "(",         ")",  "[", "]", "\\\"", "\\\"\\\"\\\"",
      "query ", "fragment ", "mutation ", "a ", "$", "#", "\\n",  "\\\\",
      ",",      "@"};
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    std::mt19937 random(seed);
    std::string query;
    for (size_t i = random() % 16; i > 0; --i) query += kPieces[random() % std::size(kPieces)];
    const bool allowed = IsGraphqlQueryOnly("{\"query\": \"" + query + "\"}");
    // Without the word in it nothing can be a mutation; at the start it always is one.
    EXPECT_FALSE(IsGraphqlQueryOnly("{\"query\": \"mutation " + query + "\"}")) << seed;
    EXPECT_TRUE(!allowed || query.find('{') != std::string::npos) << seed;
  }
  EXPECT_FALSE(IsGraphqlQueryOnly("{\"query\": \"" + std::string(1U << 19U, '{') + "\"}"));
  EXPECT_FALSE(IsGraphqlQueryOnly(std::string(1U << 19U, '[')));
}

}  // namespace
}  // namespace topodb::capture
