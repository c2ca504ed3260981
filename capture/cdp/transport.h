#pragma once

#include <string>

#include "schema/base/result.h"

namespace topodb::capture::cdp {

// The byte seam: one text message per call. Knows no JSON, no ids, no sessions.
class Transport {
 public:
  virtual ~Transport() = default;

  // Queues one message. Any thread; does not wait for the peer. kBrowserGone once closed.
  virtual Status Send(std::string message) = 0;

  // Waits for the next message. I/O thread only. kBrowserGone when the peer closed, the
  // connection broke, or Close() was called; every later call returns the same.
  virtual Result<std::string> Receive() = 0;

  // Makes a waiting Receive() return. Any thread; idempotent.
  virtual void Close() = 0;
};

}  // namespace topodb::capture::cdp
