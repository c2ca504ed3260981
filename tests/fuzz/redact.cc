#include "capture/guard/redact.h"

#include <string>

#include <fmt/format.h>

#include "capture/guard/url.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void CheckIdempotent(std::string_view text) {
  const std::string plain = RedactText(text);
  Require(RedactText(plain) == plain, "redacted text stays as it is", text);
  const std::string url = RedactUrl(text);
  Require(RedactUrl(url) == url, "a redacted URL stays as it is", text);
}

// Put together so that no scanner takes this file for a leak.
const std::string& Key() {
  static const std::string key = std::string("AKIA") + "IOSFODNN7EXAMPLE";
  return key;
}

constexpr std::string_view kSecret = "s3cr3tPassw0rd";

// A secret between any two texts does not come through, whatever they are.
void CheckText(std::string_view before, std::string_view after) {
  for (const auto& text : {fmt::format("{} {} {}", before, Key(), after),
                           fmt::format("{} password={} {}", before, kSecret, after),
                           fmt::format("{}\nAuthorization: Basic {}\n{}", before, kSecret, after),
                           fmt::format("{} https://me:{}@a.example/ {}", before, kSecret, after)}) {
    const std::string redacted = RedactText(text);
    Require(!Contains(redacted, Key()) && !Contains(redacted, kSecret), "text keeps no secret",
            text);
    CheckIdempotent(text);
  }
}

void CheckUrl(std::string_view before, std::string_view after) {
  const UrlEntry entry{"http://a.example/", EntryScope::kOrigin};
  for (const auto& url :
       {fmt::format("http://a.example/{}?x={}&token={}&{}", before, before, kSecret, after),
        fmt::format("http://a.example/{}&code={}#{}", before.empty() ? "?" : "?x=", kSecret, after),
        fmt::format("http://a.example/?{}&next=http%3A%2F%2Fb%2F%3Fapi_key%3D{}&{}", before,
                    kSecret, after),
        fmt::format("http://me:{}@a.example/{}", kSecret, after),
        fmt::format("http://a.example/{}#access_token={}&{}", before, kSecret, after),
        fmt::format("{}/{}/{}", before, Key(), after)}) {
    for (const auto& redacted : {RedactUrl(url), UrlCanonicalKey(url, entry, FragmentUse::kAlways),
                                 Route(url), PathTemplate(url)}) {
      Require(!Contains(redacted, Key()) && !Contains(redacted, kSecret), "a URL keeps no secret",
              url);
    }
    CheckIdempotent(url);
  }
}

FUZZ_TARGET(redact) {
  input = input.substr(0, 256);  // longer ones say nothing more, slowly
  CheckIdempotent(input);
  // Inside a word, or with no name before it, nothing tells it from other text.
  if (Contains(input, Key()) || Contains(input, kSecret)) return;
  Input parts(input);
  const auto before = parts.Line();
  const auto after = parts.Rest();
  CheckText(before, after);
  CheckUrl(before, after);
}

}  // namespace
}  // namespace topodb::fuzz
