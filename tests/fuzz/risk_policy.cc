#include "capture/risk/risk_policy.h"

#include <string>

#include "tests/capture/risk/risk_builders.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture;

void CheckVerdict(const RiskVerdict& verdict, std::string_view detail) {
  Require(!verdict.matches.empty() && !verdict.evidence.empty(), "a verdict says why", detail);
  const bool harmless = verdict.category == RiskCategory::kNavigation ||
                        verdict.category == RiskCategory::kUiReveal ||
                        verdict.category == RiskCategory::kReadOnly;
  Require(verdict.allowed == (harmless && verdict.level == RiskLevel::kLow),
          "only low and harmless actions are allowed by default", detail);
}

// The text as a policy file.
FUZZ_TARGET(risk_policy) {
  const auto policy = RiskPolicy::FromJson(input);
  if (!policy) {
    Require(policy.error().code == ErrorCode::kInvalidArgument, "a refusal is kInvalidArgument",
            input);
    Require(policy.error().message.starts_with("risk policy: "), "a refusal names the file", input);
    return;
  }
  const auto again = RiskPolicy::FromJson(input);
  Require(again && again->content_hash() == policy->content_hash(), "the hash is stable", input);
  for (const auto& subject :
       {Button("Delete account"), Button("Show more"), Link("Docs", "/docs?do=view"),
        Button(std::string(input.substr(0, 64)))}) {
    const auto verdict = policy->Assess(subject.element, subject.hints, ActionType::kClick, {});
    CheckVerdict(verdict, input);
    Require(verdict.matches ==
                again->Assess(subject.element, subject.hints, ActionType::kClick, {}).matches,
            "a verdict is stable", input);
  }
}

}  // namespace
}  // namespace topodb::fuzz
