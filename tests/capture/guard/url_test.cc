#include "capture/guard/url.h"

#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/guard/redact.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const UrlEntry kEntry = {"http://127.0.0.1:8000/shop/index.html", EntryScope::kOrigin};
const UrlEntry kFolder = {"http://127.0.0.1:8000/shop/index.html", EntryScope::kDirectory};

TEST(UrlCanonicalKey, NormalisesWhatMeansTheSame) {
  const struct {
    const char* url;
    const char* want;
  } kCases[] = {
      {"http://127.0.0.1:8000", "@entry/"},
      {"http://127.0.0.1:8000/shop/", "@entry/shop/"},
      {"HTTP://127.0.0.1:8000/a?b=2&a=1", "@entry/a?a=1&b=2"},
      {"http://127.0.0.1:8000/a?b=2&b=1&a=", "@entry/a?a=&b=2&b=1"},
      {"http://127.0.0.1:8000/a?utm_source=x&UTM_medium=y&id=3&fbclid=z&gclid=1", "@entry/a?id=3"},
      {"http://127.0.0.1:8000/a?utm_source=x", "@entry/a"},
      {"http://127.0.0.1:8000/a?", "@entry/a"},
      {"http://127.0.0.1:8000/a?&&x&", "@entry/a?x"},
      {"http://127.0.0.1:8000/a#top", "@entry/a"},
      {"http://127.0.0.1:8000/a#", "@entry/a"},
      {"http://127.0.0.1:8000/a#/users/3", "@entry/a#/users/3"},
      {"http://127.0.0.1:8000/a#!users", "@entry/a#!users"},
      {"http://127.0.0.1:8000/a#/u?b=2&utm_id=1&a=1", "@entry/a#/u?a=1&b=2"},
      {"http://127.0.0.1:8000/%7Eme/%c3%a9", "@entry/~me/%C3%A9"},
      {"http://127.0.0.1:8000/\xC3\xA9", "@entry/%C3%A9"},
      {"http://127.0.0.1:8000/a?q=a+b", "@entry/a?q=a%20b"},
      {"http://127.0.0.1:8000/a?q=a%20b", "@entry/a?q=a%20b"},
      {"http://127.0.0.1:8000/a/../b/./c", "@entry/b/c"},
      {"http://127.0.0.1:8000/a/%2e%2e/b", "@entry/b"},
      {"http://127.0.0.1:8000/../..", "@entry/"},
      {"http://127.0.0.1:8000/a%2fb", "@entry/a%2Fb"},
      {"http://u:p@127.0.0.1:8000/a?token=x", "@entry/a?token=REDACTED"},
      {"https://Other.Example:443/x", "https://other.example/x"},
      {"http://127.0.0.1:9000/x", "http://127.0.0.1:9000/x"},
      {"https://127.0.0.1:8000/x", "https://127.0.0.1:8000/x"},
      {"about:blank", "about:blank"},
      {"blob:http://127.0.0.1:8000/0f3c-11", "blob:@entry"},
      {"mailto:a@b.example", "mailto:a@b.example"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.url);
    EXPECT_EQ(UrlCanonicalKey(c.url, kEntry), c.want);
  }
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/a#top", kEntry, FragmentUse::kAlways),
            "@entry/a#top");
  // Content, whatever its length.
  const auto data = UrlCanonicalKey("data:text/html,<p>" + std::string(100000, 'x'), kEntry);
  EXPECT_TRUE(data.starts_with("data:"));
  EXPECT_EQ(data.size(), 37U);
  EXPECT_NE(data, UrlCanonicalKey("data:text/html,<p>", kEntry));
}

TEST(UrlParts, NormalEscapesStayAsTheyAre) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"%7e%c3", "~%C3"},
      {"100%", "100%25"},
      {"%zz", "%25zz"},
      {"%%41", "%25A"},
      {"%4%31",
       "%25"
       "41"},
      {"%25"
       "41",
       "%25"
       "41"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(NormalizePercent(c.text), c.want);
    EXPECT_EQ(NormalizePercent(c.want), c.want);
    EXPECT_EQ(PercentDecode(c.text), PercentDecode(c.want));
  }
}

TEST(UrlCanonicalKey, IsTheSameOnAnotherPortHostOrFolder) {
  const UrlEntry elsewhere = {"https://other.example/copy/index.html", EntryScope::kOrigin};
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/x?a=1", kEntry),
            UrlCanonicalKey("https://other.example/x?a=1", elsewhere));

  const UrlEntry folder = {"https://other.example/copy/index.html", EntryScope::kDirectory};
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/shop/x?a=1", kFolder), "@entry/x?a=1");
  EXPECT_EQ(UrlCanonicalKey("https://other.example/copy/x?a=1", folder), "@entry/x?a=1");
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/shop/", kFolder), "@entry/");
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/x", kFolder), "@origin/x");
  EXPECT_EQ(UrlCanonicalKey("http://127.0.0.1:8000/shopping/x", kFolder), "@origin/shopping/x");

  const UrlEntry file = {"file:///a/b/index.html", EntryScope::kDirectory};
  const UrlEntry moved = {"file:///c/index.html", EntryScope::kDirectory};
  EXPECT_EQ(UrlCanonicalKey("file:///a/b/x.html", file), "@entry/x.html");
  EXPECT_EQ(UrlCanonicalKey("file:///c/x.html", moved), "@entry/x.html");
  EXPECT_EQ(UrlCanonicalKey("file:///a/b/x.html", {file.url, EntryScope::kOrigin}),
            "@entry/a/b/x.html");
  EXPECT_EQ(UrlCanonicalKey("file:///a/b/x.html", kFolder), "file:///a/b/x.html");
  EXPECT_EQ(UrlCanonicalKey("file:a/x.html", kFolder), "file:///a/x.html");
}

TEST(Url, GivesOriginRouteAndTemplate) {
  EXPECT_EQ(Origin("HTTPS://A.Example:443/x"), "https://a.example");
  EXPECT_EQ(Origin("http://u:p@a.example:81/x"), "http://a.example:81");
  EXPECT_EQ(Origin("http://[::1]:80/"), "http://[::1]");
  EXPECT_EQ(Origin("file:///a/b"), "file:");
  EXPECT_EQ(Origin("data:text/html,x"), "data:");
  EXPECT_EQ(Origin("/relative"), "");
  EXPECT_EQ(Origin("http://"), "");
  // No port, but neither the origin of another host.
  EXPECT_EQ(Origin("http://a.example:80:80/"), "http://a.example:80:80");
  EXPECT_EQ(Origin("http://a.example::/"), "http://a.example::");
  EXPECT_EQ(OriginKey("http://127.0.0.1:8000/x", kEntry), "@entry");
  EXPECT_EQ(OriginKey("http://127.0.0.1:8001/x", kEntry), "http://127.0.0.1:8001");
  EXPECT_EQ(OriginKey("", {"", EntryScope::kOrigin}), "");

  EXPECT_EQ(Route("http://a.example/x/y?z=1#top"), "/x/y");
  EXPECT_EQ(Route("http://a.example/app#/users"), "/app#/users");
  EXPECT_EQ(Route("http://a.example"), "/");
  EXPECT_EQ(Route("about:blank"), "blank");

  const struct {
    const char* url;
    const char* want;
  } kTemplates[] = {
      {"http://a.example/product/17?id=3&tab=x", "/product/#?id=#&tab=x"},
      {"http://a.example/p/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/p/#"},
      {"http://a.example/p/5f2b9c3e8a1d", "/p/#"},
      {"http://a.example/p/a1B2c3D4e5F6g7H8i9J0k", "/p/#"},
      {"http://a.example/p/item-17", "/p/item-#"},
      {"http://a.example/p/red-shoes-for-running-men", "/p/red-shoes-for-running-men"},
      {"http://a.example/#/users/3?x=4", "/#/users/#?x=#"},
      {"http://a.example/?token=abc", "/?token=#"},
      {"", ""},
  };
  for (const auto& c : kTemplates) {
    SCOPED_TRACE(c.url);
    EXPECT_EQ(PathTemplate(c.url), c.want);
  }
}

class ResolveInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::canonical(fs::temp_directory_path()) / ("topodb_url_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "a b");
    std::ofstream(folder_ / "a b" / "50%#?.html") << "x";
    fs::create_symlink(folder_ / "a b", folder_ / "link");
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(ResolveInputTest, TakesFilesAndUrls) {
  const auto base = "file://" + folder_.string();
  EXPECT_EQ(ResolveInput((folder_ / "a b/50%#?.html").string()).value(),
            base + "/a%20b/50%25%23%3F.html");
  EXPECT_EQ(ResolveInput((folder_ / "link/50%#?.html").string()).value(),
            base + "/a%20b/50%25%23%3F.html");
  EXPECT_EQ(ResolveInput((folder_ / "link").string()).value(), base + "/a%20b/");
  EXPECT_EQ(ResolveInput(base + "/link/50%25%23%3F.html#/x").value(),
            base + "/a%20b/50%25%23%3F.html#/x");
  EXPECT_EQ(ResolveInput("http://a.example/x?y=1#z").value(), "http://a.example/x?y=1#z");
  EXPECT_EQ(ResolveInput(" https://a.example ").value(), "https://a.example/");
}

TEST_F(ResolveInputTest, RefusesTheRestWithAHint) {
  const struct {
    const char* input;
    const char* message;
    const char* hint;
  } kCases[] = {
      {"example.com", "neither a URL nor an existing file", "https://example.com"},
      {"localhost:8000/x", "neither a URL nor an existing file", "https://localhost:8000/x"},
      {"ftp://a.example/", "cannot capture a ftp: URL", "only http, https and file"},
      {"javascript:alert(1)", "cannot capture a javascript: URL", "only http"},
      {"chrome://version", "cannot capture a chrome: URL", "only http"},
      {"http://", "names no host", "whole URL"},
      {"", "names no host", "whole URL"},
      {"/no/such/file.html", "neither a URL nor an existing file", ""},
      {"file:///no/such/file.html", "no such file", ""},
      {"file:///no%00such", "no such file", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.input);
    const auto url = ResolveInput(c.input);
    ASSERT_FALSE(url);
    EXPECT_EQ(url.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(url.error().message, HasSubstr(c.message));
    EXPECT_THAT(url.error().hint, HasSubstr(c.hint));
  }
}

TEST(UrlFuzz, NothingCrashesAndKeysAreStable) {
  const std::string_view kPieces[] = {
      "http:", "//", "a.example", ":80",   "/",     "..",          "%2e", "%",    "%zz",   "?",
      "&",     "=",  "#",         "#/",    "@",     "[",           "::1", "]",    "token", "\xFF",
      "\n",    " ",  "\\",        "data:", "blob:", "javascript:", ";",   "utm_x"};
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::string url = random() % 2 == 0 ? "http://127.0.0.1:8000/" : "";
    for (size_t i = random() % 14; i > 0; --i) url += kPieces[random() % std::size(kPieces)];
    const auto redacted = RedactUrl(url);
    EXPECT_EQ(RedactUrl(redacted), redacted) << url;
    const auto key = UrlCanonicalKey(url, kFolder);
    EXPECT_EQ(UrlCanonicalKey(redacted, kFolder), key) << url;
    EXPECT_EQ(JoinUrl(SplitUrl(JoinUrl(SplitUrl(url)))), JoinUrl(SplitUrl(url))) << url;
    (void)Route(url);
    (void)PathTemplate(url);
    (void)OriginKey(url, kEntry);
  }
}

}  // namespace
}  // namespace topodb::capture
