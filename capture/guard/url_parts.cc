#include "capture/guard/url_parts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace topodb::capture {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte of the escape at `at`, or -1.
int EscapedByte(std::string_view text, size_t at) {
  if (text[at] != '%' || at + 2 >= text.size()) return -1;
  const int high = HexValue(text[at + 1]), low = HexValue(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool IsUnreserved(char c) {
  return IsAlpha(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool MustEscape(char c) {
  constexpr std::string_view kUnsafe = " \"<>\\^`{|}";
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte >= 0x7F || kUnsafe.find(c) != std::string_view::npos;
}

std::string Trim(std::string_view url) {
  while (!url.empty() && static_cast<unsigned char>(url.front()) <= 0x20) url.remove_prefix(1);
  while (!url.empty() && static_cast<unsigned char>(url.back()) <= 0x20) url.remove_suffix(1);
  std::string trimmed;
  trimmed.reserve(url.size());
  for (const char c : url) {
    if (c != '\t' && c != '\n' && c != '\r') trimmed += c;
  }
  return trimmed;
}

size_t SchemeLength(std::string_view url) {
  if (url.empty() || !IsAlpha(url.front())) return 0;
  for (size_t i = 1; i < url.size(); ++i) {
    if (url[i] == ':') return i;
    if (!IsAlpha(url[i]) && !IsDigit(url[i]) && url[i] != '+' && url[i] != '-' && url[i] != '.') {
      return 0;
    }
  }
  return 0;
}

std::string_view DefaultPort(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return "80";
  if (scheme == "https" || scheme == "wss") return "443";
  if (scheme == "ftp") return "21";
  return {};
}

void SplitAuthority(std::string_view authority, UrlParts& parts) {
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    parts.userinfo = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  const auto bracket = authority.rfind(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    parts.port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
    if (parts.port == DefaultPort(parts.scheme)) parts.port.clear();
  }
  parts.host = Lower(authority);
}

}  // namespace

bool IsHierarchical(const UrlParts& parts) {
  constexpr std::array<std::string_view, 6> kSchemes = {"http", "https", "ws",
                                                        "wss",  "ftp",   "file"};
  return std::find(kSchemes.begin(), kSchemes.end(), parts.scheme) != kSchemes.end();
}

UrlParts SplitUrl(std::string_view url) {
  const std::string trimmed = Trim(url);
  std::string_view rest = trimmed;
  UrlParts parts;
  if (const size_t length = SchemeLength(rest); length > 0) {
    parts.scheme = Lower(rest.substr(0, length));
    rest.remove_prefix(length + 1);
  }
  if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
    parts.fragment = std::string(rest.substr(hash + 1));
    rest = rest.substr(0, hash);
  }
  if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
    parts.query = std::string(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
  }
  std::string location(rest);
  const bool special = IsHierarchical(parts) || parts.scheme.empty();
  if (special) std::replace(location.begin(), location.end(), '\\', '/');
  rest = location;
  // "http:/host" and "http:host" are "http://host" to a browser; file: URLs may lack a host.
  if (special && parts.scheme != "file" && !parts.scheme.empty()) {
    while (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
    parts.has_authority = true;
  } else if (rest.substr(0, 2) == "//") {
    rest.remove_prefix(2);
    parts.has_authority = true;
  }
  if (parts.has_authority) {
    const auto slash = std::min(rest.find('/'), rest.size());
    SplitAuthority(rest.substr(0, slash), parts);
    rest.remove_prefix(slash);
    if (rest.empty() && special) rest = "/";
  }
  parts.path = rest;
  return parts;
}

std::string JoinUrl(const UrlParts& parts) {
  std::string url;
  if (!parts.scheme.empty()) url += parts.scheme + ":";
  if (parts.has_authority) {
    url += "//";
    if (!parts.userinfo.empty()) url += parts.userinfo + "@";
    url += parts.host;
    if (!parts.port.empty()) url += ":" + parts.port;
  }
  url += parts.path;
  if (parts.query) url += "?" + *parts.query;
  if (parts.fragment) url += "#" + *parts.fragment;
  return url;
}

std::string PercentDecode(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (const int byte = EscapedByte(text, i); byte >= 0) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += text[i] == '+' && plus == Plus::kSpace ? ' ' : text[i];
    }
  }
  return decoded;
}

std::string NormalizePercent(std::string_view text) {
  std::string normal;
  normal.reserve(text.size());
  const auto escape = [&normal](unsigned char byte) {
    normal += '%';
    normal += kHexDigits[byte >> 4U];
    normal += kHexDigits[byte & 0xFU];
  };
  for (size_t i = 0; i < text.size(); ++i) {
    if (const int byte = EscapedByte(text, i); byte >= 0) {
      const char c = static_cast<char>(byte);
      if (IsUnreserved(c)) {
        normal += c;
      } else {
        escape(static_cast<unsigned char>(byte));
      }
      i += 2;
    } else if (MustEscape(text[i]) || text[i] == '%') {  // or "%%41" would become an escape
      escape(static_cast<unsigned char>(text[i]));
    } else {
      normal += text[i];
    }
  }
  return normal;
}

std::string RemoveDotSegments(std::string_view path) {
  std::vector<std::string_view> kept;
  const bool absolute = !path.empty() && path.front() == '/';
  if (absolute) path.remove_prefix(1);
  bool directory = false;  // the last segment seen was a dot segment
  while (true) {
    const auto slash = std::min(path.find('/'), path.size());
    const auto segment = path.substr(0, slash);
    const auto plain = PercentDecode(segment);
    directory = plain == "." || plain == "..";
    if (plain == ".." && !kept.empty()) kept.pop_back();
    if (!directory) kept.push_back(segment);
    if (slash == path.size()) break;
    path.remove_prefix(slash + 1);
  }
  std::string result = absolute ? "/" : "";
  for (size_t i = 0; i < kept.size(); ++i) {
    if (i > 0) result += '/';
    result += kept[i];
  }
  if (directory && !kept.empty()) result += '/';
  return result;
}

std::vector<QueryPair> SplitQuery(std::string_view query) {
  std::vector<QueryPair> pairs;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) {
      pairs.push_back({std::string(pair), "", false});
    } else {
      pairs.push_back(
          {std::string(pair.substr(0, equals)), std::string(pair.substr(equals + 1)), true});
    }
  }
  return pairs;
}

std::string JoinQuery(const std::vector<QueryPair>& pairs) {
  std::string query;
  for (const auto& pair : pairs) {
    if (!query.empty()) query += '&';
    query += pair.key;
    if (pair.has_equals) query += '=';
    query += pair.value;
  }
  return query;
}

}  // namespace topodb::capture
