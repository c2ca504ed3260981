#include "capture/guard/redact.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

// URLs in values of URLs are followed this deep.
constexpr int kMaxNesting = 4;
// A cookie's name ends before: prose behind "Cookie:" is not searched further for a '='.
constexpr size_t kMaxCookieName = 128;

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) { return IsUpper(c) || IsLower(c) || IsDigit(c); }
bool IsTokenChar(char c) { return IsAlnum(c) || c == '_' || c == '-'; }
bool IsCapital(char c) { return IsUpper(c) || IsDigit(c); }
bool IsBlank(char c) { return c == ' ' || c == '\t'; }

char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool StartsWithFolded(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char want, char have) { return want == ToLower(have); });
}

template <class Predicate>
size_t Run(std::string_view text, size_t at, Predicate predicate) {
  size_t end = at;
  while (end < text.size() && predicate(text[end])) ++end;
  return end - at;
}

// A key format: a fixed beginning, then at least `least` characters of one class.
struct KeyFormat {
  std::string_view prefix;
  size_t least;
  bool (*accepts)(char);
};
constexpr std::array kKeyFormats = {
    KeyFormat{"AKIA", 16, IsCapital},       KeyFormat{"ASIA", 16, IsCapital},
    KeyFormat{"AGPA", 16, IsCapital},       KeyFormat{"AIDA", 16, IsCapital},
    KeyFormat{"AROA", 16, IsCapital},       KeyFormat{"ANPA", 16, IsCapital},
    KeyFormat{"ghp_", 30, IsAlnum},         KeyFormat{"gho_", 30, IsAlnum},
    KeyFormat{"ghu_", 30, IsAlnum},         KeyFormat{"ghs_", 30, IsAlnum},
    KeyFormat{"ghr_", 30, IsAlnum},         KeyFormat{"github_pat_", 22, IsTokenChar},
    KeyFormat{"glpat-", 20, IsTokenChar},   KeyFormat{"xoxa-", 10, IsTokenChar},
    KeyFormat{"xoxb-", 10, IsTokenChar},    KeyFormat{"xoxp-", 10, IsTokenChar},
    KeyFormat{"xoxr-", 10, IsTokenChar},    KeyFormat{"xoxs-", 10, IsTokenChar},
    KeyFormat{"sk_live_", 16, IsAlnum},     KeyFormat{"sk_test_", 16, IsAlnum},
    KeyFormat{"rk_live_", 16, IsAlnum},     KeyFormat{"rk_test_", 16, IsAlnum},
    KeyFormat{"AIza", 35, IsTokenChar},     KeyFormat{"npm_", 36, IsAlnum},
    KeyFormat{"sk-proj-", 20, IsTokenChar}, KeyFormat{"sk-ant-", 20, IsTokenChar},
};

// Length of the key at `at`, or 0.
size_t KeyLength(std::string_view text, size_t at) {
  const auto rest = text.substr(at);
  if (std::string_view("Agxsrn").find(rest.front()) == std::string_view::npos) return 0;
  for (const auto& format : kKeyFormats) {
    if (rest.substr(0, format.prefix.size()) != format.prefix) continue;
    const size_t run = Run(rest, format.prefix.size(), format.accepts);
    if (run >= format.least) return format.prefix.size() + run;
  }
  return 0;
}

// header.payload.signature of base64url; the header starts with '{"'. `dead_until`: no token
// starts before it, as the header that would reach there has no '.' behind it.
size_t JwtLength(std::string_view text, size_t at, size_t& dead_until) {
  if (at < dead_until || text.substr(at, 3) != "eyJ") return 0;
  const auto rest = text.substr(at);
  const size_t header = Run(rest, 0, IsTokenChar);
  if (header >= rest.size() || rest[header] != '.') {
    dead_until = at + header;
    return 0;
  }
  if (header < 10) return 0;
  const size_t payload = Run(rest, header + 1, IsTokenChar);
  if (payload < 8) return 0;
  size_t length = header + 1 + payload;
  if (length < rest.size() && rest[length] == '.') length += 1 + Run(rest, length + 1, IsTokenChar);
  return length;
}

size_t PrivateKeyLength(std::string_view text, size_t at) {
  const auto rest = text.substr(at);
  if (rest.substr(0, 11) != "-----BEGIN ") return 0;
  const auto header_end = rest.substr(0, 80).find("PRIVATE KEY");
  if (header_end == std::string_view::npos) return 0;
  const auto end = rest.find("-----END ", header_end);
  if (end == std::string_view::npos) return rest.size();
  const auto close = rest.find("-----", end + 9);
  return close == std::string_view::npos ? rest.size() : close + 5;
}

struct Span {
  size_t skip = 0;    // bytes to keep before the secret
  size_t length = 0;  // of the secret
};

bool IsSpace(char c) { return IsBlank(c) || c == '\n' || c == '\r'; }

// "Bearer XYZ": the credentials after an authentication scheme.
std::optional<Span> Credentials(std::string_view rest) {
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!StartsWithFolded(rest, scheme)) continue;
    const size_t length = Run(rest, scheme.size(), [](char c) {
      return IsTokenChar(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~';
    });
    // Prose follows "basic" with words; credentials are long and mixed.
    const auto value = rest.substr(scheme.size(), length);
    const bool mixed = std::any_of(value.begin(), value.end(), IsDigit) ||
                       std::any_of(value.begin(), value.end(), IsUpper);
    if (length >= 12 && mixed) return Span{scheme.size(), length};
  }
  return std::nullopt;
}

// "Authorization: …" and "Cookie: a=b" header lines, to the end of the line.
std::optional<Span> HeaderLine(std::string_view rest) {
  if (std::string_view("apcsx").find(ToLower(rest.front())) == std::string_view::npos) {
    return std::nullopt;
  }
  for (const std::string_view header :
       {"authorization:", "proxy-authorization:", "cookie:", "set-cookie:", "x-api-key:"}) {
    if (!StartsWithFolded(rest, header)) continue;
    const size_t begin = header.size() + Run(rest, header.size(), IsBlank);
    const bool cookie = header.find("cookie") != std::string_view::npos;
    const auto name = rest.substr(0, begin + kMaxCookieName).find_first_of("=\r\n", begin);
    if (cookie && (name == std::string_view::npos || rest[name] != '=')) continue;
    const size_t length = std::min(rest.find_first_of("\r\n", begin), rest.size()) - begin;
    if (length == 0) continue;
    return Span{begin, length};
  }
  return std::nullopt;
}

// "scheme://user:pass@": the userinfo.
std::optional<Span> Userinfo(std::string_view rest) {
  if (rest.substr(0, 3) != "://") return std::nullopt;
  const size_t length = Run(rest, 3, [](char c) {
    return !IsSpace(c) && std::string_view("/?#\"'<>").find(c) == std::string_view::npos;
  });
  const auto at = rest.substr(3, length).rfind('@');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  return Span{3, at};
}

// "name=value" with a secret name. "code" and "key" alone are too common in prose.
std::optional<Span> Assignment(std::string_view rest) {
  const size_t name = Run(rest, 0, IsTokenChar);
  if (name == 0 || name > 64 || name + 1 >= rest.size() || rest[name] != '=') return std::nullopt;
  const auto key = rest.substr(0, name);
  if (key == "code" || key == "key" || !IsSecretKey(key)) return std::nullopt;
  const size_t length = Run(rest, name + 1, [](char c) {
    return !IsSpace(c) && std::string_view("&;,#\"'<>)").find(c) == std::string_view::npos;
  });
  if (length == 0) return std::nullopt;
  return Span{name + 1, length};
}

// `at` is not inside a word.
std::optional<Span> SecretAt(std::string_view text, size_t at, size_t& dead_until) {
  const auto rest = text.substr(at);
  const char first = ToLower(rest.front());
  if (first == ':') return Userinfo(rest);
  if (first == '-') {
    if (const size_t length = PrivateKeyLength(text, at)) return Span{0, length};
  }
  if (IsAlnum(first)) {
    if (const size_t length = JwtLength(text, at, dead_until)) return Span{0, length};
    if (const size_t length = KeyLength(text, at)) return Span{0, length};
    if (const auto span = HeaderLine(rest)) return span;
    if (const auto span = first == 'b' ? Credentials(rest) : std::nullopt) return span;
  }
  const bool starts_name = at == 0 || !IsTokenChar(text[at - 1]);
  return starts_name ? Assignment(rest) : std::nullopt;
}

std::string RedactTextOnce(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  size_t dead_until = 0;
  for (size_t at = 0; at < text.size();) {
    if (const auto span = SecretAt(text, at, dead_until)) {
      result += text.substr(at, span->skip);
      result += kRedacted;
      at += span->skip + span->length;
    } else {
      const size_t word = std::max(Run(text, at, IsAlnum), size_t{1});
      result += text.substr(at, word);
      at += word;
    }
  }
  return result;
}

std::string RedactUrlNested(std::string_view url, int depth);

// A value that is a URL itself, or has secrets of a well-known format in it.
std::string RedactValue(const std::string& value, int depth) {
  if (depth < kMaxNesting) {
    const auto plain = PercentDecode(value);
    const bool is_url = plain.find("://") != std::string::npos ||
                        (!plain.empty() && plain.front() == '/') ||
                        plain.find_first_of("?=") != std::string::npos;
    if (is_url) {
      const auto redacted = RedactUrlNested(plain, depth + 1);
      if (redacted == plain) return value;
      if (plain == value) return redacted;
      std::string encoded;  // as it was: only what must not stand raw in a query
      constexpr std::string_view kHex = "0123456789ABCDEF";
      for (const char c : redacted) {
        if (IsTokenChar(c) || c == '.' || c == '~') {
          encoded += c;
        } else {
          encoded += '%';
          encoded += kHex[static_cast<unsigned char>(c) >> 4U];
          encoded += kHex[static_cast<unsigned char>(c) & 0xFU];
        }
      }
      return encoded;
    }
  }
  return RedactTextOnce(value);
}

std::string RedactQuery(std::string_view query, int depth) {
  std::string result;
  while (true) {
    const auto end = std::min(query.find_first_of("&;"), query.size());
    const auto pair = query.substr(0, end);
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) {
      result += RedactTextOnce(pair);
    } else {
      const auto value = std::string(pair.substr(equals + 1));
      const bool secret = IsSecretKey(PercentDecode(pair.substr(0, equals), Plus::kSpace));
      result += RedactTextOnce(pair.substr(0, equals)) + "=";
      result += secret && !value.empty() ? std::string(kRedacted) : RedactValue(value, depth);
    }
    if (end == query.size()) return result;
    result += query[end];
    query.remove_prefix(end + 1);
  }
}

// "/route?query", "a=b&c=d", one behind the other, or plain text.
std::string RedactFragment(std::string_view fragment, int depth) {
  const auto mark = fragment.find('?');
  const auto redacted = RedactQuery(fragment.substr(0, mark), depth);
  if (mark == std::string_view::npos) return redacted;
  return redacted + "?" + RedactQuery(fragment.substr(mark + 1), depth);
}

// ";jsessionid=…" parameters of path segments.
std::string RedactPath(std::string_view path, int depth) {
  std::string result;
  while (true) {
    const auto semicolon = std::min(path.find(';'), path.size());
    result += RedactTextOnce(path.substr(0, semicolon));
    if (semicolon == path.size()) return result;
    const auto end = std::min(path.find('/', semicolon), path.size());
    result += ";" + RedactQuery(path.substr(semicolon + 1, end - semicolon - 1), depth);
    path.remove_prefix(end);
  }
}

std::string RedactUrlNested(std::string_view url, int depth) {
  std::string_view rest = url, fragment, query;
  const auto hash = rest.find('#');
  if (hash != std::string_view::npos) {
    fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  const auto mark = rest.find('?');
  if (mark != std::string_view::npos) {
    query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  std::string result;
  const auto slashes = rest.find("//");
  const bool has_authority =
      slashes != std::string_view::npos && (slashes == 0 || rest[slashes - 1] == ':');
  if (has_authority) {
    const auto begin = slashes + 2;
    const auto end = std::min(rest.find_first_of("/\\", begin), rest.size());
    const auto authority = rest.substr(begin, end - begin);
    const auto at = authority.rfind('@');
    // Before it stands a scheme, or a path that a whole URL was put behind.
    result += RedactPath(rest.substr(0, slashes), depth) + "//";
    if (at != std::string_view::npos) result += std::string(kRedacted) + "@";
    result += RedactTextOnce(authority.substr(at == std::string_view::npos ? 0 : at + 1));
    rest = rest.substr(end);
  }
  result += RedactPath(rest, depth);
  if (mark != std::string_view::npos) result += "?" + RedactQuery(query, depth);
  if (hash != std::string_view::npos) result += "#" + RedactFragment(fragment, depth);
  return result;
}

// What one pass leaves can look like a secret again, with a "REDACTED" in the middle of it. Text
// that never comes to rest was made to be like that; nothing of it is worth keeping.
template <class Pass>
std::string UntilStable(std::string_view text, Pass pass) {
  constexpr int kMaxPasses = 8;
  std::string last(text);
  for (int i = 0; i < kMaxPasses; ++i) {
    std::string next = pass(last);
    if (next == last) return next;
    last = std::move(next);
  }
  return std::string(kRedacted);
}

}  // namespace

std::string RedactText(std::string_view text) { return UntilStable(text, RedactTextOnce); }

std::string RedactUrl(std::string_view url) {
  return UntilStable(url, [](std::string_view text) { return RedactUrlNested(text, 0); });
}

}  // namespace topodb::capture
