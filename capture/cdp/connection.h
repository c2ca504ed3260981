#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "capture/cdp/session.h"
#include "capture/cdp/transport.h"

namespace topodb::capture::cdp {

enum class Direction : uint8_t { kSend, kReceive };

// Sees every message; called from any thread, not concurrently.
using ProtocolLog = std::function<void(Direction, std::string_view message)>;

struct ConnectionOptions {
  int64_t first_id = 1;
  // A larger reply fails its call with kProtocol and is not looked at; the connection lives on.
  size_t max_message_bytes = size_t{64} << 20U;
  ProtocolLog log;
};

// One connection to a browser: numbers commands, and routes replies to the callers that wait and
// events to their sessions. Its one I/O thread only routes. A session ends when its target is
// detached or crashes, all end when the transport does; whatever still waits then fails.
// Thread-safe, but must not be destroyed from a handler.
class Connection {
 public:
  explicit Connection(std::unique_ptr<Transport> transport, ConnectionOptions options = {});
  ~Connection();  // Close(), then waits for the I/O thread
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The browser itself. Lives as long as the Connection.
  Session& root();

  // The session with this id, made on first use and kept until it closes. Any thread; the handler
  // of Target.attachedToTarget is the place from which no event of the new session is missed.
  std::shared_ptr<Session> OpenSession(const std::string& session_id);

  // Ends the connection: every pending and later call fails with kBrowserGone. Idempotent.
  void Close();

  // Commands sent so far, as protocol accounting counts them: clock grants
  // (Emulation.setVirtualTimePolicy) and Fetch.continueRequest are left out.
  uint64_t commands_sent() const;
  // Everything sent so far, by method.
  std::map<std::string, uint64_t, std::less<>> CommandsByMethod() const;

 private:
  const std::shared_ptr<internal::Router> router_;
  const std::shared_ptr<Session> root_;
  std::thread io_thread_;
};

}  // namespace topodb::capture::cdp
