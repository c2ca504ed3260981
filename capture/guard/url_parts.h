#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// URLs as browsers write and read them, which is wider than RFC 3986. Pure; any bytes are accepted.
namespace topodb::capture {

struct UrlParts {
  std::string scheme;  // lower case; empty for a relative reference
  bool has_authority = false;
  std::string userinfo;
  std::string host;  // lower case, brackets of IPv6 kept
  std::string port;  // empty when absent or the scheme's default
  std::string path;  // of opaque URLs (data:, mailto:, about:) everything up to '?' or '#'
  std::optional<std::string> query, fragment;  // without '?' and '#'
};

// Tabs and line breaks are dropped, blanks around too, and in http, https, ws, wss, ftp and file
// URLs '\' counts as '/', as browsers do.
UrlParts SplitUrl(std::string_view url);
// The parts put together again; "REDACTED@" and the like are the caller's.
std::string JoinUrl(const UrlParts& parts);

// http, https, ws, wss, ftp, file: a '/'-separated path and '\' as '/'.
bool IsHierarchical(const UrlParts& parts);

// `plus`: what '+' means, ' ' in form-encoded queries.
enum class Plus : unsigned char { kLiteral, kSpace };
std::string PercentDecode(std::string_view text, Plus plus = Plus::kLiteral);

// Encoded unreserved characters decoded, everything that must not stand raw encoded, digits of
// escapes in upper case.
std::string NormalizePercent(std::string_view text);

// Without "." and ".." segments, also when written "%2e". Never climbs above the root.
std::string RemoveDotSegments(std::string_view path);

struct QueryPair {
  std::string key, value;  // as written
  bool has_equals = false;
  bool operator==(const QueryPair&) const = default;
};
// Empty pairs are left out.
std::vector<QueryPair> SplitQuery(std::string_view query);
std::string JoinQuery(const std::vector<QueryPair>& pairs);

}  // namespace topodb::capture
