#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/cdp/connection.h"
#include "capture/cdp/json.h"
#include "capture/cdp/session.h"
#include "capture/cdp/transport.h"

namespace topodb::capture::cdp::internal {

// One command on its way. Completed exactly once: by its reply, by the end of its session, or by
// the end of the connection.
struct PendingCall {
  PendingCall(int64_t call_id, std::string_view call_method) : id(call_id), method(call_method) {}

  void Complete(Result<std::string> result);

  const int64_t id;
  const std::string method;
  std::mutex mutex;
  std::condition_variable completed;
  std::optional<Result<std::string>> outcome;
};

// What Connection, Session and PendingReply share; lives as long as the last of them.
//
// Locks: `mutex_` guards the tables and is held neither while sending nor while a handler runs.
class Router {
 public:
  Router(std::unique_ptr<Transport> transport, ConnectionOptions options);

  // Never fails: a command that cannot be sent is returned completed with the reason.
  std::shared_ptr<PendingCall> Start(Session& session, std::string_view method,
                                     std::string_view params_json);
  void Post(Session& session, std::string_view method, std::string_view params_json);
  void Forget(const PendingCall& call);

  std::shared_ptr<Session> OpenSession(const std::shared_ptr<Router>& self,
                                       const std::string& session_id);

  void ReadLoop();  // the I/O thread; returns when the transport has ended
  void Close();
  bool OnIoThread() const;

  uint64_t commands_sent() const;
  std::map<std::string, uint64_t, std::less<>> CommandsByMethod() const;

 private:
  struct Waiting {
    std::shared_ptr<PendingCall> call;
    std::string session_id;
  };

  Status Send(const Session& session, int64_t id, std::string_view method,
              std::string_view params_json);
  void Log(Direction direction, std::string_view message);
  void Route(std::string message);
  void RouteOversized(const std::string& message);
  void RouteReply(const Envelope& envelope);
  void RouteEvent(const Envelope& envelope);
  std::shared_ptr<PendingCall> TakePending(int64_t id);
  std::shared_ptr<Session> FindSession(const std::string& session_id) const;
  void CloseSession(const std::string& session_id, const Error& why);
  void EndAll(const Error& why);

  const std::unique_ptr<Transport> transport_;
  const ConnectionOptions options_;
  std::atomic<std::thread::id> io_thread_{};

  mutable std::mutex mutex_;
  int64_t next_id_;
  std::unordered_map<int64_t, Waiting> pending_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;
  std::map<std::string, uint64_t, std::less<>> sent_;
  std::optional<Error> ended_;

  std::mutex log_mutex_;
};

}  // namespace topodb::capture::cdp::internal
