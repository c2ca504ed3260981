#include "query/diff_judge.h"

#include <fmt/format.h>

#include "schema/names.h"

namespace topodb::query {

std::optional<std::string> Witness::WhyNotRefused() const {
  if (index_.graph().run.mode == RunMode::kScan) return fmt::format("{} is a scan", name_);
  return std::nullopt;
}

std::optional<std::string> Witness::WhyNotLooked(const std::optional<StateId>& source) const {
  const Run& run = index_.graph().run;
  if (auto scan = WhyNotRefused()) return scan;
  if (run.status != RunStatus::kComplete) {
    return fmt::format("{} is {}{}", name_, ToString(run.status),
                       run.status_reason.empty() ? "" : " (" + run.status_reason + ")");
  }
  for (const Budget& budget : run.budgets) {
    if (!budget.hit) continue;
    // Depth hides only what lies beyond it.
    const auto depth = source ? index_.DepthOf(*source) : std::nullopt;
    if (budget.name == "max-depth" && depth && *depth < budget.limit) continue;
    return fmt::format("{} reached {} {}", name_, budget.name, budget.limit);
  }
  return std::nullopt;
}

}  // namespace topodb::query
