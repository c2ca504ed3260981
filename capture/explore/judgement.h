#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/browser/page_driver.h"
#include "capture/explore/refusal.h"
#include "capture/risk/risk_policy.h"
#include "schema/model.h"
#include "schema/snapshot.h"

namespace topodb::capture {

// An element and what to do with it, to be tried from its state.
struct Candidate {
  size_t state = 0;  // index into KnownStates
  ElementId element;
  std::vector<NameValue> params;  // of the edge
  ActionRequest request;
  Locator locator;  // the best verified one
  RiskVerdict verdict;
};

// What exploring makes of one element before anything is touched: exactly one of the three.
struct Judgement {
  ActionType action = ActionType::kClick;
  RiskVerdict verdict;
  bool skipped = false;                  // the risk policy refuses it
  std::optional<Refusal> refusal;        // it cannot be tried
  std::optional<ActionRequest> request;  // it is a candidate
  std::optional<Locator> locator;        // of a candidate
};

// The policy comes first: a disabled dangerous control is skipped, a disabled harmless one fails.
// Then, in this order: disabled, hidden, covered, out of scope, read-only, nothing to enter, no
// verified locator. Pure.
Judgement JudgeElement(const Element& element, const RiskHints& hints, const RiskVerdict& verdict,
                       const ScopeCheck& in_scope, const std::vector<NameValue>& values);

// The best verified locator; nullptr when none is.
const Locator* BestLocator(const Element& element);

}  // namespace topodb::capture
