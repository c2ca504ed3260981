#include "cli/record_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/references.h"
#include "query/exchange/iso_time.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

std::string Text(std::string_view text) { return std::string(text); }

Cell IdCell(std::string_view id) { return {ShortId(id), CellStyle::kDim}; }

// The kinds of effects, each once, in the order of their first occurrence.
std::string EffectKinds(const std::vector<Effect>& effects) {
  std::vector<std::string_view> kinds;
  for (const Effect& effect : effects) {
    const std::string_view kind = ToString(effect.type);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return fmt::format("{}", fmt::join(kinds, ","));
}

CellStyle StyleOf(RunStatus status) {
  return status == RunStatus::kComplete ? CellStyle::kGood : CellStyle::kCaution;
}

}  // namespace

template <>
std::vector<Column> ColumnsOf<Run>() {
  return {{"ID"},     {"NAME"},   {"WHEN (UTC)"}, {"INPUT"}, {"MODE"},
          {"STATUS"}, {"STATES"}, {"EDGES"},      {"SKIPS"}, {"FAILURES"}};
}

template <>
std::vector<std::string> FieldsOf<Run>() {
  return {"crawlSessionId", "name",   "generatedAt", "inputUrl",        "entryUrl",
          "mode",           "status", "counts",      "inputFingerprint"};
}

std::vector<Cell> RowOf(const Run& run) {
  return {IdCell(run.id.ToString()),
          {run.name},
          {ShortTime(run.generated_at)},
          {run.input_url},
          {Text(ToString(run.mode))},
          {Text(ToString(run.status)), StyleOf(run.status)},
          {std::to_string(run.counts.states)},
          {std::to_string(run.counts.edges)},
          {std::to_string(run.counts.skipped_actions)},
          {std::to_string(run.counts.failed_observations)}};
}

template <>
std::vector<Column> ColumnsOf<State>() {
  return {{"TITLE"}, {"URL", 72}, {"OPEN DIALOG"}, {"LIFECYCLE"}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<State>() {
  return {"stateId",  "url",       "route",          "title",
          "language", "lifecycle", "openedByEdgeId", "createdAt"};
}

std::vector<Cell> RowOf(const State& state, RunView& view) {
  return {{state.title},
          {state.url},
          {state.modal_stack.empty() ? "" : state.modal_stack.back()},
          {Text(ToString(state.lifecycle))},
          IdCell(view.ids()(state.id))};
}

template <>
std::vector<Column> ColumnsOf<Element>() {
  return {{"STATE"}, {"ROLE"}, {"NAME"}, {"LOCATOR", 72}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<Element>() {
  return {"elementId", "stateId", "tag", "role", "accessibleName", "text", "label"};
}

std::vector<Cell> RowOf(const Element& element, RunView& view) {
  return {{view.Label(element.state_id)},
          {element.role.value_or(element.tag)},
          {element.accessible_name.value_or("")},
          {element.locators.empty() ? "" : element.locators.front().expression},
          IdCell(view.ids()(element.id))};
}

template <>
std::vector<Column> ColumnsOf<ActionEdge>() {
  return {{"FROM"}, {"ACTION"}, {"TARGET"}, {"TO"}, {"RISK"}, {"EFFECTS"}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<ActionEdge>() {
  return {"edgeId",    "fromStateId",  "toStateId",  "elementId", "actionType",
          "riskLevel", "riskCategory", "confidence", "createdAt"};
}

std::vector<Cell> RowOf(const ActionEdge& edge, RunView& view) {
  std::string to = edge.to_state_id ? view.Label(*edge.to_state_id) : "";
  if (!edge.other_to_state_ids.empty()) {
    to += fmt::format(" (and {} other)", edge.other_to_state_ids.size());
  }
  return {{view.Label(edge.from_state_id)},
          {Text(ToString(edge.action_type))},
          {view.Label(edge.element_id)},
          {std::move(to)},
          {fmt::format("{} {}", ToString(edge.risk_level), ToString(edge.risk_category)),
           StyleOf(edge.risk_level)},
          {EffectKinds(edge.effects)},
          IdCell(view.ids()(edge.id))};
}

template <>
std::vector<Column> ColumnsOf<SkippedAction>() {
  return {{"STATE"}, {"ACTION"}, {"TARGET"}, {"RISK"}, {"REASON"}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<SkippedAction>() {
  return {"skippedActionId", "stateId",      "elementId", "actionType",
          "riskLevel",       "riskCategory", "reason",    "createdAt"};
}

std::vector<Cell> RowOf(const SkippedAction& skip, RunView& view) {
  return {{view.Label(skip.state_id)},
          {Text(ToString(skip.action_type))},
          {view.Label(skip.element_id)},
          {Text(ToString(skip.risk_level)), StyleOf(skip.risk_level)},
          {skip.reason},
          IdCell(view.ids()(skip.id))};
}

template <>
std::vector<Column> ColumnsOf<FailedObservation>() {
  return {{"STATE"}, {"ACTION"}, {"TARGET"}, {"REASON"}, {"MESSAGE", 72}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<FailedObservation>() {
  return {"failedObservationId",
          "stateId",
          "elementId",
          "actionType",
          "reason",
          "message",
          "createdAt"};
}

std::vector<Cell> RowOf(const FailedObservation& failure, RunView& view) {
  return {{failure.state_id ? view.Label(*failure.state_id) : ""},
          {failure.action_type ? Text(ToString(*failure.action_type)) : ""},
          {failure.element_id ? view.Label(*failure.element_id) : ""},
          {Text(ToString(failure.reason))},
          {failure.message},
          IdCell(view.ids()(failure.id))};
}

template <>
std::vector<Column> ColumnsOf<CompletionObservation>() {
  return {{"STATE"}, {"TARGET"}, {"PROFILE"}, {"STATUS"}, {"TEXT", 72}, {"ID"}};
}

template <>
std::vector<std::string> FieldsOf<CompletionObservation>() {
  return {"observationId", "stateId", "elementId", "actionType", "profile",
          "status",        "text",    "errorCode", "createdAt"};
}

std::vector<Cell> RowOf(const CompletionObservation& observation, RunView& view) {
  const bool complete = observation.status == CompletionStatus::kComplete;
  return {{observation.state_id ? view.Label(*observation.state_id) : ""},
          {observation.element_id ? view.Label(*observation.element_id) : ""},
          {observation.profile},
          {Text(ToString(observation.status)), complete ? CellStyle::kGood : CellStyle::kCaution},
          {observation.text.value_or(observation.error_code)},
          IdCell(view.ids()(observation.id))};
}

CellStyle StyleOf(RiskLevel level) {
  switch (level) {
    case RiskLevel::kLow:
      return CellStyle::kGood;
    case RiskLevel::kMedium:
      return CellStyle::kCaution;
    case RiskLevel::kHigh:
      return CellStyle::kDanger;
  }
  return CellStyle::kPlain;
}

std::string ShortTime(Timestamp time) {
  std::string text = query::ToIsoTime(time).substr(0, sizeof("2026-01-31T23:59:59") - 1);
  text[sizeof("2026-01-31") - 1] = ' ';
  return text;
}

}  // namespace topodb::cli
