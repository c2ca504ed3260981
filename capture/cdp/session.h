#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "capture/browser/clock.h"
#include "capture/cdp/command.h"

namespace topodb::capture::cdp {

namespace internal {
class Router;
struct PendingCall;
}  // namespace internal

// A command that was sent and not yet awaited, untyped. Dropping it discards the reply.
class [[nodiscard]] PendingReply {
 public:
  // True when Await() would not wait.
  bool Ready() const;

  // Waits for the reply's `result` object. kTimeout after `timeout` (a later reply is discarded);
  // kProtocol when the browser refused; kTargetCrashed or kBrowserGone when the other side went
  // away. Never on the I/O thread. At most once.
  Result<std::string> Await(Millis timeout);

 private:
  friend class Session;
  PendingReply(std::shared_ptr<internal::Router> router,
               std::shared_ptr<internal::PendingCall> call);
  std::shared_ptr<internal::Router> router_;
  std::shared_ptr<internal::PendingCall> call_;
};

template <Command T>
class [[nodiscard]] Pending {
 public:
  explicit Pending(PendingReply reply) : reply_(std::move(reply)) {}
  bool Ready() const { return reply_.Ready(); }
  // As PendingReply::Await(), parsed.
  Result<typename T::Reply> Await(Millis timeout) {
    TOPODB_TRY(const auto json, reply_.Await(timeout));
    return ParseReplyOf<T>(json);
  }

 private:
  PendingReply reply_;
};

// Run on the I/O thread: short, never blocking, never throwing. May Post(); may not Call() or
// Await(). The views are valid during the call only.
using EventHandler = std::function<void(std::string_view method, std::string_view params_json)>;

// Told once, on the I/O thread, when no more replies or events will come; the error says why.
using CloseHandler = std::function<void(const Error&)>;

// One attached target of a Connection; the root session (empty id) is the browser itself.
// Thread-safe. Outliving the Connection is allowed: calls then fail with kBrowserGone.
class Session {
 public:
  Session(std::shared_ptr<internal::Router> router, std::string id);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }

  // Sends and waits; errors as PendingReply::Await().
  template <Command T>
  Result<typename T::Reply> Call(const T& command, Millis timeout) {
    return Start(command).Await(timeout);
  }
  Result<std::string> CallRaw(std::string_view method, std::string_view params_json,
                              Millis timeout);

  // Sends now, to be awaited later: several Start() and then several Await() make a pipeline.
  // Failures to send are reported by Await().
  template <Command T>
  Pending<T> Start(const T& command) {
    return Pending<T>(StartRaw(T::kMethod, command.Params()));
  }
  PendingReply StartRaw(std::string_view method, std::string_view params_json);

  // Sends and forgets; errors are discarded. Any thread, event handlers included.
  template <Command T>
  void Post(const T& command) {
    PostRaw(T::kMethod, command.Params());
  }
  void PostRaw(std::string_view method, std::string_view params_json);

  // Replaces the handler; an empty one stops delivery. Events that come while there is none are
  // dropped. On return the previous handler is not running (unless it is the caller) and will not
  // run again; so do not hold a lock that the handler takes.
  void SetEventHandler(EventHandler handler);
  // As above. Called at once, on the caller's thread, when the session is closed already.
  void SetCloseHandler(CloseHandler handler);

  // Why the session is closed: kTargetCrashed when its target crashed, was closed or was detached,
  // kBrowserGone when the connection ended. nullopt while it is open.
  std::optional<Error> closed() const;

 private:
  friend class internal::Router;
  struct State;
  void Deliver(std::string_view method, std::string_view params_json);
  void MarkClosed(const Error& why);

  const std::shared_ptr<internal::Router> router_;
  const std::string id_;
  const std::unique_ptr<State> state_;
};

}  // namespace topodb::capture::cdp
