#include "capture/completion/completing_page.h"

#include <atomic>
#include <utility>

namespace topodb::capture {
namespace {

// For one look, by which it is known whether there is anything to wait for.
constexpr Millis kLookLimit{2'000};

}  // namespace

Result<ActionReport> CompletingPage::Perform(const NodeRef& node, const ActionRequest& action) {
  TOPODB_TRY(const TakenBaseline baseline, TakeBaseline(region_, profile_, clock_));
  TOPODB_TRY(ActionReport report, page_.Perform(node, action));
  const bool acted =
      report.outcome == ActionOutcome::kDispatched || report.outcome == ActionOutcome::kUnconfirmed;
  if (!acted) return report;
  const auto begun = HasBegun(region_, profile_, baseline, kLookLimit);
  // A page that cannot be read is not quiet.
  if (begun && !*begun) return report;
  AwaitObserver nobody;
  const std::atomic<bool> never = false;
  TOPODB_TRY(report.completion,
             AwaitRegion(region_, profile_, baseline, {.budget = profile_.timings.action_limit},
                         clock_, nobody, never));
  return report;
}

}  // namespace topodb::capture
