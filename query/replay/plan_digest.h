#pragma once

#include <string>
#include <vector>

#include "query/replay/replayer.h"
#include "query/replay/report.h"
#include "schema/model.h"

namespace topodb::replay {

struct PlannedStep {
  const ActionEdge& edge;
  const Element& element;
};

// SHA-256 of what a replay would do, as 64 hex digits: entry, risks and positions allowed, and of
// each step its source state, command, locators, identity record, destination, and the names of
// what is to be entered. Values, times, and where the site is now are no part of it.
std::string PlanDigest(const std::string& entry_url, const ReplayOptions& options,
                       const std::vector<PlannedStep>& steps);

}  // namespace topodb::replay
