#pragma once

#include <optional>
#include <vector>

#include "capture/browser/page_driver.h"
#include "query/replay/report.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// What an action did beside leading somewhere. Pure.
namespace topodb::replay {

struct ActionFacts {
  const ActionEdge& edge;  // as recorded
  const PageSnapshot& before;
  const PageSnapshot& after;
  const capture::ActionReport& report;
  // Stopped while the page was loaded and led here: the page's own, not the action's.
  const std::vector<capture::RequestSeen>& own_requests;
};

// A blocked request, dialog, popup or download that was not there when the edge was recorded.
std::optional<Cause> UnexpectedEvent(const ActionFacts& facts);

// One of the recorded effects was seen again. For actions that stay in their state, this is what
// tells doing something from doing nothing.
bool SawRecordedEffect(const ActionFacts& facts);

}  // namespace topodb::replay
