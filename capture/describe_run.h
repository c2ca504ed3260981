#pragma once

#include <string>

#include "capture/browser/clock.h"
#include "capture/capture.h"
#include "capture/drive.h"
#include "capture/risk/risk_policy.h"
#include "schema/model.h"

namespace topodb::capture {

// What is being captured, as the user said it.
struct RunInput {
  std::string input;                // URL or path, as given
  std::optional<std::string> seed;  // inputSeed; absent: the input
  std::string name;
  RunMode mode = RunMode::kScan;
};

// A run that begins now, with everything that is known before anything was opened.
Run DescribeRun(const RunInput& input, const DriveOptions& options, const RiskPolicy& policy,
                const Clock& clock, const RunStamp& stamp, const Drive& drive);

}  // namespace topodb::capture
