#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capture/risk/risk_policy.h"

namespace topodb::capture {

// An element with what the policy looks at; pure values.
struct Subject {
  Element element;
  RiskHints hints;
};

inline Subject Button(std::string name) {
  Subject subject;
  subject.element.tag = "button";
  subject.element.role = "button";
  subject.element.accessible_name = std::move(name);
  subject.hints.effective_type = "button";
  return subject;
}

inline Subject Link(std::string name, std::string href) {
  Subject subject;
  subject.element.tag = "a";
  subject.element.role = "link";
  subject.element.accessible_name = std::move(name);
  subject.hints.href = std::move(href);
  return subject;
}

inline RiskVerdict Assess(const Subject& subject, ActionType action = ActionType::kClick) {
  return RiskPolicy::BuiltIn().Assess(subject.element, subject.hints, action, {});
}

}  // namespace topodb::capture
