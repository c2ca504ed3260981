#include "capture/guard/url.h"

#include <algorithm>
#include <string>

#include "capture/guard/redact.h"
#include "capture/guard/url_parts.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture;

const UrlEntry kEntry{"http://127.0.0.1:8000/shop/index.html", EntryScope::kOrigin};

bool HasDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A blank or control in a host makes no URL, and none at its end survives.
bool EndsVisibly(std::string_view host) {
  return host.empty() || static_cast<unsigned char>(host.back()) > 0x20;
}

void CheckParts(std::string_view url) {
  const auto parts = SplitUrl(url);
  // "http://" and nothing behind it leads nowhere; put together it can swallow its path.
  const bool leads = !parts.has_authority || !parts.host.empty() || parts.scheme == "file";
  if (leads && EndsVisibly(parts.host)) {
    const std::string joined = JoinUrl(parts);
    Require(JoinUrl(SplitUrl(joined)) == joined, "a URL taken apart twice is the same", url);
  }
  const std::string normal = NormalizePercent(url);
  Require(NormalizePercent(normal) == normal, "normal escapes stay as they are", url);
  Require(PercentDecode(normal) == PercentDecode(url), "normal escapes mean the same", url);
  const std::string path = RemoveDotSegments(url);
  Require(RemoveDotSegments(path) == path, "a path without dot segments stays as it is", url);
  const auto pairs = SplitQuery(url);
  Require(SplitQuery(JoinQuery(pairs)) == pairs, "a query taken apart twice is the same", url);
}

void CheckKeys(std::string_view url) {
  const std::string key = UrlCanonicalKey(url, kEntry);
  Require(UrlCanonicalKey(RedactUrl(url), kEntry) == key, "a redacted URL has the same key", url);
  // The key of a URL elsewhere is a URL itself; an escape in it may show what was taken for text.
  const bool is_url =
      key.starts_with("http://") || key.starts_with("https://") || key.starts_with("file://");
  if (is_url && RedactUrl(key) == key) {
    Require(UrlCanonicalKey(key, kEntry) == key, "a key is its own key", url);
  }
  const std::string origin = Origin(url);
  if (origin.starts_with("http") && EndsVisibly(origin)) {
    Require(Origin(origin) == origin, "an origin is its own origin", url);
  }
  const std::string place = PathTemplate(url);
  Require(!HasDigit(std::string_view(place).substr(0, place.find('?'))),
          "a template's path has no numbers", url);
}

// The same page of a copied site.
void CheckCopies(std::string_view path) {
  const std::string here = "http://127.0.0.1:8000/" + std::string(path);
  const std::string there = "https://copy.example/" + std::string(path);
  const UrlEntry copy{"https://copy.example/shop/index.html", EntryScope::kOrigin};
  Require(UrlCanonicalKey(here, kEntry) == UrlCanonicalKey(there, copy),
          "a copied site has the same keys", path);
  Require(Route(here) == Route(there) && PathTemplate(here) == PathTemplate(there),
          "a copied site has the same routes", path);
}

FUZZ_TARGET(url) {
  CheckParts(input);
  CheckKeys(input);
  CheckCopies(input);
}

}  // namespace
}  // namespace topodb::fuzz
