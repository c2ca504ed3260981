#include "capture/guard/scope.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "capture/guard/glob.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

ScopeVerdict Allow() { return {true, "", ""}; }
ScopeVerdict Refuse(std::string_view rule, std::string reason) {
  return {false, std::string(rule), std::move(reason)};
}

bool IsWeb(const UrlParts& parts) { return parts.scheme == "http" || parts.scheme == "https"; }
bool IsSocket(const UrlParts& parts) { return parts.scheme == "ws" || parts.scheme == "wss"; }

// Schemes that belong to the browser itself or run script; no page of theirs is ever a state.
bool IsBrowserScheme(std::string_view scheme) {
  constexpr auto kSchemes = std::to_array<std::string_view>(
      {"chrome", "chrome-untrusted", "chrome-extension", "chrome-search", "devtools", "view-source",
       "javascript", "filesystem", "edge", "about", "data", "blob", "ftp"});
  return std::find(kSchemes.begin(), kSchemes.end(), scheme) != kSchemes.end();
}

// All loopback names and addresses are one host: the machine itself.
bool SameHost(std::string_view left, std::string_view right) {
  return left == right || (ClassifyHost(left) == AddressClass::kLoopback &&
                           ClassifyHost(right) == AddressClass::kLoopback);
}

bool MatchesHost(std::string_view pattern, std::string_view host) {
  if (!pattern.starts_with("*.")) return pattern == host;
  const auto suffix = pattern.substr(1);
  return host.size() > suffix.size() && host.ends_with(suffix);
}

bool AllowedByName(const ScopePolicy& policy, const UrlParts& parts) {
  return std::any_of(
      policy.allow_origins.begin(), policy.allow_origins.end(), [&](const std::string& origin) {
        const auto allowed = SplitUrl(origin);
        const bool scheme =
            allowed.scheme == parts.scheme || (allowed.scheme.empty() && IsWeb(parts));
        return scheme && allowed.port == parts.port && MatchesHost(allowed.host, parts.host);
      });
}

// The same host over TLS is the same site, safer.
bool IsUpgrade(const UrlParts& entry, const UrlParts& parts) {
  return entry.scheme == "http" && parts.scheme == "https" && entry.host == parts.host &&
         entry.port.empty() && parts.port.empty();
}

bool IsLinkLocal(AddressClass network) {
  return network == AddressClass::kLinkLocal || network == AddressClass::kReserved;
}

ScopeVerdict JudgeAddress(const ScopePolicy& policy, const UrlParts& entry, const UrlParts& parts,
                          std::optional<std::string_view> resolved_ip) {
  const auto named = ClassifyHost(parts.host);
  const auto actual = resolved_ip ? ClassifyHost(*resolved_ip) : named;
  const auto worst = std::max(named == AddressClass::kPublic ? AddressClass::kName : named,
                              actual == AddressClass::kPublic ? AddressClass::kName : actual);
  if (worst == AddressClass::kName) return Allow();
  if (IsWeb(entry) && SameHost(entry.host, parts.host)) {
    // The entry is there; but a name that meanwhile resolves into another network is an attack.
    const auto home = ClassifyHost(policy.entry_ip ? *policy.entry_ip : entry.host);
    if (home == AddressClass::kName || home == actual || !resolved_ip) return Allow();
    return Refuse("private_address",
                  fmt::format("{} now resolves to {}", parts.host, *resolved_ip));
  }
  if (IsLinkLocal(worst)) {
    return Refuse("link_local", fmt::format("{} is a link-local, metadata or reserved address",
                                            resolved_ip ? *resolved_ip : parts.host));
  }
  if (AllowedByName(policy, parts)) return Allow();
  return Refuse("private_address",
                fmt::format("{} is a private address, and the entry is not there",
                            resolved_ip ? *resolved_ip : parts.host));
}

// The file's path with links resolved; lexically for a file that does not exist.
std::optional<std::string> FilePath(const ScopePolicy& policy, const UrlParts& parts) {
  if (!parts.host.empty() && parts.host != "localhost") return std::nullopt;
  const auto path = PercentDecode(RemoveDotSegments(parts.path));
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos) {
    return std::nullopt;
  }
  if (auto resolved = policy.resolve_path(path)) return resolved;
  // A missing file below a link would escape when it appears: resolve its folder.
  const auto normal = std::filesystem::path(path).lexically_normal();
  if (const auto folder = policy.resolve_path(normal.parent_path().string())) {
    return (std::filesystem::path(*folder) / normal.filename()).string();
  }
  return normal.string();
}

ScopeVerdict JudgeFile(const ScopePolicy& policy, const UrlParts& entry, const UrlParts& parts) {
  if (entry.scheme != "file") {
    return Refuse("scheme", "file: URLs are opened only when the entry is a file");
  }
  const auto entry_path = FilePath(policy, entry);
  const auto path = FilePath(policy, parts);
  if (!entry_path || !path) return Refuse("invalid", "not a local file");
  const auto decoded_entry = PercentDecode(entry.path);
  const bool is_folder = !decoded_entry.empty() && decoded_entry.back() == '/';
  auto folder = is_folder ? *entry_path : std::filesystem::path(*entry_path).parent_path().string();
  if (folder.empty() || folder.back() != '/') folder += '/';
  if (path->starts_with(folder) || *path + "/" == folder) return Allow();
  return Refuse("file_outside_entry", "outside the folder of the entry");
}

ScopeVerdict JudgeInPageScheme(const UrlParts& parts, RequestKind kind) {
  const bool inside = kind != RequestKind::kTopNavigation;
  if (inside && (parts.scheme == "data" || parts.scheme == "blob")) return Allow();
  // A new tab or frame starts here.
  if (parts.scheme == "about" && (parts.path == "blank" || (inside && parts.path == "srcdoc"))) {
    return Allow();
  }
  if (IsBrowserScheme(parts.scheme)) {
    return Refuse("scheme", fmt::format("{}: URLs are never opened", parts.scheme));
  }
  return Refuse("external_protocol", fmt::format("{}: would start another program", parts.scheme));
}

bool Matches(const PagePattern& pattern, const UrlParts& parts) {
  const bool whole = !pattern.text.starts_with('/');
  std::string page =
      whole ? parts.scheme + "://" + parts.host + (parts.port.empty() ? "" : ":" + parts.port)
            : std::string();
  page += NormalizePercent(RemoveDotSegments(parts.path));
  if (pattern.text.find('?') == std::string::npos && MatchesGlob(pattern.text, page)) return true;
  if (parts.query) page += "?" + *parts.query;
  return MatchesGlob(pattern.text, page);
}

// What the user wants of the pages that may be opened.
ScopeVerdict JudgePage(const ScopePolicy& policy, const UrlParts& entry, const UrlParts& parts) {
  const auto matches = [&](const PagePattern& pattern) { return Matches(pattern, parts); };
  const bool is_entry = parts.host == entry.host && parts.path == entry.path;
  if (is_entry) return Allow();
  const auto excluded = std::ranges::find_if(policy.exclude, matches);
  if (excluded != policy.exclude.end()) {
    return Refuse("excluded", fmt::format("--exclude '{}' leaves it out", excluded->text));
  }
  if (policy.include.empty() || std::ranges::any_of(policy.include, matches)) return Allow();
  return Refuse("excluded", "no --include names it");
}

}  // namespace

std::optional<std::string> ResolveRealPath(const std::string& path) {
  std::error_code error;
  auto real = std::filesystem::canonical(path, error);
  if (error) return std::nullopt;
  return real.string();
}

ScopeVerdict Judge(const ScopePolicy& policy, std::string_view url, RequestKind kind,
                   std::optional<std::string_view> resolved_ip) {
  const auto entry = SplitUrl(policy.entry_url);
  const auto parts = SplitUrl(url);
  if (parts.scheme.empty()) return Refuse("invalid", "not an absolute URL");
  if (parts.scheme == "file") {
    const ScopeVerdict file = JudgeFile(policy, entry, parts);
    return file.allowed && kind == RequestKind::kTopNavigation ? JudgePage(policy, entry, parts)
                                                               : file;
  }
  if (!IsWeb(parts) && !(IsSocket(parts) && kind == RequestKind::kResource)) {
    return JudgeInPageScheme(parts, kind);
  }
  if (parts.host.empty()) return Refuse("invalid", "no host");
  if (kind == RequestKind::kTopNavigation) {
    if (!IsOfTheSite(policy, url)) {
      return Refuse("origin", fmt::format("{} is not the entry's origin", Origin(url)));
    }
    if (auto page = JudgePage(policy, entry, parts); !page.allowed) return page;
  }
  return JudgeAddress(policy, entry, parts, resolved_ip);
}

bool IsOfTheSite(const ScopePolicy& policy, std::string_view url) {
  const UrlParts parts = SplitUrl(url);
  return IsWeb(parts) &&
         (Origin(url) == Origin(policy.entry_url) || IsUpgrade(SplitUrl(policy.entry_url), parts) ||
          AllowedByName(policy, parts));
}

bool IsLinkLocal(std::string_view url) { return IsLinkLocal(ClassifyHost(SplitUrl(url).host)); }

Result<PagePattern> ParsePagePattern(std::string_view text) {
  const bool path = text.starts_with('/');
  if (!path && text.find("://") == std::string_view::npos) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' is neither a path nor an address", RedactUrl(text)),
                 "write '/shop/*' or 'https://example.com/shop/*'; '*' stands for any characters"};
  }
  return PagePattern{std::string(text)};
}

Result<std::string> ParseAllowOrigin(std::string_view text) {
  const auto bad = [&](std::string_view problem) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("allowed origin '{}': {}", RedactUrl(text), problem),
                 "write an origin such as https://cdn.example.com or https://*.example.com"};
  };
  const bool absolute = text.find("://") != std::string_view::npos;
  const auto parts = SplitUrl(absolute ? std::string(text) : "//" + std::string(text));
  if (absolute && !IsWeb(parts)) return bad("only http and https can be allowed");
  if (parts.host.empty()) return bad("names no host");
  if (parts.path != "/" || parts.query || parts.fragment || !parts.userinfo.empty()) {
    return bad("an origin has neither path nor query nor user");
  }
  const auto star = parts.host.rfind('*');
  if (star != std::string::npos && (star != 0 || !parts.host.starts_with("*.") ||
                                    parts.host.find('.', 2) == std::string::npos)) {
    return bad("'*' stands only for subdomains of a registered name");
  }
  if (parts.host.find_first_of(" %<>\"") != std::string::npos) return bad("not a host name");
  return (absolute ? parts.scheme + "://" : "//") + parts.host +
         (parts.port.empty() ? "" : ":" + parts.port);
}

}  // namespace topodb::capture
