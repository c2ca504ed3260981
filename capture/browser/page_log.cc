#include "capture/browser/page_log.h"

#include <algorithm>

#include "capture/guard/redact.h"
#include "capture/guard/url.h"

namespace topodb::capture {
namespace {

constexpr size_t kMaxRequests = 2'000;
constexpr size_t kMaxConsoleErrors = 20;
constexpr size_t kMaxText = 1'024;
constexpr size_t kMaxStorageTouched = 200;
constexpr size_t kMaxKey = 128;

std::string Capped(std::string_view text) { return RedactText(text.substr(0, kMaxText)); }

}  // namespace

void PageLog::Touch() { last_network_ = std::chrono::steady_clock::now(); }

void PageLog::AddDialog(DialogSeen dialog) {
  const std::lock_guard lock(mutex_);
  dialog.text = Capped(dialog.text);
  events_.dialogs.push_back(std::move(dialog));
  ++dialogs_;
  changed_.notify_all();
}

void PageLog::AddRequest(const std::string& id, std::string_view method, std::string_view url,
                         std::string_view type, std::string_view frame) {
  if (url.starts_with("data:") || url.starts_with("blob:")) return;
  const std::lock_guard lock(mutex_);
  Touch();
  const std::string redacted = RedactUrl(url);
  hosts_.insert(Origin(url));
  pending_[id] = redacted;
  if (type == "EventSource") {
    streams_.insert(id);
    speaker_ = true;
  }
  if (type == "Document") documents_.emplace(id, frame);
  const auto known = request_index_.find(id);
  if (known != request_index_.end() && judged_first_.erase(id) > 0) {
    events_.requests[known->second].resource_type = type;
  } else if (events_.requests.size() < kMaxRequests) {
    request_index_[id] = events_.requests.size();
    events_.requests.push_back(
        {.method = std::string(method), .url = redacted, .resource_type = std::string(type)});
  }
  changed_.notify_all();
}

void PageLog::AddResponse(const std::string& id, uint32_t status, bool is_event_stream) {
  const std::lock_guard lock(mutex_);
  Touch();
  if (is_event_stream) {
    streams_.insert(id);
    speaker_ = true;
  }
  const auto found = request_index_.find(id);
  if (found != request_index_.end()) events_.requests[found->second].status = status;
  changed_.notify_all();
}

void PageLog::EndRequest(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Touch();
  pending_.erase(id);
  streams_.erase(id);
  documents_.erase(id);
  changed_.notify_all();
}

void PageLog::EndDocument(std::string_view frame) {
  const std::lock_guard lock(mutex_);
  Touch();
  for (auto document = documents_.begin(); document != documents_.end();) {
    const bool arrived = document->second == frame;
    if (arrived) pending_.erase(document->first);
    document = arrived ? documents_.erase(document) : std::next(document);
  }
  changed_.notify_all();
}

RequestSeen* PageLog::Find(const Judged& request) {
  const std::string id(request.id);
  const auto found = id.empty() ? request_index_.end() : request_index_.find(id);
  if (found != request_index_.end()) return &events_.requests[found->second];
  if (events_.requests.size() >= kMaxRequests) return nullptr;
  if (!id.empty()) {
    request_index_[id] = events_.requests.size();
    judged_first_.insert(id);
  }
  events_.requests.push_back({.method = std::string(request.method),
                              .url = RedactUrl(request.url),
                              .resource_type = std::string(request.type)});
  return &events_.requests.back();
}

void PageLog::BlockRequest(const Judged& request, std::string_view blocked_by) {
  const std::lock_guard lock(mutex_);
  Touch();
  if (RequestSeen* const seen = Find(request)) {
    seen->blocked = true;
    seen->blocked_by = blocked_by;
  }
  changed_.notify_all();
}

void PageLog::AllowRequest(const Judged& request, std::string_view allowed_by) {
  const std::lock_guard lock(mutex_);
  if (RequestSeen* const seen = Find(request)) seen->allowed_by = allowed_by;
}

void PageLog::AddPopup(std::string_view url) {
  const std::lock_guard lock(mutex_);
  events_.popups.push_back(RedactUrl(url));
  if (url.starts_with("http") || url.starts_with("file:")) ++popup_documents_due_;
  changed_.notify_all();
}

void PageLog::AddPopupDocument(std::string_view url) {
  const std::lock_guard lock(mutex_);
  windows_.emplace_back(url);
  ++popup_documents_;
  changed_.notify_all();
}

void PageLog::AddDownload(std::string_view url) {
  const std::lock_guard lock(mutex_);
  events_.downloads.push_back(RedactUrl(url));
  changed_.notify_all();
}

void PageLog::AddConsoleError(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (events_.console_errors.size() < kMaxConsoleErrors) {
    events_.console_errors.push_back(Capped(text));
  }
}

void PageLog::AddStorageTouched(std::string_view area, std::string_view key) {
  StorageTouched touch{.area = std::string(area), .key = RedactText(key.substr(0, kMaxKey))};
  const std::lock_guard lock(mutex_);
  auto& touched = events_.storage_touched;
  const auto at = std::lower_bound(touched.begin(), touched.end(), touch);
  if (touched.size() >= kMaxStorageTouched || (at != touched.end() && *at == touch)) return;
  touched.insert(at, std::move(touch));
}

void PageLog::AddPrompt(std::string_view what) {
  const std::lock_guard lock(mutex_);
  auto& prompts = events_.prompts;
  const auto at = std::lower_bound(prompts.begin(), prompts.end(), what);
  if (at == prompts.end() || *at != what) prompts.emplace(at, what);
}

void PageLog::AddAsyncSource() {
  const std::lock_guard lock(mutex_);
  async_source_ = true;
}

void PageLog::AddSpeaker() {
  const std::lock_guard lock(mutex_);
  speaker_ = true;
}

void PageLog::AddMessage() {
  const std::lock_guard lock(mutex_);
  last_message_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

void PageLog::AddReceipt(std::string_view payload) {
  const std::lock_guard lock(mutex_);
  receipts_.emplace_back(payload.substr(0, kMaxText));
  changed_.notify_all();
}

void PageLog::AddRegionChange() {
  const std::lock_guard lock(mutex_);
  ++region_changes_;
  changed_.notify_all();
}

void PageLog::AddBudgetExpired() {
  const std::lock_guard lock(mutex_);
  ++budgets_expired_;
  changed_.notify_all();
}

void PageLog::AddFrameBudgetExpired() {
  const std::lock_guard lock(mutex_);
  ++frame_budgets_expired_;
  changed_.notify_all();
}

void PageLog::SetMainStatus(uint32_t status) {
  const std::lock_guard lock(mutex_);
  main_status_ = status;
}

void PageLog::SetClosed(const Error& why) {
  const std::lock_guard lock(mutex_);
  if (!closed_) closed_ = why;
  changed_.notify_all();
}

PageEvents PageLog::TakeEvents() {
  const std::lock_guard lock(mutex_);
  request_index_.clear();
  judged_first_.clear();
  return std::exchange(events_, {});
}

std::vector<std::string> PageLog::TakeWindows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(windows_, {});
}

std::vector<std::string> PageLog::TakeReceipts() {
  const std::lock_guard lock(mutex_);
  return std::exchange(receipts_, {});
}

PageLog::View PageLog::MakeView() const {
  return {.budgets_expired = budgets_expired_,
          .frame_budgets_expired = frame_budgets_expired_,
          .dialogs = dialogs_,
          .receipts = receipts_.size(),
          .region_changes = region_changes_,
          .popups_opening = popup_documents_due_ - std::min(popup_documents_due_, popup_documents_),
          .last_network = last_network_,
          .last_message = last_message_,
          .pending = &pending_,
          .streams = &streams_,
          .documents_pending = documents_.size()};
}

bool PageLog::WaitFor(const std::function<bool(const View&)>& done, TimePoint until) {
  std::unique_lock lock(mutex_);
  bool holds = false;
  changed_.wait_until(lock, until, [&] {
    holds = done(MakeView());
    return holds || closed_.has_value();
  });
  return holds;
}

uint64_t PageLog::budgets_expired() const {
  const std::lock_guard lock(mutex_);
  return budgets_expired_;
}

uint64_t PageLog::frame_budgets_expired() const {
  const std::lock_guard lock(mutex_);
  return frame_budgets_expired_;
}

bool PageLog::has_async_source() const {
  const std::lock_guard lock(mutex_);
  return async_source_ || speaker_;
}

bool PageLog::has_speaker() const {
  const std::lock_guard lock(mutex_);
  return speaker_;
}

std::optional<uint32_t> PageLog::main_status() const {
  const std::lock_guard lock(mutex_);
  return main_status_;
}

std::vector<std::string> PageLog::PendingUrls() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> urls;
  for (const auto& [id, url] : pending_) urls.push_back(url);
  std::sort(urls.begin(), urls.end());
  return urls;
}

std::string PageLog::PendingDocument(std::string_view frame) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, asking] : documents_) {
    const auto url = pending_.find(id);
    if (asking == frame && url != pending_.end()) return url->second;
  }
  return {};
}

std::optional<Error> PageLog::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void PageLog::BeginDocument() {
  const std::lock_guard lock(mutex_);
  pending_.clear();
  streams_.clear();
  documents_.clear();
  async_source_ = speaker_ = false;
  popup_documents_due_ = popup_documents_ = 0;
  windows_.clear();
  main_status_.reset();
}

std::set<std::string> PageLog::Hosts() const {
  const std::lock_guard lock(mutex_);
  return hosts_;
}

}  // namespace topodb::capture
