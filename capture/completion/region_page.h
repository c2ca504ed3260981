#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/completion/completion_watch.h"
#include "capture/completion/region_profile.h"
#include "capture/completion/region_reading.h"
#include "schema/base/result.h"

namespace topodb::capture {

struct RegionQuery {
  const RegionProfile& profile;
  uint64_t from = 0;  // the texts of items before it are of no interest
  ImagesWanted images = ImagesWanted::kNo;
};

struct ImageBytes {
  std::string media_type;  // "image/png"; as the server said
  std::string bytes;
};

// A page with a region, as waiting for it needs it. Blocking, never for longer than `limit` says;
// one thread at a time.
class RegionPage {
 public:
  virtual ~RegionPage() = default;

  // One look, by one message. kInvalidArgument: the profile has a selector that is none.
  // kTargetCrashed, kBrowserGone: the page is lost. Anything else: nothing is known this time.
  virtual Result<RegionReading> Read(const RegionQuery& query, Millis limit) = 0;

  // Which elements of the last snapshot of the page, by their handles in the main frame, the
  // selector matches. kInvalidArgument: it is none.
  virtual Result<std::vector<uint32_t>> FindElements(const std::string& selector, Millis limit) = 0;

  // Enters a text into the element that has the focus, in place of what is there.
  virtual Status Type(const std::string& text, Millis limit) = 0;

  // Returns when the page changed since the last look or is lost, at the latest after `limit`.
  virtual void AwaitChange(Millis limit) = 0;

  // Lets this much time pass; the page may change meanwhile.
  virtual void Rest(Millis time) = 0;

  // What the copy control of exactly this item gives; the clipboard stays as it is.
  virtual Result<std::string> Copy(const RegionProfile& profile, const Completion& proven,
                                   Millis limit) = 0;

  virtual Result<ImageBytes> FetchImage(const std::string& source, Millis limit) = 0;
};

}  // namespace topodb::capture
