#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"

// The words of the risk policy, as data (capture/risk/policy.json, or a file of the user's).
namespace topodb::capture {

// How much a term counts. A verb counts more than a noun: "Delete" anywhere in a label, "payment"
// only where it is not the first half of a compound such as "payment history".
enum class TermKind : uint8_t {
  kVerb,   // anywhere
  kSoft,   // also a common noun or adjective: only where an imperative stands, at a clause's head
  kNoun,   // the last noun of its clause, unless the clause starts by looking ("view", "compare")
  kWhole,  // only as the whole label
};

struct Term {
  RiskCategory category = RiskCategory::kUnknown;
  TermKind kind = TermKind::kVerb;
  std::string text;                // as in the list, base form
  std::vector<std::string> words;  // folded; one element for scripts without word spaces
  bool dense = false;              // matched by substring
  bool operator==(const Term&) const = default;
  auto operator<=>(const Term&) const = default;
};

// Words that are not an action where they stand together ("drop shadow", "支付记录").
struct HarmlessPhrase {
  std::vector<std::string> words;
  bool dense = false;
  auto operator<=>(const HarmlessPhrase&) const = default;
};

using WordSet = std::set<std::string, std::less<>>;

// Plain data; every list sorted and free of duplicates, every word folded.
struct Vocabulary {
  std::vector<Term> terms;
  std::vector<Term> icons;  // kVerb: always; kNoun: only where the element has no words
  std::vector<HarmlessPhrase> harmless;
  WordSet fillers;         // may stand before an imperative ("please", "yes")
  WordSet function_words;  // may stand inside a term ("cancel MY subscription") or after a noun
  WordSet looking;         // heads that only look ("view", "compare")
  WordSet asking;          // heads of a question ("how", "why"): a plain link to an explanation
  WordSet affirmatives;    // labels that say yes to their dialog ("ok", "continue")
  WordSet help_paths;      // path segments below which slugs are articles ("help", "blog")
  WordSet action_keys;     // query keys whose value is a command ("action", "do")
  WordSet text_keys;       // query keys whose value is text or a place ("q", "next")
  WordSet icon_prefixes;   // first word of an icon class ("fa", "bi")
  WordSet info;            // what "@info" stands for in `harmless`
  WordSet doubled;         // see Gerund
  std::map<std::string, RiskCategory> methods;  // request method, lower case
  std::map<RiskCategory, RiskLevel> levels;     // every category
  RiskLevel get_form_level = RiskLevel::kHigh;  // form_submit of a GET form
  bool operator==(const Vocabulary&) const = default;
};

// Reads a policy document: {"extends": "builtin" | "nothing", "terms": […], …}; the lists are
// described in docs/adr/0006-risk-policy.md. `base` is what "builtin" stands for.
// kInvalidArgument naming the field ("terms[3].verb[0]: …").
Result<Vocabulary> ParseVocabulary(std::string_view json, const Vocabulary& base);

// Hex hash over everything that can change a verdict; the order of lists does not matter.
std::string HashVocabulary(const Vocabulary& vocabulary);

// English forms of a verb: third person ("deletes") and gerund ("deleting"). `doubled`: verbs of
// several syllables that double their last consonant ("submit").
std::string ThirdPerson(std::string_view verb);
std::string Gerund(std::string_view verb, const WordSet& doubled);

}  // namespace topodb::capture
