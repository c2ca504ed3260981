#include "capture/guard/url.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "capture/guard/redact.h"
#include "capture/guard/url_parts.h"
#include "schema/base/hash.h"

namespace topodb::capture {
namespace {

constexpr auto kTrackingKeys =
    std::to_array<std::string_view>({"fbclid",      "gclid",      "gclsrc",
                                     "dclid",       "gbraid",     "wbraid",
                                     "msclkid",     "yclid",      "ymclid",
                                     "mc_cid",      "mc_eid",     "igshid",
                                     "igsh",        "_ga",        "_gl",
                                     "_hsenc",      "_hsmi",      "__hstc",
                                     "__hssc",      "__hsfp",     "hsctatracking",
                                     "mkt_tok",     "vero_id",    "vero_conv",
                                     "oly_anon_id", "oly_enc_id", "ttclid",
                                     "twclid",      "li_fat_id",  "ref_src",
                                     "ref_url",     "s_cid",      "icid",
                                     "wickedid",    "rb_clickid", "_openstat",
                                     "epik",        "srsltid",    "_branch_match_id",
                                     "s_kwcid",     "ef_id"});
constexpr auto kTrackingPrefixes =
    std::to_array<std::string_view>({"utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_"});

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool IsTracking(std::string_view key) {
  const auto lower = Lower(PercentDecode(key));
  return std::find(kTrackingKeys.begin(), kTrackingKeys.end(), lower) != kTrackingKeys.end() ||
         std::any_of(kTrackingPrefixes.begin(), kTrackingPrefixes.end(),
                     [&](std::string_view prefix) { return lower.starts_with(prefix); });
}

bool IsRoute(std::string_view fragment) {
  return !fragment.empty() && (fragment.front() == '/' || fragment.front() == '!');
}

// '+' and "%20" both mean a blank in a query.
std::string NormalizeQueryText(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return NormalizePercent(spaced);
}

std::string NormalizeQuery(std::string_view query) {
  auto pairs = SplitQuery(query);
  std::erase_if(pairs, [](const QueryPair& pair) { return IsTracking(pair.key); });
  for (auto& pair : pairs) {
    pair.key = NormalizeQueryText(pair.key);
    pair.value = NormalizeQueryText(pair.value);
  }
  // Stable: the order of equal keys can mean something.
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& left, const auto& right) { return left.key < right.key; });
  return JoinQuery(pairs);
}

std::string NormalPath(std::string_view path) { return NormalizePercent(RemoveDotSegments(path)); }

std::string NormalFragment(std::string_view fragment) {
  const auto mark = fragment.find('?');
  if (!IsRoute(fragment) || mark == std::string_view::npos) return NormalizePercent(fragment);
  const auto query = NormalizeQuery(fragment.substr(mark + 1));
  return NormalizePercent(fragment.substr(0, mark)) + (query.empty() ? "" : "?" + query);
}

std::string OriginOf(const UrlParts& parts) {
  if (parts.scheme.empty()) return "";
  if (parts.scheme == "file" || !IsHierarchical(parts)) return parts.scheme + ":";
  if (parts.host.empty()) return "";
  return parts.scheme + "://" + parts.host + (parts.port.empty() ? "" : ":" + parts.port);
}

std::string Directory(const UrlParts& entry) {
  const auto path = NormalPath(entry.path);
  return path.substr(0, path.rfind('/') + 1);
}

// Origin and path, with what belongs to the entry written relative to it.
std::string PlaceKey(const UrlParts& parts, const UrlEntry& entry) {
  const auto entry_parts = SplitUrl(entry.url);
  const auto origin = OriginOf(parts);
  const auto path = NormalPath(parts.path);
  if (origin.empty() || origin != OriginOf(entry_parts)) {
    if (parts.scheme != "file") return origin + path;
    return (path.starts_with('/') ? "file://" : "file:///") + path;
  }
  if (entry.scope == EntryScope::kOrigin) return "@entry" + path;
  const auto directory = Directory(entry_parts);
  if (!directory.empty() && path.starts_with(directory)) {
    return "@entry/" + path.substr(directory.size());
  }
  return "@origin" + path;
}

// Opaque URLs: about: as it is; blob: by its origin, its id is random; others by content.
std::string OpaqueKey(const UrlParts& parts, const UrlEntry& entry) {
  if (parts.scheme == "blob") return "blob:" + OriginKey(parts.path, entry);
  if (parts.scheme == "data") return "data:" + ToHex(HashBytes(JoinUrl(parts)));
  return parts.scheme + ":" + NormalizePercent(parts.path) +
         (parts.query ? "?" + NormalizeQuery(*parts.query) : "");
}

bool IsHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A uuid, a long hex number, or a long mix of letters and digits.
bool IsGenerated(std::string_view token) {
  constexpr size_t kHexLength = 12, kMixedLength = 20;
  const auto digits =
      std::count_if(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits == 0) return false;
  const bool hex =
      std::all_of(token.begin(), token.end(), [](char c) { return IsHex(c) || c == '-'; });
  if (hex && token.size() >= kHexLength) return true;
  const bool one_word = token.find_first_of(" .-_~%+") == std::string_view::npos;
  return one_word && digits >= 2 && token.size() >= kMixedLength;
}

std::string MaskToken(std::string_view token) {
  if (IsGenerated(token) || token == kRedacted) return "#";
  std::string masked;
  bool in_digits = false;
  for (const char c : token) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) masked += c;
    if (digit && !in_digits) masked += '#';
    in_digits = digit;
  }
  return masked;
}

std::string MaskPath(std::string_view path) {
  std::string masked;
  while (true) {
    const auto slash = std::min(path.find('/'), path.size());
    masked += MaskToken(PercentDecode(path.substr(0, slash)));
    if (slash == path.size()) return masked;
    masked += '/';
    path.remove_prefix(slash + 1);
  }
}

std::string MaskQuery(std::string_view query) {
  auto pairs = SplitQuery(NormalizeQuery(query));
  for (auto& pair : pairs) pair.value = MaskToken(pair.value);
  return pairs.empty() ? "" : "?" + JoinQuery(pairs);
}

std::string EncodePath(std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    switch (c) {  // would end the path or start an escape
      case '%':
        escaped += "%25";
        break;
      case '?':
        escaped += "%3F";
        break;
      case '#':
        escaped += "%23";
        break;
      case '\\':
        escaped += "%5C";
        break;
      default:
        escaped += c;
    }
  }
  return NormalizePercent(escaped);
}

Result<std::string> FileUrl(const std::filesystem::path& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  if (error) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("cannot open '{}': {}", path.string(), error.message())};
  }
  auto url = "file://" + EncodePath(real.string());
  if (std::filesystem::is_directory(real, error) && url.back() != '/') url += '/';
  return url;
}

}  // namespace

std::string UrlCanonicalKey(std::string_view url, const UrlEntry& entry, FragmentUse fragments) {
  auto parts = SplitUrl(RedactUrl(url));
  if (!parts.scheme.empty() && !IsHierarchical(parts)) return OpaqueKey(parts, entry);
  std::string key = PlaceKey(parts, entry);
  if (parts.query) {
    if (const auto query = NormalizeQuery(*parts.query); !query.empty()) key += "?" + query;
  }
  if (parts.fragment && !parts.fragment->empty() &&
      (fragments == FragmentUse::kAlways || IsRoute(*parts.fragment))) {
    key += "#" + NormalFragment(*parts.fragment);
  }
  return key;
}

std::string Origin(std::string_view url) { return OriginOf(SplitUrl(url)); }

std::string_view WithoutQuery(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

std::string OriginKey(std::string_view url, const UrlEntry& entry) {
  auto origin = Origin(url);
  return !origin.empty() && origin == Origin(entry.url) ? "@entry" : origin;
}

std::string Route(std::string_view url) {
  const auto parts = SplitUrl(RedactUrl(url));
  std::string route = parts.path;
  if (parts.fragment && IsRoute(*parts.fragment)) route += "#" + *parts.fragment;
  return route;
}

std::string PathTemplate(std::string_view url) {
  const auto parts = SplitUrl(RedactUrl(url));
  std::string masked = MaskPath(RemoveDotSegments(parts.path));
  if (parts.query) masked += MaskQuery(*parts.query);
  if (parts.fragment && IsRoute(*parts.fragment)) {
    const auto& fragment = *parts.fragment;
    const auto mark = std::min(fragment.find('?'), fragment.size());
    masked += "#" + MaskPath(std::string_view(fragment).substr(0, mark));
    if (mark < fragment.size()) masked += MaskQuery(std::string_view(fragment).substr(mark + 1));
  }
  return masked;
}

Result<std::string> ResolveInput(std::string_view input) {
  const auto parts = SplitUrl(input);
  const bool web = parts.scheme == "http" || parts.scheme == "https";
  if (web && !parts.host.empty()) return JoinUrl(parts);
  std::error_code error;
  if (parts.scheme == "file") {
    const auto path = PercentDecode(parts.path);
    if (path.find('\0') != std::string::npos || !std::filesystem::exists(path, error)) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("no such file: {}", path)};
    }
    auto url = FileUrl(path);
    if (!url) return url;
    const auto query = parts.query ? "?" + *parts.query : "";
    return *url + query + (parts.fragment ? "#" + *parts.fragment : "");
  }
  const std::string text(input);
  if (!text.empty() && text.find('\0') == std::string::npos &&
      std::filesystem::exists(text, error)) {
    return FileUrl(text);
  }
  if (web || input.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' names no host", RedactUrl(input)),
                 "write the whole URL, such as https://example.com/"};
  }
  // "localhost:8000" looks like a scheme to a parser, and like a host to everybody else.
  const bool port = !parts.path.empty() && parts.path.front() >= '0' && parts.path.front() <= '9';
  if (!parts.scheme.empty() && !port) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("cannot capture a {}: URL", parts.scheme),
                 "only http, https and file URLs can be captured"};
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("'{}' is neither a URL nor an existing file", RedactUrl(input)),
               fmt::format("for a web site write https://{}", RedactUrl(input))};
}

}  // namespace topodb::capture
