#include "capture/browser/auto_clock_page.h"

#include <utility>

#include <fmt/format.h>

#include "capture/guard/redact.h"

namespace topodb::capture {
namespace {

std::string PageOf(const std::string& url) {
  return RedactUrl(url.substr(0, url.find_first_of("?#")));
}

}  // namespace

Status AutoClockPage::Reset() {
  current_ = &tabs_.on_virtual_clock;
  return current_->Reset();
}

Result<LoadReport> AutoClockPage::Navigate(const std::string& url) {
  page_ = PageOf(url);
  if (left_.contains(page_)) return NavigateOnRealClock(url);
  current_ = &tabs_.on_virtual_clock;
  auto load = current_->Navigate(url);
  const std::string doubt = tabs_.doubt();
  if (doubt.empty()) return load;
  auto real = NavigateOnRealClock(url);
  // A page that no clock settles is no matter of the clock.
  if (real) left_.emplace(page_, doubt);
  return real;
}

Result<LoadReport> AutoClockPage::NavigateOnRealClock(const std::string& url) {
  if (real_ == nullptr) {
    TOPODB_TRY(real_, tabs_.open_on_real_clock());
  }
  TOPODB_TRY_VOID(real_->Reset());
  current_ = real_;
  TOPODB_TRY(auto load, real_->Navigate(url));
  load.settle.tier = "fallback";
  return load;
}

Result<ActionReport> AutoClockPage::Perform(const NodeRef& node, const ActionRequest& action) {
  auto report = current_->Perform(node, action);
  if (report && on_real_clock()) report->settle.tier = "fallback";
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
