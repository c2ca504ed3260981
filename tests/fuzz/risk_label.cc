#include <string>

#include "tests/capture/risk/risk_builders.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture;

// The text as what a page says of a control.
FUZZ_TARGET(risk_label) {
  Input parts(input);
  auto subject = Button(std::string(parts.Line()));
  subject.element.text = parts.Line();
  subject.element.attributes.emplace_back("class", parts.Line());
  subject.hints.form_action = parts.Line();
  const auto alone = Assess(subject);
  Require(!alone.matches.empty() && !alone.reason.empty(), "a verdict says why", input);
  Require(alone.allowed == alone.reason.starts_with("allowed:"), "a reason fits its verdict",
          input);
  // Whatever else a control says, a plain word for destruction is heard.
  subject.hints.request_attributes.emplace_back("hx-delete", "/account");
  const auto method = Assess(subject);
  Require(method.category == RiskCategory::kDestructive && !method.allowed,
          "a request method is not talked over", input);
  auto link = Link(std::string(input), "/account/delete");
  Require(Assess(link).category == RiskCategory::kDestructive,
          "a link's address is not talked over", input);
}

}  // namespace
}  // namespace topodb::fuzz
