#pragma once

#include <string>

#include "query/replay/report_json.h"
#include "query/replay/script_player.h"

// What came of a script, in the forms and within the bounds of a replay's report.
namespace topodb::replay {

// For people; page text made harmless.
std::string ToText(const PlayReport& report);
std::string ToJson(const PlayReport& report, ReportDetail detail);

}  // namespace topodb::replay
