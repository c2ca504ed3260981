#include "capture/browser/document_sealer.h"

#include <string_view>
#include <utility>

#include <boost/algorithm/string/predicate.hpp>

namespace topodb::capture {
namespace {

// All that a sandbox can allow but windows.
constexpr std::string_view kNoWindows =
    "sandbox allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock "
    "allow-presentation allow-same-origin allow-scripts allow-storage-access-by-user-activation "
    "allow-top-navigation";

bool IsRedirect(int64_t status) { return status >= 300 && status < 400 && status != 304; }

}  // namespace

DocumentSealer::DocumentSealer(Millis timeout) : timeout_(timeout), thread_([this] { Run(); }) {}

DocumentSealer::~DocumentSealer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_one();
  thread_.join();
}

void DocumentSealer::Seal(std::shared_ptr<cdp::Session> session, cdp::fetch::RequestPaused paused) {
  if (IsRedirect(paused.response_status_code.value_or(0))) {
    session->Post(cdp::fetch::ContinueRequest{.request_id = paused.request_id});
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(session), std::move(paused)});
  }
  changed_.notify_one();
}

void DocumentSealer::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    HandBack(next);
    lock.lock();
  }
}

void DocumentSealer::HandBack(const Waiting& waiting) const {
  const cdp::fetch::RequestPaused& paused = waiting.paused;
  auto body =
      waiting.session->Call(cdp::fetch::GetResponseBody{.request_id = paused.request_id}, timeout_);
  if (!body) {
    waiting.session->Post(
        cdp::fetch::FailRequest{.request_id = paused.request_id, .error_reason = "Aborted"});
    return;
  }
  auto headers = paused.response_headers;
  // The body was unpacked on its way here.
  std::erase_if(headers, [](const auto& header) {
    return boost::algorithm::iequals(header.first, "content-encoding") ||
           boost::algorithm::iequals(header.first, "content-length");
  });
  headers.emplace_back("Content-Security-Policy", kNoWindows);
  waiting.session->Post(cdp::fetch::FulfillRequest{.request_id = paused.request_id,
                                                   .response_code = *paused.response_status_code,
                                                   .headers = std::move(headers),
                                                   .body_base64 = std::move(body->body_base64)});
}

}  // namespace topodb::capture
