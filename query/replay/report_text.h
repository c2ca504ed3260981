#pragma once

#include <string>

#include "query/replay/report.h"

namespace topodb::replay {

// The report for people: a line for each step, what went wrong below it, and a summary. Page text
// has no control or bidi characters left in it.
std::string ToText(const ReplayReport& report);
std::string ToText(const StepReport& step);

}  // namespace topodb::replay
