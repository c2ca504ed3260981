#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Decides per element and action, on values only, before anything is clicked (spec in
// docs/architecture.md, ADR 0006). Pure: no I/O, no clock.
namespace topodb::capture {

inline constexpr std::string_view kRiskPolicyVersion = "topodb-risk-1";

struct RiskMatch {
  std::string token;  // as found ("Löschen")
  std::string term;   // of the policy ("löschen")
  std::string field;  // name | text | label | href | class | icon | title | type | form …
  std::string rule;   // "destructive" …
  bool operator==(const RiskMatch&) const = default;
};

struct RiskVerdict {
  RiskLevel level = RiskLevel::kHigh;
  RiskCategory category = RiskCategory::kUnknown;
  bool allowed = false;
  std::string reason;              // allowed:<category> | blocked:<category>
  std::vector<RiskMatch> matches;  // why
  std::vector<Evidence> evidence;  // heuristic
};

class RiskPolicy {
 public:
  // The built-in word lists.
  static const RiskPolicy& BuiltIn();

  // Hex content hash over all lists and levels; part of the input fingerprint.
  const std::string& content_hash() const { return content_hash_; }

  // `allowed`: categories explored besides low {navigation, ui_reveal, read_only}.
  RiskVerdict Assess(const Element& element, const RiskHints& hints, ActionType action,
                     const std::vector<RiskCategory>& allowed) const;

 private:
  struct Term;
  RiskPolicy();
  std::string content_hash_;
};

}  // namespace topodb::capture
