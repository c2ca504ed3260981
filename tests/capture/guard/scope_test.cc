#include "capture/guard/scope.h"

#include <map>

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

constexpr auto kTop = RequestKind::kTopNavigation;
constexpr auto kFrame = RequestKind::kFrameNavigation;
constexpr auto kResource = RequestKind::kResource;

struct Case {
  const char* url;
  RequestKind kind;
  const char* rule;  // empty: allowed
};

void ExpectVerdicts(const ScopePolicy& policy, const std::vector<Case>& cases) {
  for (const auto& c : cases) {
    SCOPED_TRACE(c.url);
    const auto verdict = Judge(policy, c.url, c.kind);
    EXPECT_EQ(verdict.rule, c.rule) << verdict.reason;
    EXPECT_EQ(verdict.allowed, *c.rule == '\0');
    EXPECT_EQ(verdict.reason.empty(), verdict.allowed);
  }
}

ScopePolicy WithPages(const char* entry, std::vector<const char*> include,
                      std::vector<const char*> exclude) {
  ScopePolicy policy{.entry_url = entry};
  for (const char* text : include) policy.include.push_back(ParsePagePattern(text).value());
  for (const char* text : exclude) policy.exclude.push_back(ParsePagePattern(text).value());
  return policy;
}

TEST(Scope, OpensThePagesThatTheUserNames) {
  ExpectVerdicts(WithPages("https://a.example/", {"/shop/*", "https://a.example/news?page=*"},
                           {"*://*/old*", "/shop/cart", "/shop/*?sort=*"}),
                 {
                     {"https://a.example/", kTop, ""},
                     {"https://a.example/#top", kTop, ""},
                     {"https://a.example/shop/1", kTop, ""},
                     {"https://a.example/shop/1?x=1", kTop, ""},
                     {"https://a.example/shop/%31", kTop, ""},
                     {"https://a.example/news?page=2", kTop, ""},
                     {"https://a.example/news", kTop, "excluded"},
                     {"https://a.example/shop", kTop, "excluded"},
                     {"https://a.example/shop/cart", kTop, "excluded"},
                     {"https://a.example/shop/cart?item=1", kTop, "excluded"},
                     {"https://a.example/shop/x/../cart", kTop, "excluded"},
                     {"https://a.example/shop/1?sort=up", kTop, "excluded"},
                     {"https://a.example/old/shop/1", kTop, "excluded"},
                     {"https://a.example/about", kTop, "excluded"},
                     {"https://a.example/about", kFrame, ""},
                     {"https://a.example/about.png", kResource, ""},
                     {"https://b.example/shop/1", kTop, "origin"},
                 });
  ExpectVerdicts(WithPages("file:///site/index.html", {}, {"/site/old*"}),
                 {
                     {"file:///site/new.html", kTop, ""},
                     {"file:///site/old.html", kTop, "excluded"},
                     {"file:///site/old.html", kFrame, ""},
                     {"file:///etc/passwd", kTop, "file_outside_entry"},
                 });
}

TEST(Scope, KnowsWhereNoStoredRunMayLead) {
  for (const std::string_view entry :
       {"http://169.254.169.254/latest/meta-data", "http://[fe80::1]/", "http://0xa9fea9fe/",
        "http://metadata.google.internal/"}) {
    EXPECT_TRUE(IsLinkLocal(entry)) << entry;
  }
  for (const std::string_view entry :
       {"http://127.0.0.1:8080/", "http://10.0.0.7/", "http://h/", "file:///srv/site/index.html"}) {
    EXPECT_FALSE(IsLinkLocal(entry)) << entry;
  }
}

TEST(Scope, PagesAreNamedByPathOrAddress) {
  for (const char* text : {"/", "/a*", "https://a.example/*", "*://a.example/"}) {
    EXPECT_TRUE(ParsePagePattern(text)) << text;
  }
  for (const char* text : {"", "a", "a.example/b", "*"}) {
    const auto pattern = ParsePagePattern(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(pattern.error().hint, "");
  }
}

TEST(Scope, KeepsAPublicSiteToItself) {
  ExpectVerdicts({.entry_url = "https://www.a.example/x"},
                 {
                     {"https://www.a.example/y", kTop, ""},
                     {"https://WWW.A.EXAMPLE:443/y", kTop, ""},
                     {"https://a.example/", kTop, "origin"},
                     {"http://www.a.example/", kTop, "origin"},
                     {"https://www.a.example:8443/", kTop, "origin"},
                     {"https://www.a.example.evil.example/", kTop, "origin"},
                     {"https://user@evil.example/www.a.example", kTop, "origin"},
                     {"https://cdn.example/lib.js", kResource, ""},
                     {"http://cdn.example/lib.js", kResource, ""},
                     {"https://video.example/embed", kFrame, ""},
                     {"wss://live.example/", kResource, ""},
                     {"wss://live.example/", kTop, "external_protocol"},
                     {"about:blank", kTop, ""},
                     {"about:srcdoc", kFrame, ""},
                     {"about:srcdoc", kTop, "scheme"},
                     {"about:version", kTop, "scheme"},
                     {"data:text/html,x", kTop, "scheme"},
                     {"data:image/png;base64,x", kResource, ""},
                     {"data:text/html,x", kFrame, ""},
                     {"blob:https://www.a.example/1", kTop, "scheme"},
                     {"blob:https://www.a.example/1", kResource, ""},
                     {"javascript:alert(1)", kTop, "scheme"},
                     {"java\nscript:alert(1)", kTop, "scheme"},
                     {"view-source:https://www.a.example/", kTop, "scheme"},
                     {"chrome://version", kTop, "scheme"},
                     {"chrome-extension://x/y.js", kResource, "scheme"},
                     {"devtools://devtools/x", kFrame, "scheme"},
                     {"filesystem:https://www.a.example/x", kTop, "scheme"},
                     {"ftp://www.a.example/", kTop, "scheme"},
                     {"mailto:a@b.example", kTop, "external_protocol"},
                     {"tel:123", kTop, "external_protocol"},
                     {"ms-word:ofe", kFrame, "external_protocol"},
                     {"file:///etc/passwd", kResource, "scheme"},
                     {"file:///etc/passwd", kTop, "scheme"},
                     {"/relative", kTop, "invalid"},
                     {"", kTop, "invalid"},
                     {"http://", kResource, "invalid"},
                 });
}

TEST(Scope, RefusesInnerNetworksFromAPublicSite) {
  ExpectVerdicts({.entry_url = "https://a.example/"},
                 {
                     {"http://169.254.169.254/latest/meta-data/", kResource, "link_local"},
                     {"http://[fd00:ec2::254]/", kResource, "link_local"},
                     {"http://metadata.google.internal/", kResource, "link_local"},
                     {"http://[::ffff:169.254.169.254]/", kResource, "link_local"},
                     {"http://2852039166/", kResource, "link_local"},
                     {"http://0xa9fea9fe/", kResource, "link_local"},
                     {"http://[fe80::1]/", kResource, "link_local"},
                     {"http://127.0.0.1/", kResource, "private_address"},
                     {"http://127.1/", kResource, "private_address"},
                     {"http://0/", kResource, "private_address"},
                     {"http://017700000001/", kResource, "private_address"},
                     {"http://localhost:9200/", kResource, "private_address"},
                     {"http://x.localhost/", kFrame, "private_address"},
                     {"http://localhost./", kFrame, "private_address"},
                     {"http://[::1]/", kResource, "private_address"},
                     {"http://[::]/", kResource, "private_address"},
                     {"http://10.0.0.1/", kResource, "private_address"},
                     {"http://172.16.0.1/", kResource, "private_address"},
                     {"http://172.32.0.1/", kResource, ""},
                     {"http://192.168.1.1/", kFrame, "private_address"},
                     {"http://100.64.0.1/", kResource, "private_address"},
                     {"http://[fd12::1]/", kResource, "private_address"},
                     {"http://[64:ff9b::a00:1]/", kResource, "private_address"},
                     {"http://router.local/", kResource, "private_address"},
                     {"http://224.0.0.1/", kResource, "link_local"},
                     {"http://8.8.8.8/", kResource, ""},
                     {"http://[2606:4700::1]/", kResource, ""},
                     {"http://local.example/", kResource, ""},
                 });
}

TEST(Scope, KnowsWhatANameResolvedTo) {
  const ScopePolicy open = {.entry_url = "https://a.example/"};
  EXPECT_TRUE(Judge(open, "https://cdn.example/", kResource, "93.184.216.34").allowed);
  EXPECT_EQ(Judge(open, "https://cdn.example/", kResource, "10.0.0.1").rule, "private_address");
  EXPECT_EQ(Judge(open, "https://cdn.example/", kResource, "169.254.169.254").rule, "link_local");
  // The entry's own name may stand in an inner network, unless it moved there meanwhile.
  EXPECT_TRUE(Judge(open, "https://a.example/x", kTop, "10.0.0.1").allowed);
  ScopePolicy known = open;
  known.entry_ip = "93.184.216.34";
  EXPECT_TRUE(Judge(known, "https://a.example/x", kTop, "93.184.216.35").allowed);
  EXPECT_EQ(Judge(known, "https://a.example/x", kTop, "127.0.0.1").rule, "private_address");
  known.entry_ip = "10.0.0.1";
  EXPECT_TRUE(Judge(known, "https://a.example/x", kTop, "10.0.0.2").allowed);
}

TEST(Scope, LetsAnInnerSiteUseItsOwnHostOnly) {
  ExpectVerdicts({.entry_url = "http://127.0.0.1:8000/"},
                 {
                     {"http://127.0.0.1:8000/x", kTop, ""},
                     {"http://127.0.0.1:9000/x", kTop, "origin"},
                     {"http://127.0.0.1:9000/api", kResource, ""},
                     {"http://localhost:9000/api", kFrame, ""},
                     {"http://192.168.1.1/", kResource, "private_address"},
                     {"http://169.254.169.254/", kResource, "link_local"},
                     {"https://cdn.example/lib.js", kResource, ""},
                 });
  ExpectVerdicts({.entry_url = "http://192.168.1.5/"},
                 {
                     {"http://192.168.1.5:81/api", kResource, ""},
                     {"http://192.168.1.6/api", kResource, "private_address"},
                     {"http://127.0.0.1/", kResource, "private_address"},
                 });
}

TEST(Scope, AllowsOriginsByName) {
  ExpectVerdicts({.entry_url = "https://a.example/",
                  .allow_origins = {"https://b.example", "https://*.c.example", "//d.example:81",
                                    "http://10.0.0.1", "http://169.254.169.254"}},
                 {
                     {"https://b.example/x", kTop, ""},
                     {"http://b.example/x", kTop, "origin"},
                     {"https://b.example:444/x", kTop, "origin"},
                     {"https://x.c.example/", kTop, ""},
                     {"https://x.y.c.example/", kTop, ""},
                     {"https://c.example/", kTop, "origin"},
                     {"https://evilc.example/", kTop, "origin"},
                     {"http://d.example:81/", kTop, ""},
                     {"https://d.example:81/", kTop, ""},
                     {"https://d.example/", kTop, "origin"},
                     {"http://10.0.0.1/", kResource, ""},
                     {"http://10.0.0.2/", kResource, "private_address"},
                     {"http://169.254.169.254/", kResource, "link_local"},
                 });
  // The same host over TLS is the same site.
  ExpectVerdicts({.entry_url = "http://a.example/"},
                 {{"https://a.example/x", kTop, ""}, {"https://a.example:8443/", kTop, "origin"}});
}

TEST(Scope, KeepsFilesInTheEntrysFolder) {
  const std::map<std::string, std::string> links = {{"/site/index.html", "/site/index.html"},
                                                    {"/site/x.html", "/site/x.html"},
                                                    {"/site/sub/y.html", "/site/sub/y.html"},
                                                    {"/site/link.html", "/etc/passwd"},
                                                    {"/site/out", "/home/user"},
                                                    {"/site", "/site"},
                                                    {"/site/a b.html", "/site/a b.html"},
                                                    {"/site2/z.html", "/site2/z.html"},
                                                    {"/etc/passwd", "/etc/passwd"}};
  const PathResolver resolve = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = links.find(path);
    if (found == links.end()) return std::nullopt;
    return found->second;
  };
  const ScopePolicy policy = {.entry_url = "file:///site/index.html", .resolve_path = resolve};
  ExpectVerdicts(policy,
                 {
                     {"file:///site/index.html", kTop, ""},
                     {"file:///site/x.html?a=1#b", kTop, ""},
                     {"file:///site/sub/y.html", kFrame, ""},
                     {"file:///site/a%20b.html", kResource, ""},
                     {"file:///site/missing.css", kResource, ""},
                     {"file:/site/x.html", kTop, ""},
                     {"file://localhost/site/x.html", kTop, ""},
                     {"file:///etc/passwd", kFrame, "file_outside_entry"},
                     {"file:///site/../etc/passwd", kResource, "file_outside_entry"},
                     {"file:///site/%2e%2e/etc/passwd", kResource, "file_outside_entry"},
                     {"file:///site/..%2fetc/passwd", kResource, "file_outside_entry"},
                     {"file:///site/sub\\..\\..\\etc\\passwd", kResource, "file_outside_entry"},
                     {"file:///site/link.html", kResource, "file_outside_entry"},
                     {"file:///site/out/missing", kResource, "file_outside_entry"},
                     {"file:///site2/z.html", kTop, "file_outside_entry"},
                     {"file:///", kTop, "file_outside_entry"},
                     {"file://server/share/x", kResource, "invalid"},
                     {"file:///site/x%00.html", kResource, "invalid"},
                     {"https://cdn.example/lib.js", kResource, ""},
                     {"https://cdn.example/", kTop, "origin"},
                     {"http://127.0.0.1/", kResource, "private_address"},
                 });
}

TEST(Scope, ParsesAllowedOrigins) {
  const struct {
    const char* text;
    const char* want;  // nullptr: refused
  } kCases[] = {
      {"https://CDN.example", "https://cdn.example"},
      {"https://cdn.example:443/", "https://cdn.example"},
      {"https://*.a.example", "https://*.a.example"},
      {"a.example:8080", "//a.example:8080"},
      {"", nullptr},
      {"https://", nullptr},
      {"ftp://a.example", nullptr},
      {"https://a.example/x", nullptr},
      {"https://a.example?x", nullptr},
      {"https://u@a.example", nullptr},
      {"*", nullptr},
      {"https://*.com", nullptr},
      {"https://a*.example", nullptr},
      {"https://a.*.example", nullptr},
      {"https://a b", nullptr},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto origin = ParseAllowOrigin(c.text);
    ASSERT_EQ(origin.has_value(), c.want != nullptr);
    if (c.want != nullptr) {
      EXPECT_EQ(*origin, c.want);
    } else {
      EXPECT_FALSE(origin.error().hint.empty());
    }
  }
}

}  // namespace
}  // namespace topodb::capture
