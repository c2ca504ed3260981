#pragma once

#include <memory>
#include <string>

#include "capture/browser/page_driver.h"
#include "capture/completion/await_region.h"

namespace topodb::capture {

// A page whose actions are over only when the region that they fill is finished: what Perform
// reports then is what the page shows in the end. For pages on the real clock.
class CompletingPage final : public PageDriver {
 public:
  // All must outlive it.
  CompletingPage(PageDriver& page, RegionPage& region, const RegionProfile& profile,
                 const Clock& clock)
      : page_(page), region_(region), profile_(profile), clock_(clock) {}

  Status Reset() override { return page_.Reset(); }
  Result<LoadReport> Navigate(const std::string& url) override { return page_.Navigate(url); }
  Result<PageSnapshot> Snapshot() override { return page_.Snapshot(); }
  // kProtocol when the region cannot be read before: then nothing is done.
  Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action) override;

 private:
  PageDriver& page_;
  RegionPage& region_;
  const RegionProfile& profile_;
  const Clock& clock_;
};

}  // namespace topodb::capture
