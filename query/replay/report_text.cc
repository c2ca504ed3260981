#include "query/replay/report_text.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "schema/base/text.h"
#include "schema/names.h"

namespace topodb::replay {
namespace {

constexpr size_t kShortId = 14;   // "edge_" and nine digits
constexpr size_t kMaxText = 120;  // bytes of one page text on a line

std::string Clean(std::string_view text) { return TruncateUtf8(NormalizeText(text), kMaxText); }

std::string Target(std::string_view role, std::string_view name) {
  return fmt::format("{} \"{}\"", role.empty() ? "element" : Clean(role), Clean(name));
}

std::string_view NoteOf(Arrival arrival) {
  switch (arrival) {
    case Arrival::kSameChange:
      return "  (by the recorded change)";
    case Arrival::kSameParts:
      return "  (by parts and landmarks)";
    case Arrival::kSamePlace:
      return "  (by place and landmarks)";
    case Arrival::kNo:
    case Arrival::kSameState:
      break;
  }
  return "";
}

void AppendMismatches(std::string& out, const std::vector<Mismatch>& mismatches) {
  for (const auto& mismatch : mismatches) {
    fmt::format_to(std::back_inserter(out), "       {}: recorded {}, observed {}\n", mismatch.field,
                   Clean(mismatch.recorded), Clean(mismatch.observed));
  }
}

void AppendDivergence(std::string& out, const Divergence& divergence) {
  auto line = std::back_inserter(out);
  fmt::format_to(line, "     {} ({}): {}\n", divergence.kind, divergence.cause.code,
                 Clean(divergence.cause.message));
  if (!divergence.screen_available) out += "       the page could not be looked at\n";
  if (divergence.binding) AppendMismatches(out, divergence.binding->mismatches);
  AppendMismatches(out, divergence.outcome);
  for (const auto& suggestion : divergence.suggestions) {
    fmt::format_to(line, "       perhaps {} ({})\n", Clean(suggestion.selector), suggestion.basis);
  }
  if (!divergence.cause.hint.empty()) fmt::format_to(line, "       {}\n", divergence.cause.hint);
  fmt::format_to(line, "       repair: {}\n", ToString(divergence.repair_hint));
}

}  // namespace

std::string ToText(const StepReport& step) {
  std::string out = fmt::format("{:>4} {:<17} {} {}  {}", step.index, ToString(step.verdict),
                                ToString(step.action), Target(step.role, step.name),
                                step.edge.ToString().substr(0, kShortId));
  if (!step.reason.empty()) fmt::format_to(std::back_inserter(out), "  ({})", Clean(step.reason));
  out += NoteOf(step.arrival);
  if (step.digits_drifted) out += "  (digits of its name differ)";
  out += '\n';
  if (step.divergence) AppendDivergence(out, *step.divergence);
  return out;
}

std::string ToText(const ReplayReport& report) {
  std::string out;
  for (const auto& step : report.steps) out += ToText(step);
  const VerdictCounts counts = report.Count();
  fmt::format_to(std::back_inserter(out),
                 "{} steps: {} passed, {} passed by position, {} diverged, {} unverified, "
                 "{} skipped, {} not run\n",
                 report.steps.size(), counts.passed, counts.passed_positional, counts.diverged,
                 counts.unverified, counts.skipped, counts.not_run);
  if (report.end != ReplayEnd::kCompleted) {
    fmt::format_to(std::back_inserter(out), "ended early: {}\n", ToString(report.end));
  }
  return out;
}

}  // namespace topodb::replay
