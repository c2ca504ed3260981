#include "capture/guard/redact.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

// Made up, but of the real shapes; put together so that no scanner takes this file for a leak.
const std::string kJwt =
    "eyJhbGciOiJIUzI1NiJ9."
    "eyJzdWIiOiIxMjM0NTY3ODkwIn0."
    "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
const std::string kAws = std::string("AKIA") + "IOSFODNN7EXAMPLE";
const std::string kGitHub = std::string("ghp_") + "abcdefghijklmnopqrstuvwxyz0123456789";

TEST(RedactUrl, HidesSecretsAndNothingElse) {
  const struct {
    std::string url;
    std::string want;
  } kCases[] = {
      {"https://user:pw@a.example/x", "https://REDACTED@a.example/x"},
      {"https://user@a.example/", "https://REDACTED@a.example/"},
      {"https://a@b@c.example/", "https://REDACTED@c.example/"},
      {"//user:pw@a.example/x", "//REDACTED@a.example/x"},
      {"https://a.example/?token=abc&page=2", "https://a.example/?token=REDACTED&page=2"},
      {"https://a.example/?page=2;token=abc", "https://a.example/?page=2;token=REDACTED"},
      {"https://a.example/?a%63cess_token=abc", "https://a.example/?a%63cess_token=REDACTED"},
      {"https://a.example/?PHPSESSID=abc&apiKey=k&sig=s",
       "https://a.example/?PHPSESSID=REDACTED&apiKey=REDACTED&sig=REDACTED"},
      {"https://a.example/?token=", "https://a.example/?token="},
      {"https://a.example/cb#access_token=abc&expires=3",
       "https://a.example/cb#access_token=REDACTED&expires=3"},
      {"https://a.example/#/route?code=abc&x=1", "https://a.example/#/route?code=REDACTED&x=1"},
      {"https://a.example/x;jsessionid=12AB/y?z=1",
       "https://a.example/x;jsessionid=REDACTED/y?z=1"},
      {"https://a.example/" + kJwt + "/x", "https://a.example/REDACTED/x"},
      {"https://a.example/?x=" + kAws, "https://a.example/?x=REDACTED"},
      {"https://a.example/?x=" + kGitHub + "&y=1", "https://a.example/?x=REDACTED&y=1"},
      {"https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3Dabc",
       "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3DREDACTED"},
      {"https://a.example/?next=/y?token=abc", "https://a.example/?next=/y?token=REDACTED"},
      {"https://a.example/?u=https://x:y@b.example/",
       "https://a.example/?u=https://REDACTED@b.example/"},
      {"/relative?session=abc", "/relative?session=REDACTED"},
      {"javascript:login('password=abc')", "javascript:login('password=REDACTED')"},
      // Where only a value, a path or a query was expected.
      {"https://a.example/?" + kAws + "=1", "https://a.example/?REDACTED=1"},
      {"/go/" + kAws + "/https://b.example/x", "/go/REDACTED/https://b.example/x"},
      {"/x;jsessionid=12AB/https://b.example/", "/x;jsessionid=REDACTED/https://b.example/"},
      {"https://" + kAws + ".example/", "https://REDACTED.example/"},
      {"https://a.example/#/r&next=https%3A%2F%2Fb%2F%3Fapi_key%3Dx?y=1",
       "https://a.example/#/r&next=https%3A%2F%2Fb%2F%3Fapi_key%3DREDACTED?y=1"},
      {"https://a.example/#/r&code=abc?y=1", "https://a.example/#/r&code=REDACTED?y=1"},
      // What is left of the cookie is the beginning of another.
      {"Cookie: a=b https://u:p@a.example/ c=d", "Cookie: REDACTED"},

      {"https://a.example/?q=token&page=2#top", "https://a.example/?q=token&page=2#top"},
      {"https://a.example/?country_code=de&sort_key=name",
       "https://a.example/?country_code=de&sort_key=name"},
      {"https://a.example/a@b/c", "https://a.example/a@b/c"},
      {"https://a.example/?mail=a@b.example", "https://a.example/?mail=a@b.example"},
      {"https://a.example/%zz?%=1&&=#", "https://a.example/%zz?%=1&&=#"},
      {"mailto:a@b.example", "mailto:a@b.example"},
      {"about:blank", "about:blank"},
      {"data:text/html,<p>hello</p>", "data:text/html,<p>hello</p>"},
      {"", ""},
      {"::", "::"},
      {"http://", "http://"},
      {"\xFF\xFE?\x01=\x02", "\xFF\xFE?\x01=\x02"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.url);
    EXPECT_EQ(RedactUrl(c.url), c.want);
    EXPECT_EQ(RedactUrl(c.want), c.want) << "not idempotent";
  }
}

TEST(RedactText, HidesCredentialsAndNothingElse) {
  const struct {
    std::string text;
    std::string want;
  } kCases[] = {
      {"your key: " + kAws + ".", "your key: REDACTED."},
      {"(" + kJwt + ")", "(REDACTED)"},
      {"Bearer " + kJwt, "Bearer REDACTED"},
      {"Authorization: Basic dXNlcjpwYXNz\nX: y", "Authorization: REDACTED\nX: y"},
      {"curl -H 'bearer abcDEF123456789' x", "curl -H 'bearer REDACTED' x"},
      {"Cookie: sid=1; theme=dark", "Cookie: REDACTED"},
      {"password=hunter2 and more", "password=REDACTED and more"},
      {"see https://u:p@a.example/x", "see https://REDACTED@a.example/x"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- tail", "REDACTED tail"},
      {"xoxb-"
       "1234567890-abcdef",
       "REDACTED"},
      {"sk_live_"
       "abcdefghijklmnop1234",
       "REDACTED"},
      {"two " + kAws + " " + kGitHub, "two REDACTED REDACTED"},

      {"The basic idea is simple", "The basic idea is simple"},
      {"Bearer of good news", "Bearer of good news"},
      {"Cookie: a short history", "Cookie: a short history"},
      {"Forgot your password?", "Forgot your password?"},
      {"Press key=enter", "Press key=enter"},
      {"a=b, x == y", "a=b, x == y"},
      {"AKIA is a prefix", "AKIA is a prefix"},
      {"mail a@b.example: hi", "mail a@b.example: hi"},
      {"", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(RedactText(c.text), c.want);
    EXPECT_EQ(RedactText(c.want), c.want) << "not idempotent";
  }
}

TEST(RedactText, TakesHostileTextInBoundedTime) {
  for (const std::string_view piece :
       {"-eyJ", "eyJaaaaaaaaaa.", "cookie:", "://", "/;", "token", "AKIA", "bearer ", "-----BEGIN ",
        "token=a", "%3Ftoken%3D"}) {
    std::string text;
    while (text.size() < (1U << 18U)) text += piece;
    SCOPED_TRACE(piece);
    EXPECT_LE(RedactText(text).size(), text.size() * 3);
    EXPECT_LE(RedactUrl("http://a/?x=" + text).size(), text.size() * 3);
  }
}

TEST(IsSecretKey, KnowsNames) {
  for (const char* name : {"token",
                           "access_token",
                           "accessToken",
                           "id-token",
                           "csrfmiddlewaretoken",
                           "code",
                           "auth_code",
                           "key",
                           "api_key",
                           "apikey",
                           "X-Api-Key",
                           "sig",
                           "signature",
                           "X-Amz-Signature",
                           "session",
                           "session_id",
                           "sid",
                           "PHPSESSID",
                           "JSESSIONID",
                           "jwt",
                           "auth",
                           "Authorization",
                           "password",
                           "user[password]",
                           "passwd",
                           "pwd",
                           "client_secret",
                           "otp",
                           "cvv",
                           "TOKEN",
                           "authenticity_token"}) {
    EXPECT_TRUE(IsSecretKey(name)) << name;
  }
  for (const char* name : {"",         "q",         "page",         "keyword",   "keys",
                           "author",   "authors",   "country_code", "zip-code",  "postcode",
                           "sort_key", "errorCode", "encode",       "passenger", "compass",
                           "signup",   "design",    "monkey",       "tokens",    "obsession",
                           "\xFF"}) {
    EXPECT_FALSE(IsSecretKey(name)) << name;
  }
}

TEST(IsSecretField, KnowsFields) {
  const FieldFacts kSecret[] = {
      {.input_type = "password"},
      {.input_type = "PASSWORD", .name = "x"},
      {.input_type = "text", .autocomplete = "one-time-code"},
      {.input_type = "text", .autocomplete = "section-a cc-number"},
      {.input_type = "text", .autocomplete = "cc-exp-month"},
      {.input_type = "text", .autocomplete = "new-password"},
      {.input_type = "text", .name = "userPassword"},
      {.input_type = "tel", .name = "card_number"},
      {.input_type = "text", .id = "cvc"},
      {.input_type = "number", .label = "Verification code"},
      {.input_type = "", .label = "Passwort"},
      {.input_type = "text", .label = "Numéro de carte"},
      {.input_type = "text", .label = "密码"},
      {.input_type = "text", .label = "パスワード（必須）"},
      {.input_type = "text", .label = "비밀번호"},
      {.input_type = "text", .label = "Пароль"},
      {.input_type = "text", .label = "كلمة المرور"},
      {.input_type = "text", .label = "Şifre"},
      {.input_type = "text", .label = "पासवर्ड"},
  };
  for (const auto& field : kSecret) {
    EXPECT_TRUE(IsSecretField(field)) << field.input_type << field.name << field.id << field.label;
  }
  const FieldFacts kPlain[] = {
      {},
      {.input_type = "text", .name = "city", .label = "City"},
      {.input_type = "search", .name = "q"},
      {.input_type = "checkbox", .name = "show_password", .label = "Show password"},
      {.input_type = "submit", .label = "Reset password"},
      {.input_type = "text", .name = "country_code", .autocomplete = "postal-code"},
      {.input_type = "text", .label = "Business card", .autocomplete = "email"},
  };
  for (const auto& field : kPlain) {
    EXPECT_FALSE(IsSecretField(field)) << field.input_type << field.name << field.label;
  }
}

}  // namespace
}  // namespace topodb::capture
