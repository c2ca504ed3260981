#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/run_view.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::cli {

// What `topodb query` was asked to keep, as given; an empty text keeps all.
struct FilterOptions {
  std::string from, to, state, element;  // references
  std::string role, name, risk, category, reason, url;
};

// FilterOptions resolved for one run. A record is kept when it passes everything that is set.
class RecordFilter {
 public:
  // kInvalidArgument for an unknown risk, category or reason; see FindState for references.
  static Result<RecordFilter> Resolve(const FilterOptions& options, const RunView& view);

  bool Keeps(const State& state, RunView& view) const;
  bool Keeps(const Element& element, RunView& view) const;
  bool Keeps(const ActionEdge& edge, RunView& view) const;
  bool Keeps(const SkippedAction& skip, RunView& view) const;
  bool Keeps(const FailedObservation& failure, RunView& view) const;
  bool Keeps(const CompletionObservation& observation, RunView& view) const;

 private:
  bool KeepsElement(const std::optional<ElementId>& id, RunView& view) const;
  bool KeepsRoleAndName(const Element* element) const;
  bool KeepsState(const std::optional<StateId>& id, RunView& view) const;

  std::optional<StateId> from_, to_, state_;
  std::optional<ElementId> element_;
  std::optional<RiskLevel> risk_;
  std::optional<RiskCategory> category_;
  std::string role_, name_, reason_, url_;
};

// `pattern` with * for any text, anywhere in `url` unless it has a * at that end:
// "/accounts" is in https://x/accounts/1, "*/accounts" ends there.
bool MatchesPattern(std::string_view url, std::string_view pattern);

}  // namespace topodb::cli
