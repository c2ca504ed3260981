#include "query/diff.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "query/differ.h"
#include "schema/names.h"

namespace topodb::query {
namespace {

// "mode (scan, explore)" for each thing that makes two runs incomparable.
std::vector<std::string> InputDifferences(const Run& before, const Run& after) {
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view what, std::string_view was, std::string_view is) {
    if (was != is) differences.push_back(fmt::format("{} ({}, {})", what, was, is));
  };
  compare("mode", ToString(before.mode), ToString(after.mode));
  compare("risk policy", before.risk_policy_version, after.risk_policy_version);
  compare("risk policy content", before.policy_hash, after.policy_hash);
  compare("normalization rules", before.normalization_rule_version,
          after.normalization_rule_version);
  compare("locator rules", before.locator_scoring_version, after.locator_scoring_version);
  compare("seed", before.input_seed, after.input_seed);
  if (differences.empty()) differences.emplace_back("seed");
  return differences;
}

// What does not forbid a comparison but may explain what it finds.
std::vector<std::string> RunWarnings(const Run& before, const Run& after) {
  std::vector<std::string> warnings;
  const auto compare = [&](std::string_view what, std::string_view was, std::string_view is) {
    if (was != is) warnings.push_back(fmt::format("{} differs: {}, then {}", what, was, is));
  };
  const auto size = [](const Viewport& v) { return fmt::format("{}x{}", v.width, v.height); };
  const RuntimeContext& was = before.runtime_context;
  const RuntimeContext& is = after.runtime_context;
  compare("browser", was.browser_name + " " + was.browser_version,
          is.browser_name + " " + is.browser_version);
  compare("viewport", size(was.viewport), size(is.viewport));
  compare("locale", was.locale, is.locale);
  compare("timezone", was.timezone_id.value_or("the browser's"),
          is.timezone_id.value_or("the browser's"));
  compare("sign-in", ToString(was.auth_context), ToString(is.auth_context));
  compare("engine", before.engine_version, after.engine_version);
  compare("clock", before.clock, after.clock);
  compare("guard", before.guard, after.guard);
  compare("status", ToString(before.status), ToString(after.status));
  std::map<std::string, std::pair<std::string, std::string>> budgets;
  for (const Budget& budget : before.budgets) {
    budgets[budget.name].first = std::to_string(budget.limit);
  }
  for (const Budget& budget : after.budgets) {
    budgets[budget.name].second = std::to_string(budget.limit);
  }
  for (const auto& [name, limits] : budgets) {
    compare(name, limits.first.empty() ? "none" : limits.first,
            limits.second.empty() ? "none" : limits.second);
  }
  return warnings;
}

}  // namespace

std::string_view ToString(DiffSection section) {
  switch (section) {
    case DiffSection::kStates:
      return "states";
    case DiffSection::kElements:
      return "elements";
    case DiffSection::kEdges:
      return "edges";
    case DiffSection::kSkips:
      return "skips";
    case DiffSection::kFailures:
      return "failures";
  }
  return {};
}

std::string_view ToString(Change change) {
  switch (change) {
    case Change::kAdded:
      return "added";
    case Change::kRemoved:
      return "removed";
    case Change::kChanged:
      return "changed";
    case Change::kRenamed:
      return "renamed";
    case Change::kMoved:
      return "moved";
    case Change::kAmbiguous:
      return "became-ambiguous";
    case Change::kUnique:
      return "became-unique";
    case Change::kRedirected:
      return "destination-changed";
    case Change::kRiskChanged:
      return "risk-changed";
    case Change::kNewlySkipped:
      return "newly-skipped";
    case Change::kNewlyFailing:
      return "newly-failing";
    case Change::kNotObserved:
      return "not-observed";
  }
  return {};
}

uint64_t CountOf(const Diff& diff, DiffSection section, Change change) {
  return static_cast<uint64_t>(std::count_if(
      diff.differences.begin(), diff.differences.end(),
      [&](const Difference& d) { return d.section == section && d.change == change; }));
}

bool HasDifferences(const Diff& diff) {
  return std::any_of(diff.differences.begin(), diff.differences.end(),
                     [](const Difference& d) { return d.change != Change::kNotObserved; });
}

Result<Diff> DiffRuns(const store::GraphReader& before_reader, const store::StoredRun& before,
                      const store::GraphReader& after_reader, const store::StoredRun& after,
                      const DiffOptions& options) {
  std::vector<std::string> warnings;
  if (before.run.input_fingerprint != after.run.input_fingerprint) {
    const std::string what =
        fmt::format("{}", fmt::join(InputDifferences(before.run, after.run), ", "));
    if (options.comparability == Comparability::kRequired) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the runs are not of the same input: {} differ", what),
                   "--force compares them anyway"};
    }
    warnings.push_back(fmt::format("the runs are not of the same input: {} differ", what));
  }
  RunSide was(before_reader, before, Which::kBefore);
  RunSide is(after_reader, after, Which::kAfter);
  TOPODB_TRY(Diff diff, CompareRuns(was, is));
  for (std::string& warning : RunWarnings(before.run, after.run)) {
    warnings.push_back(std::move(warning));
  }
  diff.warnings = std::move(warnings);
  if (!options.only.empty()) {
    std::erase_if(diff.differences, [&](const Difference& difference) {
      return std::find(options.only.begin(), options.only.end(), difference.section) ==
             options.only.end();
    });
  }
  return diff;
}

}  // namespace topodb::query
