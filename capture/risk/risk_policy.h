#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Decides per element and action, on values only, before anything is clicked. Pure: no I/O, no
// clock; any number of threads.
//
// 1. The words of the element's name, texts, title, description, icon, class, test id, link, form
//    action and request attributes are matched against lists of verbs and nouns in 15 languages.
//    A verb counts more than a noun, and forms that describe ("deleted", "payment history") do not
//    count; the rules are those of TermKind and docs/adr/0006-risk-policy.md.
// 2. An effective submit is a submit, a request attribute with a method is that method.
// 3. The gravest category found wins: destructive, payment, auth, submit, mutation; without any,
//    what the element is decides: input, link, button-like, unknown.
//
// Levels: navigation, ui_reveal and read_only are low, input_edit medium, all others high; a policy
// file may change them. Hovering is always ui_reveal: it does not activate anything.
namespace topodb::capture {

inline constexpr std::string_view kRiskPolicyVersion = "topodb-risk-1";

struct RiskMatch {
  std::string token;  // as found ("Löschen")
  std::string term;   // of the policy ("löschen")
  std::string field;  // name | text | label | placeholder | title | description | class | icon |
                      // attribute | href | form_action | dialog | type | role …
  std::string rule;   // the category it stands for ("destructive")
  bool operator==(const RiskMatch&) const = default;
};

struct RiskVerdict {
  RiskLevel level = RiskLevel::kHigh;
  RiskCategory category = RiskCategory::kUnknown;
  bool allowed = false;
  std::string reason;              // allowed:<category> | blocked:<category>
  std::vector<RiskMatch> matches;  // why: all that was found, gravest first
  std::vector<Evidence> evidence;  // heuristic, one
};

class RiskPolicy {
 public:
  // The built-in word lists.
  static const RiskPolicy& BuiltIn();

  // A policy document, as `--policy FILE` holds: adds to the built-in lists or, with
  // "extends": "nothing", replaces them. kInvalidArgument naming the field that is wrong.
  static Result<RiskPolicy> FromJson(std::string_view text);

  // Hex content hash over all lists and levels; part of the input fingerprint.
  const std::string& content_hash() const { return content_hash_; }

  // `allowed`: categories explored besides low {navigation, ui_reveal, read_only}.
  RiskVerdict Assess(const Element& element, const RiskHints& hints, ActionType action,
                     const std::vector<RiskCategory>& allowed) const;

 private:
  struct Rules;  // vocabulary and its index
  explicit RiskPolicy(std::shared_ptr<const Rules> rules);

  std::shared_ptr<const Rules> rules_;
  std::string content_hash_;
};

}  // namespace topodb::capture
