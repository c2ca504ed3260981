#include "capture/guard/network_guard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "capture/guard/glob.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

// Case matters: a method the browser did not normalise ("Get") is not GET to every server.
bool IsSafeMethod(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

std::string Authority(const UrlParts& parts) {
  return parts.host + (parts.port.empty() ? "" : ":" + parts.port);
}

// Dots and escapes resolved, so that "/search/../delete" is not taken for "/search/…".
std::string Target(const UrlParts& parts) {
  return NormalizePercent(RemoveDotSegments(parts.path)) + (parts.query ? "?" + *parts.query : "");
}

bool Matches(const GuardAllow& rule, const GuardRequest& request) {
  if (rule.method != "*" && rule.method != request.method) return false;
  const auto pattern = SplitUrl(rule.pattern);
  const auto url = SplitUrl(request.url);
  if (pattern.scheme != url.scheme || pattern.port != url.port) return false;
  const bool host = pattern.host.starts_with("*.")
                        ? url.host.size() + 1 > pattern.host.size() &&
                              url.host.ends_with(std::string_view(pattern.host).substr(1))
                        : pattern.host == url.host;
  const auto target = pattern.path + (pattern.query ? "?" + *pattern.query : "");
  return host && MatchesGlob(target, Target(url));
}

bool IsSocketScheme(std::string_view scheme) { return scheme == "ws" || scheme == "wss"; }

// As URLPattern writes what Matches() takes; its own signs lose their meaning but for '*'.
std::string UrlPatternOf(const UrlParts& pattern) {
  std::string escaped;
  for (const char c : pattern.path) {
    if (std::string_view("\\:{}()?+").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  // Without a '?' any query would match.
  escaped += '?';
  for (const char c : pattern.query.value_or("")) {
    if (std::string_view("\\:{}()?+").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return pattern.scheme + "://" + Authority(pattern) + escaped;
}

bool IsMethodToken(std::string_view method) {
  return method == "*" || (!method.empty() && std::all_of(method.begin(), method.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || c == '-';
         }));
}

}  // namespace

std::string_view ToString(GuardMode mode) {
  switch (mode) {
    case GuardMode::kMutations:
      return "mutations";
    case GuardMode::kAllNetwork:
      return "all-network";
    case GuardMode::kOff:
      return "off";
  }
  return "";
}

std::optional<GuardMode> ParseGuardMode(std::string_view text) {
  for (const auto mode : {GuardMode::kMutations, GuardMode::kAllNetwork, GuardMode::kOff}) {
    if (ToString(mode) == text) return mode;
  }
  return std::nullopt;
}

Result<GuardAllow> ParseGuardAllow(std::string_view text, std::string_view entry_url) {
  const auto bad = [&](std::string_view problem) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("guard rule '{}': {}", RedactText(text), problem),
                 "write a method and a URL pattern, such as 'POST https://example.com/search*'"};
  };
  const auto first = text.find_first_not_of(' ');
  const auto blank = text.find(' ', std::min(first, text.size()));
  if (first == std::string_view::npos || blank == std::string_view::npos) {
    return bad("not a method and a URL pattern");
  }
  const auto method = text.substr(first, blank - first);
  if (!IsMethodToken(method)) return bad("the method is not in capital letters");
  const auto second = std::min(text.find_first_not_of(' ', blank), text.size());
  auto pattern = std::string(text.substr(second));
  while (!pattern.empty() && pattern.back() == ' ') pattern.pop_back();
  if (pattern.find(' ') != std::string::npos) return bad("more than a method and a URL pattern");
  if (!pattern.empty() && pattern.front() == '/' && !pattern.starts_with("//")) {
    pattern = Origin(entry_url) + pattern;
  }
  const auto parts = SplitUrl(pattern);
  if (parts.scheme != "http" && parts.scheme != "https" && !IsSocketScheme(parts.scheme)) {
    return bad("the pattern starts neither with http://, https://, ws:// or wss:// nor with /");
  }
  if (IsSocketScheme(parts.scheme) && method != "GET" && method != "*") {
    return bad("a socket is opened by GET");
  }
  const auto host = Authority(parts);
  const auto star = host.rfind('*');
  if (parts.host.empty() || !parts.userinfo.empty()) return bad("the pattern names no host");
  if (star != std::string::npos &&
      (star != 0 || !host.starts_with("*.") || host.find('.', 2) == std::string::npos)) {
    return bad("in a host '*' stands only for leading labels, as in *.example.com");
  }
  return GuardAllow{std::string(method), std::move(pattern), std::string(text)};
}

GuardVerdict JudgeRequest(const GuardRequest& request, const GuardRules& rules) {
  if (rules.mode == GuardMode::kOff) return {true, "guard_off", "", false};
  const bool socket = IsSocketScheme(SplitUrl(request.url).scheme);
  const bool safe = !socket && IsSafeMethod(request.method) &&
                    (request.method_override.empty() || IsSafeMethod(request.method_override));
  const bool open = rules.mode == GuardMode::kMutations || request.phase == LoadPhase::kLoading;
  if (safe && open) return {true, "safe_method", "", false};
  for (const auto& rule : rules.allow) {
    if (Matches(rule, request)) return {true, "allow_rule", rule.text, true};
  }
  if (open && request.method == "POST" && request.method_override.empty() && request.body &&
      IsGraphqlQueryOnly(*request.body)) {
    return {true, "graphql_query", "", true};
  }
  return {false, socket ? "socket" : safe ? "all_network" : "unsafe_method", "", false};
}

SocketRules RulesForSockets(const GuardRules& rules) {
  if (rules.mode == GuardMode::kOff) return {};
  SocketRules sockets{.open = {}, .shut = {"ws://*:*", "wss://*:*"}};
  for (const auto& rule : rules.allow) {
    const auto pattern = SplitUrl(rule.pattern);
    if (IsSocketScheme(pattern.scheme)) sockets.open.push_back(UrlPatternOf(pattern));
  }
  return sockets;
}

}  // namespace topodb::capture
