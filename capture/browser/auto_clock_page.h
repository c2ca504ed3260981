#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"

namespace topodb::capture {

// The PageDriver of two tabs: one on the virtual clock and, for pages that this cannot settle, one
// on the real clock. Which page needs which is found out by opening it and remembered by origin and
// path. A clock that was stopped cannot be let go, so such a page is opened anew in the other tab.
class AutoClockPage final : public PageDriver {
 public:
  struct Tabs {
    PageDriver& on_virtual_clock;
    // Why the virtual clock could not settle what was opened last; empty: it could.
    std::function<std::string()> doubt;
    // The tab on the real clock, opened when it is asked for first; outlives this. Its next page
    // has so much less time, because it was spent on the virtual clock.
    std::function<Result<PageDriver*>(Millis spent)> on_real_clock;
  };
  explicit AutoClockPage(Tabs tabs) : tabs_(std::move(tabs)), current_(&tabs_.on_virtual_clock) {}

  Status Reset() override;
  Result<LoadReport> Navigate(const std::string& url) override;
  Result<PageSnapshot> Snapshot() override { return current_->Snapshot(); }
  Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action) override;

  // What was left to the real clock, and why, for people.
  std::vector<std::string> Notes() const;

 private:
  Result<LoadReport> NavigateOnRealClock(const std::string& url, Millis spent);
  bool on_real_clock() const { return current_ != &tabs_.on_virtual_clock; }

  const Tabs tabs_;
  PageDriver* current_;
  std::string page_;                         // the last page opened, by origin and path
  std::map<std::string, std::string> left_;  // to the real clock: page -> why
};

}  // namespace topodb::capture
