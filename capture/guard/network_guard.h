#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

// The second line behind the risk policy: what may go over the wire. Pure; asked for every request
// of every target of a run, before it leaves the browser.
namespace topodb::capture {

enum class GuardMode : unsigned char {
  kMutations,   // unsafe methods and WebSockets are blocked
  kAllNetwork,  // and after the page has loaded, everything
  kOff,
};

std::string_view ToString(GuardMode mode);  // mutations | all-network | off
std::optional<GuardMode> ParseGuardMode(std::string_view text);

// One --guard-allow: a method (or "*") and a URL pattern in which '*' stands for any characters.
struct GuardAllow {
  std::string method;   // as it must stand in the request, or "*"
  std::string pattern;  // scheme://host/path…; http, https, ws or wss
  std::string text;     // as the user wrote it
  bool operator==(const GuardAllow&) const = default;
};

// "POST https://api.example.com/search*", "POST /graphql" (on the entry's origin),
// "* https://*.example.com/v1/*", "GET wss://example.com/live" (a socket, whatever it then sends).
// In the host '*' stands only for leading labels.
// kInvalidArgument with a hint otherwise.
Result<GuardAllow> ParseGuardAllow(std::string_view text, std::string_view entry_url);

struct GuardRules {
  GuardMode mode = GuardMode::kMutations;
  std::vector<GuardAllow> allow{};
};

enum class LoadPhase : unsigned char { kLoading, kLoaded };

struct GuardRequest {
  std::string_view method;
  std::string_view url;
  std::optional<std::string_view> body{};  // absent: none, or not known
  std::string_view method_override{};      // X-HTTP-Method-Override header; empty when absent
  LoadPhase phase = LoadPhase::kLoading;
};

struct GuardVerdict {
  bool allowed = false;
  // safe_method | allow_rule | graphql_query | guard_off when allowed; unsafe_method | socket |
  // all_network when not.
  std::string rule;
  std::string detail;  // the allow rule as written
  // Let through by an exception, which the run records.
  bool recorded = false;
  bool operator==(const GuardVerdict&) const = default;
};

// A WebSocket is a request too: GET of a ws: or wss: URL.
GuardVerdict JudgeRequest(const GuardRequest& request, const GuardRules& rules);

// What a browser must be told beforehand, because it asks nobody before it opens a socket: which
// URLs stay open, as URLPattern texts, and whether all others are shut.
struct SocketRules {
  std::vector<std::string> open;
  std::vector<std::string> shut;  // empty: the guard is off
  bool operator==(const SocketRules&) const = default;
};
SocketRules RulesForSockets(const GuardRules& rules);

// The whole JSON body is one GraphQL request, or a batch, and every operation in it is a `query`
// written out in full. False for anything in doubt: mutations, subscriptions, persisted queries,
// type definitions, unbalanced documents, unknown or repeated members.
bool IsGraphqlQueryOnly(std::string_view body);

}  // namespace topodb::capture
