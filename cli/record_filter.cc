#include "cli/record_filter.h"

#include <algorithm>

#include <fmt/format.h>

#include "capture/guard/glob.h"
#include "cli/references.h"
#include "query/each_record.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

template <class Enum>
Status ParseInto(std::string_view text, std::string_view what, std::optional<Enum>& value) {
  if (text.empty()) return {};
  value = Parse<Enum>(text);
  if (value) return {};
  return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is no {}", text, what), ""};
}

}  // namespace

bool MatchesPattern(std::string_view url, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos)
    return url.find(pattern) != std::string_view::npos;
  return capture::MatchesGlob(pattern, url);
}

Result<RecordFilter> RecordFilter::Resolve(const FilterOptions& options, const RunView& view) {
  RecordFilter filter;
  const auto resolve = [&](const std::string& reference, std::optional<StateId>& id) -> Status {
    if (reference.empty()) return {};
    TOPODB_TRY(id, FindState(view.reader(), view.stored(), reference));
    return {};
  };
  TOPODB_TRY_VOID(ParseInto(options.risk, "risk level (low, medium, high)", filter.risk_));
  TOPODB_TRY_VOID(ParseInto(options.category, "risk category", filter.category_));
  TOPODB_TRY_VOID(resolve(options.from, filter.from_));
  TOPODB_TRY_VOID(resolve(options.to, filter.to_));
  TOPODB_TRY_VOID(resolve(options.state, filter.state_));
  if (!options.element.empty()) {
    TOPODB_TRY(const IdBytes id, FindRecord(view.reader(), view.stored(),
                                            store::RecordKind::kElement, options.element));
    filter.element_ = ElementId{id};
  }
  filter.role_ = options.role;
  filter.name_ = options.name;
  filter.reason_ = options.reason;
  filter.url_ = options.url;
  return filter;
}

bool RecordFilter::KeepsState(const std::optional<StateId>& id, RunView& view) const {
  if (state_ && id != state_) return false;
  if (url_.empty()) return true;
  const State* state = id ? view.FindState(*id) : nullptr;
  return state != nullptr && MatchesPattern(state->url, url_);
}

bool RecordFilter::KeepsRoleAndName(const Element* element) const {
  if (role_.empty() && name_.empty()) return true;
  return element != nullptr && (role_.empty() || element->role == role_) &&
         query::NameMatches(element->accessible_name.value_or(""), name_);
}

bool RecordFilter::KeepsElement(const std::optional<ElementId>& id, RunView& view) const {
  if (element_ && id != element_) return false;
  if (role_.empty() && name_.empty()) return true;
  return id && KeepsRoleAndName(view.FindElement(*id));
}

bool RecordFilter::Keeps(const State& state, RunView& view) const {
  return KeepsState(state.id, view);
}

bool RecordFilter::Keeps(const Element& element, RunView& view) const {
  return (!element_ || element.id == element_) && KeepsState(element.state_id, view) &&
         KeepsRoleAndName(&element);
}

bool RecordFilter::Keeps(const ActionEdge& edge, RunView& view) const {
  const auto leads_to = [&](const StateId& id) {
    return edge.to_state_id == id ||
           std::find(edge.other_to_state_ids.begin(), edge.other_to_state_ids.end(), id) !=
               edge.other_to_state_ids.end();
  };
  if (from_ && edge.from_state_id != from_) return false;
  if (to_ && !leads_to(*to_)) return false;
  if (state_ && edge.from_state_id != state_ && !leads_to(*state_)) return false;
  if (risk_ && edge.risk_level != risk_) return false;
  if (category_ && edge.risk_category != category_) return false;
  if (!url_.empty()) {
    const State* from = view.FindState(edge.from_state_id);
    if (from == nullptr || !MatchesPattern(from->url, url_)) return false;
  }
  return KeepsElement(edge.element_id, view);
}

bool RecordFilter::Keeps(const SkippedAction& skip, RunView& view) const {
  if (risk_ && skip.risk_level != risk_) return false;
  if (category_ && skip.risk_category != category_) return false;
  if (!reason_.empty() && skip.reason != reason_) return false;
  return KeepsState(skip.state_id, view) && KeepsElement(skip.element_id, view);
}

bool RecordFilter::Keeps(const FailedObservation& failure, RunView& view) const {
  if (!reason_.empty() && ToString(failure.reason) != reason_) return false;
  return KeepsState(failure.state_id, view) && KeepsElement(failure.element_id, view);
}

bool RecordFilter::Keeps(const CompletionObservation& observation, RunView& view) const {
  return KeepsState(observation.state_id, view) && KeepsElement(observation.element_id, view);
}

}  // namespace topodb::cli
