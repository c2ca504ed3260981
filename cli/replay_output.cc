#include "cli/replay_output.h"

#include <utility>

#include <fmt/format.h>

#include "cli/run_view.h"

namespace topodb::cli {

void NoteStep(const replay::StepReport& step, std::string_view action, size_t total,
              Console& console) {
  if (!console.options().verbose) return;
  console.Note(fmt::format("{}/{} {} {}: {}", step.index, total, action,
                           RoleAndName(step.role, step.name), ToString(step.verdict)));
}

JunitCase JunitCaseOf(std::string name, const replay::StepReport& step) {
  JunitCase test{.name = std::move(name), .failure = {}, .skipped = {}};
  switch (step.verdict) {
    case replay::StepVerdict::kPassed:
    case replay::StepVerdict::kPassedPositional:
      break;
    case replay::StepVerdict::kSkipped:
    case replay::StepVerdict::kNotRun:
      test.skipped = step.reason;
      break;
    case replay::StepVerdict::kDiverged:
      test.failure = step.divergence ? step.divergence->kind + ": " + step.divergence->cause.message
                                     : std::string(ToString(step.verdict));
      break;
    case replay::StepVerdict::kUnverified:
      test.failure = fmt::format("unverified: {}", step.reason);
      break;
  }
  return test;
}

}  // namespace topodb::cli
