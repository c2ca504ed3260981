#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "capture/completion/await_region.h"
#include "capture/drive.h"
#include "capture/risk/risk_policy.h"
#include "schema/graph_sink.h"

// One page that is opened and waited for, from the user's input to the stored observation.
namespace topodb::capture {

// Which items are new.
enum class NewItems : uint8_t {
  kAll,        // also those that the page shows when it is opened
  kSinceOpen,  // only what comes then
};

// A locator is a role and a name (button "Send") or a selector.
struct FillStep {
  std::string locator;
  std::string text;
};

struct AwaitRunOptions {
  std::string input;  // URL or path, as given
  RegionProfile profile;
  std::optional<FillStep> fill;
  std::string submit;  // locator of what is clicked; empty: nothing. With it only what comes after
                       // the click is new
  NewItems new_items = NewItems::kAll;
  AwaitOptions wait;
  DriveOptions drive;  // on the real clock
};

struct AwaitedRun {
  CompletionObservation observation;
  std::vector<std::string> warnings;  // of the browser, the guard and the wait
};

// Opens the page, does what is asked for and waits. The observation becomes a run of its own in
// `sink`; null: it is not stored. Errors, with nothing stored: kInvalidArgument (input, options, a
// profile that is for other hosts), kBrowserMissing, kNavigation, kTimeout, kBrowserGone (the page
// could not be opened), kElementNotFound, kAmbiguous, kElementNotActionable (what was to be filled
// or clicked), kProtocol (the items could not be counted: nothing was sent), kCancelled; those of
// the sink.
Result<AwaitedRun> AwaitRun(const AwaitRunOptions& options, GraphSink* sink,
                            const RiskPolicy& policy, const Clock& clock, const RunStamp& stamp,
                            AwaitObserver& observer, const std::atomic<bool>& cancelled);

}  // namespace topodb::capture
