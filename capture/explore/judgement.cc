#include "capture/explore/judgement.h"

#include <algorithm>

#include <fmt/format.h>

#include "capture/explore/action_choice.h"

namespace topodb::capture {
namespace {

std::optional<Refusal> NotActionable(const Element& element) {
  const Interactability& can = element.interactability;
  if (!can.enabled) return Refusal{FailureReason::kElementDisabled, "the element is disabled"};
  if (!can.visible) return Refusal{FailureReason::kElementHidden, "the element is not visible"};
  if (can.receives_events) return std::nullopt;
  return Refusal{FailureReason::kElementObscured,
                 can.blocker.empty() ? std::string("the element receives no pointer events")
                                     : fmt::format("the element is covered by {}", can.blocker)};
}

Refusal NotLocated(const Element& element) {
  const auto best = std::ranges::max_element(element.locators, {}, &Locator::score);
  if (best == element.locators.end() || best->match_count == 0) {
    return {FailureReason::kLocatorNotFound, "no locator finds the element"};
  }
  return {FailureReason::kLocatorNotUnique,
          fmt::format("no locator finds this element alone: {} matches {} elements",
                      best->expression, best->match_count)};
}

}  // namespace

const Locator* BestLocator(const Element& element) {
  const Locator* best = nullptr;
  for (const Locator& locator : element.locators) {
    if (locator.verified && (best == nullptr || locator.score > best->score)) best = &locator;
  }
  return best;
}

Judgement JudgeElement(const Element& element, const RiskHints& hints, const RiskVerdict& verdict,
                       const ScopeCheck& in_scope, const std::vector<NameValue>& values) {
  Judgement judgement;
  judgement.action = ActionTypeFor(element);
  judgement.verdict = verdict;
  if (!verdict.allowed) {
    judgement.skipped = true;
    return judgement;
  }
  judgement.refusal = NotActionable(element);
  if (judgement.refusal) return judgement;
  if (!MayOpen(in_scope, hints.href)) {
    judgement.refusal = Refusal{FailureReason::kOutOfScope,
                                fmt::format("the link leads out of scope: {}", hints.href)};
    return judgement;
  }
  if (judgement.action == ActionType::kFill && element.parameter_surface &&
      element.parameter_surface->readonly) {
    judgement.refusal = Refusal{FailureReason::kElementDisabled, "the element is read-only"};
    return judgement;
  }
  auto request = ChooseRequest(element, values);
  if (!request) {
    judgement.refusal = Refusal{FailureReason::kStatePreconditionMissing,
                                "there is no value to enter: give one with --values"};
    return judgement;
  }
  const Locator* locator = BestLocator(element);
  if (locator == nullptr) {
    judgement.refusal = NotLocated(element);
    return judgement;
  }
  judgement.request = std::move(request);
  judgement.locator = *locator;
  return judgement;
}

}  // namespace topodb::capture
