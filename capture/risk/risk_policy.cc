#include "capture/risk/risk_policy.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capture/risk/risk_fields.h"
#include "capture/risk/term_finder.h"
#include "capture/risk/vocabulary.h"
#include "capture/risk/words.h"
#include "schema/names.h"

namespace topodb {
extern const std::string_view kRiskPolicyJson;
}

namespace topodb::capture {
namespace {

// Gravest first: of all that matches, the first decides.
constexpr std::array kPrecedence = {
    RiskCategory::kDestructive, RiskCategory::kPaymentSensitive, RiskCategory::kAuthSensitive,
    RiskCategory::kFormSubmit,  RiskCategory::kDataMutation,     RiskCategory::kInputEdit,
    RiskCategory::kNavigation,  RiskCategory::kReadOnly,         RiskCategory::kUiReveal,
    RiskCategory::kUnknown,
};

size_t Rank(RiskCategory category) {
  return static_cast<size_t>(std::find(kPrecedence.begin(), kPrecedence.end(), category) -
                             kPrecedence.begin());
}

struct Found {
  RiskCategory category;
  RiskMatch match;
};

Found Because(RiskCategory category, std::string token, std::string term, std::string field) {
  return {category,
          {std::move(token), std::move(term), std::move(field), std::string(ToString(category))}};
}

void AddHits(const TermFinder& finder, const RiskField& field, std::vector<Found>& found) {
  for (auto& hit : finder.Find(field.text, field.reading)) {
    found.push_back(Because(hit.term->category, std::move(hit.token), hit.term->text, field.name));
  }
}

// hx-delete="…", data-method="post": the method says what the request does.
void AddMethods(const RiskHints& hints, const Vocabulary& vocabulary, std::vector<Found>& found) {
  for (const auto& [name, value] : hints.request_attributes) {
    const auto words = SplitWords(name, CaseSplit::kOn);
    if (words.empty()) continue;
    const auto& last = words.back().text;
    const auto method = vocabulary.methods.find(last == "method" ? FoldWord(value) : last);
    if (method == vocabulary.methods.end()) continue;
    found.push_back(Because(method->second, fmt::format("{}={}", name, value), method->first,
                            "request_attribute"));
  }
}

// "OK" in a dialog that asks "Delete this project?" means yes to that.
bool IsAffirmative(const Element& element, const Vocabulary& vocabulary) {
  const auto& label = element.accessible_name ? element.accessible_name : element.text;
  if (!label) return false;
  bool yes = false;
  for (const auto& word : SplitWords(*label, CaseSplit::kOn)) {
    if (word.kind == WordKind::kNumber || word.kind == WordKind::kSign) continue;
    const bool affirms = vocabulary.affirmatives.contains(word.text);
    if (!affirms && !vocabulary.function_words.contains(word.text)) return false;
    yes |= affirms;
  }
  return yes;
}

void AddDialog(const Element& element, const Vocabulary& vocabulary, const TermFinder& finder,
               std::vector<Found>& found) {
  if (!IsAffirmative(element, vocabulary)) return;
  for (const auto& anchor : element.context) {
    if (anchor.kind != ContextKind::kDialog) continue;
    for (const auto* text : {&anchor.name, &anchor.text}) {
      if (*text) AddHits(finder, {"dialog", **text, Reading::kLabel}, found);
    }
  }
}

// What the element is; decides where no word does.
Found ShapeOf(const Element& element, const RiskHints& hints, const ElementShape& shape,
              ActionType action) {
  const bool edits = action == ActionType::kFill || action == ActionType::kSelect ||
                     action == ActionType::kCheck || action == ActionType::kUpload;
  const auto role = element.role.value_or("");
  if (edits || shape.input) return Because(RiskCategory::kInputEdit, element.tag, "input", "tag");
  if (shape.link && hints.download) {
    return Because(RiskCategory::kReadOnly, "download", "download", "attribute");
  }
  if (shape.link) return Because(RiskCategory::kNavigation, element.tag, "link", "tag");
  if (shape.button_like) {
    return Because(RiskCategory::kUiReveal, role.empty() ? element.tag : role, "button-like",
                   role.empty() ? "tag" : "role");
  }
  return Because(RiskCategory::kUnknown, element.tag, "no low-risk evidence", "tag");
}

std::string Describe(RiskCategory category, const std::vector<RiskMatch>& matches) {
  constexpr size_t kNamed = 5;
  std::string text = fmt::format("{}:", ToString(category));
  for (size_t i = 0; i < matches.size() && i < kNamed; ++i) {
    const auto& match = matches[i];
    text += fmt::format("{} \"{}\" ({}: {}) in {}", i == 0 ? "" : ";", match.token, match.rule,
                        match.term, match.field);
  }
  if (matches.size() > kNamed) text += fmt::format("; {} more", matches.size() - kNamed);
  return text;
}

bool IsDefaultAllowed(RiskLevel level, RiskCategory category) {
  return level == RiskLevel::kLow &&
         (category == RiskCategory::kNavigation || category == RiskCategory::kUiReveal ||
          category == RiskCategory::kReadOnly);
}

std::map<RiskCategory, RiskLevel> DefaultLevels() {
  std::map<RiskCategory, RiskLevel> levels;
  for (const auto category : kPrecedence) levels[category] = RiskLevel::kHigh;
  levels[RiskCategory::kInputEdit] = RiskLevel::kMedium;
  levels[RiskCategory::kNavigation] = RiskLevel::kLow;
  levels[RiskCategory::kUiReveal] = RiskLevel::kLow;
  levels[RiskCategory::kReadOnly] = RiskLevel::kLow;
  return levels;
}

}  // namespace

struct RiskPolicy::Rules {
  explicit Rules(Vocabulary words) : vocabulary(std::move(words)), finder(vocabulary) {}
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  const Vocabulary vocabulary;
  const TermFinder finder;
};

RiskPolicy::RiskPolicy(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), content_hash_(HashVocabulary(rules_->vocabulary)) {}

const RiskPolicy& RiskPolicy::BuiltIn() {
  static const RiskPolicy policy = [] {
    Vocabulary empty;
    empty.levels = DefaultLevels();
    auto vocabulary = ParseVocabulary(kRiskPolicyJson, empty);
    if (!vocabulary) {  // a bug of this build, shown by any test
      fmt::print(stderr, "{}\n", vocabulary.error().message);
      std::abort();
    }
    return RiskPolicy(std::make_shared<const Rules>(*std::move(vocabulary)));
  }();
  return policy;
}

Result<RiskPolicy> RiskPolicy::FromJson(std::string_view text) {
  TOPODB_TRY(auto vocabulary, ParseVocabulary(text, BuiltIn().rules_->vocabulary));
  return RiskPolicy(std::make_shared<const Rules>(std::move(vocabulary)));
}

RiskVerdict RiskPolicy::Assess(const Element& element, const RiskHints& hints, ActionType action,
                               const std::vector<RiskCategory>& allowed) const {
  const auto& vocabulary = rules_->vocabulary;
  const auto shape = DescribeShape(element, hints);
  std::vector<Found> found;
  if (action == ActionType::kHover) {
    found.push_back(Because(RiskCategory::kUiReveal, "hover", "hover", "action"));
  } else {
    for (const auto& field : CollectFields(element, hints, shape, vocabulary)) {
      AddHits(rules_->finder, field, found);
    }
    AddMethods(hints, vocabulary, found);
    AddDialog(element, vocabulary, rules_->finder, found);
    // Enter in a field of a form submits it.
    const bool enter = action == ActionType::kPress && shape.input && hints.in_form;
    if (shape.submits || enter) {
      found.push_back(Because(RiskCategory::kFormSubmit, enter ? "press" : "submit", "submit",
                              enter ? "action" : "type"));
    }
    if (found.empty()) found.push_back(ShapeOf(element, hints, shape, action));
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& left, const Found& right) {
    return Rank(left.category) < Rank(right.category);
  });
  RiskVerdict verdict;
  verdict.category = found.front().category;
  const bool get_form =
      verdict.category == RiskCategory::kFormSubmit && FoldWord(hints.form_method) == "get";
  verdict.level = get_form ? vocabulary.get_form_level : vocabulary.levels.at(verdict.category);
  for (auto& each : found) verdict.matches.push_back(std::move(each.match));
  verdict.allowed = IsDefaultAllowed(verdict.level, verdict.category) ||
                    std::find(allowed.begin(), allowed.end(), verdict.category) != allowed.end();
  verdict.reason =
      fmt::format("{}:{}", verdict.allowed ? "allowed" : "blocked", ToString(verdict.category));
  verdict.evidence = {
      {EvidenceLevel::kHeuristic, "risk.policy", Describe(verdict.category, verdict.matches)}};
  return verdict;
}

}  // namespace topodb::capture
