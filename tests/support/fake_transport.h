#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/cdp/transport.h"

namespace topodb::testing {

// A recorded conversation, one JSON object a line, played in order:
//   {"send": {…}}      the client must send exactly this message now
//   {"receive": {…}}   the browser says this; a string instead of an object is taken literally
// Blank lines and lines that start with '#' are skipped. Lines count from 1.
struct Transcript {
  std::vector<std::string> lines;

  static Transcript Parse(const std::string& text);
  static Transcript Load(const std::string& path);  // fails the test when unreadable
};

// What a test can still ask once the transport belongs to a Connection.
class Playback {
 public:
  // Empty, or what went against the transcript: an unexpected message. The connection was closed.
  std::string problem() const;
  // True when every line was played.
  bool finished() const;

 private:
  friend class FakeTransport;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  size_t close_at_ = 0;
  size_t played_ = 0;
  bool closed_ = false;
  std::string problem_;
};

class FakeTransport final : public capture::cdp::Transport {
 public:
  static constexpr size_t kNever = std::numeric_limits<size_t>::max();

  // The connection breaks when line `close_at` is reached, instead of playing it. Otherwise it
  // stays open behind the last line, until Close().
  explicit FakeTransport(Transcript transcript, size_t close_at = kNever);

  std::shared_ptr<Playback> playback() const { return playback_; }

  Status Send(std::string message) override;
  Result<std::string> Receive() override;
  void Close() override;

 private:
  std::shared_ptr<Playback> playback_;
};

}  // namespace topodb::testing
