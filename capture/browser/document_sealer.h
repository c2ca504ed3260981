#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "capture/browser/clock.h"
#include "capture/cdp/protocol/fetch.h"
#include "capture/cdp/session.h"

namespace topodb::capture {

// Lets documents through in a sandbox that forbids windows and nothing else. The browser heeds a
// sandbox only in a response that it was given whole (measured: not in one that goes on with other
// headers), so each document is read and handed back, on a thread of its own. Thread-safe.
class DocumentSealer {
 public:
  // `timeout`: for reading one document; one that cannot be read is not opened.
  explicit DocumentSealer(Millis timeout);
  ~DocumentSealer();  // what still waits stays where it is
  DocumentSealer(const DocumentSealer&) = delete;
  DocumentSealer& operator=(const DocumentSealer&) = delete;

  // A document that waits at the response stage. Never blocks.
  void Seal(std::shared_ptr<cdp::Session> session, cdp::fetch::RequestPaused paused);

 private:
  struct Waiting {
    std::shared_ptr<cdp::Session> session;
    cdp::fetch::RequestPaused paused;
  };
  void Run();
  void HandBack(const Waiting& waiting) const;

  const Millis timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace topodb::capture
