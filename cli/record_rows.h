#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/run_view.h"
#include "schema/model.h"

// How records look in a table: words first, the short id last.
namespace topodb::cli {

// The table's columns, and the members of the record's JSON that CSV shows. For Run, State,
// Element, ActionEdge, SkippedAction, FailedObservation, CompletionObservation.
template <class Record>
std::vector<Column> ColumnsOf();
template <class Record>
std::vector<std::string> FieldsOf();

std::vector<Cell> RowOf(const Run& run);
std::vector<Cell> RowOf(const State& state, RunView& view);
std::vector<Cell> RowOf(const Element& element, RunView& view);
std::vector<Cell> RowOf(const ActionEdge& edge, RunView& view);
std::vector<Cell> RowOf(const SkippedAction& skip, RunView& view);
std::vector<Cell> RowOf(const FailedObservation& failure, RunView& view);
std::vector<Cell> RowOf(const CompletionObservation& observation, RunView& view);

CellStyle StyleOf(RiskLevel level);
// "2026-01-31 23:59:59", UTC.
std::string ShortTime(Timestamp time);

}  // namespace topodb::cli
