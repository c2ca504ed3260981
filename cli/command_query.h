#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/record_filter.h"
#include "schema/base/result.h"

namespace topodb::cli {

enum class QueryKind : uint8_t { kStates, kElements, kEdges, kSkips, kFailures, kObservations };

struct QueryOptions {
  QueryKind kind = QueryKind::kStates;
  std::string run = "latest";
  bool all_runs = false;
  FilterOptions filter;
  size_t limit = 0;  // 0: all
  bool count = false;
};

void AddQuery(CLI::App& app, Selection& selection);
// Lists the records of one kind that pass the filter, in stored order.
Result<ExitCode> RunQuery(const QueryOptions& options, Console& console);

}  // namespace topodb::cli
