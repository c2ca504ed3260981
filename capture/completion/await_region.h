#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "capture/completion/region_page.h"
#include "schema/model.h"

// Waiting for a region: the loop around CompletionWatch.
namespace topodb::capture {

// Where an image is stored; its path as the text is to name it.
using ImageStore = std::function<Result<std::string>(const ImageBytes& image)>;

struct AwaitOptions {
  Millis budget{300'000};  // for everything
  RegionSession session = RegionSession::kStored;
  CopyWanted copy = CopyWanted::kNo;
  ImageStore store_image = {};  // empty: no images are wanted
};

// Reports only; must not call back.
class AwaitObserver {
 public:
  virtual ~AwaitObserver() = default;
  // Every 30 seconds.
  virtual void OnHeartbeat(RegionPhase /*phase*/, Millis /*elapsed*/) {}
};

// The region before the action.
struct TakenBaseline {
  RegionBaseline baseline;
  RegionReading before;  // the look that it is of
  std::string warning;   // the number of items did not become stable in time; empty: it did
};

// Reads until the number of items is stable. kProtocol when it cannot be read: then the action must
// not be performed. An item at the end that stands there empty is not counted: it waits to be
// filled.
Result<TakenBaseline> TakeBaseline(RegionPage& page, const RegionProfile& profile,
                                   const Clock& clock);

// Of a page that is only waited for: every item counts as new.
Result<TakenBaseline> BaselineOfNothing(RegionPage& page, const RegionProfile& profile,
                                        const Clock& clock);

// Whether something fills the region after an action: there are items that are not those of before,
// or something is at work. Errors as RegionPage::Read.
Result<bool> HasBegun(RegionPage& page, const RegionProfile& profile, const TakenBaseline& baseline,
                      Millis limit);

// Waits until the region is finished, or for the budget: the caller has its answer by then,
// whatever the page does. The observation has no ids of what filled the region, and of a page that
// is lost it says so. Errors: kInvalidArgument (the profile), kCancelled, kBrowserGone.
Result<CompletionObservation> AwaitRegion(RegionPage& page, const RegionProfile& profile,
                                          const TakenBaseline& baseline,
                                          const AwaitOptions& options, const Clock& clock,
                                          AwaitObserver& observer,
                                          const std::atomic<bool>& cancelled);

}  // namespace topodb::capture
