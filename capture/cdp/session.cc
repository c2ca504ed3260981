#include "capture/cdp/session.h"

#include <cassert>
#include <mutex>

#include <fmt/format.h>

#include "capture/cdp/router.h"

namespace topodb::capture::cdp {

PendingReply::PendingReply(std::shared_ptr<internal::Router> router,
                           std::shared_ptr<internal::PendingCall> call)
    : router_(std::move(router)), call_(std::move(call)) {}

bool PendingReply::Ready() const {
  const std::lock_guard lock(call_->mutex);
  return call_->outcome.has_value();
}

Result<std::string> PendingReply::Await(Millis timeout) {
  std::unique_lock lock(call_->mutex);
  if (!call_->outcome) {
    assert(!router_->OnIoThread() && "a handler must not wait: the reply could never arrive");
    const bool in_time =
        call_->completed.wait_for(lock, timeout, [&] { return call_->outcome.has_value(); });
    if (!in_time) {
      lock.unlock();
      router_->Forget(*call_);
      return Error{ErrorCode::kTimeout,
                   fmt::format("{}: no reply within {} ms", call_->method, timeout.count()),
                   {}};
    }
  }
  return *std::move(call_->outcome);
}

// The event mutex is held while a handler runs, which is what lets SetEventHandler() promise that
// the old one is done; it is recursive because a handler may replace itself.
struct Session::State {
  std::recursive_mutex handler_mutex;
  std::shared_ptr<const EventHandler> on_event;
  CloseHandler on_close;

  mutable std::mutex closed_mutex;
  std::optional<Error> closed;
};

Session::Session(std::shared_ptr<internal::Router> router, std::string id)
    : router_(std::move(router)), id_(std::move(id)), state_(std::make_unique<State>()) {}

Session::~Session() = default;

Result<std::string> Session::CallRaw(std::string_view method, std::string_view params_json,
                                     Millis timeout) {
  return StartRaw(method, params_json).Await(timeout);
}

PendingReply Session::StartRaw(std::string_view method, std::string_view params_json) {
  return PendingReply(router_, router_->Start(*this, method, params_json));
}

void Session::PostRaw(std::string_view method, std::string_view params_json) {
  router_->Post(*this, method, params_json);
}

void Session::SetEventHandler(EventHandler handler) {
  auto replacement = handler ? std::make_shared<const EventHandler>(std::move(handler)) : nullptr;
  const std::lock_guard lock(state_->handler_mutex);
  state_->on_event.swap(replacement);
}

void Session::SetCloseHandler(CloseHandler handler) {
  std::optional<Error> why;
  {
    const std::lock_guard lock(state_->handler_mutex);
    why = closed();
    if (!why) state_->on_close = std::move(handler);
  }
  if (why && handler) handler(*why);
}

std::optional<Error> Session::closed() const {
  const std::lock_guard lock(state_->closed_mutex);
  return state_->closed;
}

void Session::Deliver(std::string_view method, std::string_view params_json) {
  const std::lock_guard lock(state_->handler_mutex);
  // Kept alive here: the handler may replace itself.
  if (const auto handler = state_->on_event) (*handler)(method, params_json);
}

void Session::MarkClosed(const Error& why) {
  const std::lock_guard lock(state_->handler_mutex);
  {
    const std::lock_guard closed_lock(state_->closed_mutex);
    if (state_->closed) return;
    state_->closed = why;
  }
  if (const auto on_close = std::exchange(state_->on_close, nullptr)) on_close(why);
}

}  // namespace topodb::capture::cdp
