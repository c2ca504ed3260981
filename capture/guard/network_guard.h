#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

// The second line of defence: judges requests on the wire. Pure.
namespace topodb::capture {

enum class GuardMode { kMutations, kOff, kAllNetwork };

std::string_view ToString(GuardMode mode);  // mutations | off | all-network

// --guard-allow 'METHOD URL-PATTERN'; '*' is a wildcard in the pattern.
struct GuardAllowRule {
  std::string method;
  std::string url_pattern;
};
// kInvalidArgument, saying what form is wanted.
Result<GuardAllowRule> ParseGuardAllowRule(std::string_view text);

struct GuardVerdict {
  bool allowed = false;
  std::string reason;  // "safe method", "allowed by rule …", "GraphQL query", "unsafe method" …
};

// Unsafe: anything but GET, HEAD, OPTIONS. A POST whose whole body is a GraphQL document of query
// operations only is let through.
GuardVerdict JudgeRequest(std::string_view method, std::string_view url, std::string_view body,
                          GuardMode mode, const std::vector<GuardAllowRule>& rules);

}  // namespace topodb::capture
