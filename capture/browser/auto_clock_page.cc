#include "capture/browser/auto_clock_page.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "capture/guard/redact.h"
#include "capture/guard/url.h"

namespace topodb::capture {
Status AutoClockPage::Reset() {
  current_ = &tabs_.on_virtual_clock;
  return current_->Reset();
}

Result<LoadReport> AutoClockPage::Navigate(const std::string& url) {
  page_ = RedactUrl(WithoutQuery(url));
  if (left_.contains(page_)) return NavigateOnRealClock(url, Millis(0));
  const auto begin = std::chrono::steady_clock::now();
  current_ = &tabs_.on_virtual_clock;
  auto load = current_->Navigate(url);
  const std::string doubt = tabs_.doubt();
  if (doubt.empty()) return load;
  const auto spent = std::chrono::steady_clock::now() - begin;
  auto real = NavigateOnRealClock(url, std::chrono::duration_cast<Millis>(spent));
  // A page that no clock settles is no matter of the clock.
  if (real) left_.emplace(page_, doubt);
  return real;
}

Result<LoadReport> AutoClockPage::NavigateOnRealClock(const std::string& url, Millis spent) {
  TOPODB_TRY(current_, tabs_.on_real_clock(spent));
  TOPODB_TRY_VOID(current_->Reset());
  TOPODB_TRY(auto load, current_->Navigate(url));
  load.settle.tier = "fallback";
  return load;
}

Result<ActionReport> AutoClockPage::Perform(const NodeRef& node, const ActionRequest& action) {
  auto report = current_->Perform(node, action);
  if (!report) return report;
  if (on_real_clock()) {
    report->settle.tier = "fallback";
  } else if (const std::string doubt = tabs_.doubt(); !doubt.empty()) {
    // The action is done and must not be done twice; its page is left to the real clock from now
    // on.
    left_.emplace(page_, doubt);
  }
  return report;
}

std::vector<std::string> AutoClockPage::Notes() const {
  std::vector<std::string> notes;
  for (const auto& [page, why] : left_) {
    notes.push_back(fmt::format("'{}' was settled by the real clock: {}", page, why));
  }
  return notes;
}

}  // namespace topodb::capture
