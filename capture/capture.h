#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "capture/explore/explorer.h"
#include "capture/risk/risk_policy.h"
#include "schema/graph_sink.h"

// One run, from the user's input to the published graph.
namespace topodb::capture {

struct CaptureOptions {
  std::string input;                // URL or path, as given
  std::optional<std::string> seed;  // inputSeed; absent: the input
  std::string name;
  ExploreOptions explore;  // in_scope is filled in from `drive`
  DriveOptions drive;
  uint32_t jobs = 1;  // tabs side by side; at least 1
};

// Who makes the run: injected, so that equal sites give equal runs.
struct RunStamp {
  RunId id;
  std::string engine_version;
};

// Captures `options.input` into `sink` and publishes the run, also a partial one; returns it as
// published but for the counts, which the sink fills in. Errors, with nothing stored:
// kInvalidArgument (input, options), kBrowserMissing, kNavigation, kTimeout, kBrowserGone (the
// entry page could not be opened), kCancelled. kIo, kCorruption: the sink failed; what it took is
// left as a draft, which the next writer publishes as partial.
Result<Run> Capture(const CaptureOptions& options, GraphSink& sink, const RiskPolicy& policy,
                    const Clock& clock, const RunStamp& stamp, ExploreObserver& observer,
                    const std::atomic<bool>& cancelled);

}  // namespace topodb::capture
