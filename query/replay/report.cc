#include "query/replay/report.h"

namespace topodb::replay {

std::string_view ToString(StepVerdict verdict) {
  switch (verdict) {
    case StepVerdict::kPassed:
      return "passed";
    case StepVerdict::kPassedPositional:
      return "passed-positional";
    case StepVerdict::kDiverged:
      return "diverged";
    case StepVerdict::kUnverified:
      return "unverified";
    case StepVerdict::kSkipped:
      return "skipped";
    case StepVerdict::kNotRun:
      return "not-run";
  }
  return "not-run";
}

std::string_view ToString(RepairHint hint) {
  switch (hint) {
    case RepairHint::kCaution:
      return "caution";
    case RepairHint::kManual:
      return "manual";
    case RepairHint::kRecordAndHeal:
      return "record-and-heal";
    case RepairHint::kStateRepair:
      return "state-repair";
  }
  return "manual";
}

std::string_view ToString(Arrival arrival) {
  switch (arrival) {
    case Arrival::kNo:
      return "none";
    case Arrival::kSameChange:
      return "recorded-change";
    case Arrival::kSameParts:
      return "parts-and-landmarks";
    case Arrival::kSamePlace:
      return "place-and-landmarks";
    case Arrival::kSameState:
      return "state-id";
  }
  return "none";
}

std::string_view ToString(ReplayEnd end) {
  switch (end) {
    case ReplayEnd::kCompleted:
      return "completed";
    case ReplayEnd::kDeadline:
      return "deadline";
    case ReplayEnd::kCancelled:
      return "cancelled";
    case ReplayEnd::kBrowserGone:
      return "browser-gone";
  }
  return "completed";
}

std::optional<ResumePoint> ResumePointOf(const StepReport& step) {
  if (!step.divergence) return std::nullopt;
  switch (step.divergence->repair_hint) {
    case RepairHint::kRecordAndHeal:
      return ResumePoint{.from = step.index + 1, .alternate_from = std::nullopt};
    case RepairHint::kCaution:
    case RepairHint::kManual:
      return ResumePoint{.from = step.index, .alternate_from = step.index + 1};
    case RepairHint::kStateRepair:
      break;
  }
  return ResumePoint{.from = step.index, .alternate_from = std::nullopt};
}

VerdictCounts ReplayReport::Count() const {
  VerdictCounts counts;
  for (const auto& step : steps) {
    switch (step.verdict) {
      case StepVerdict::kPassed:
        ++counts.passed;
        break;
      case StepVerdict::kPassedPositional:
        ++counts.passed_positional;
        break;
      case StepVerdict::kDiverged:
        ++counts.diverged;
        break;
      case StepVerdict::kUnverified:
        ++counts.unverified;
        break;
      case StepVerdict::kSkipped:
        ++counts.skipped;
        break;
      case StepVerdict::kNotRun:
        ++counts.not_run;
        break;
    }
  }
  return counts;
}

bool ReplayReport::AllPassed() const {
  const VerdictCounts counts = Count();
  return end == ReplayEnd::kCompleted && counts.passed + counts.passed_positional == steps.size();
}

}  // namespace topodb::replay
