#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/cdp/session.h"
#include "schema/base/result.h"
#include "schema/model.h"

// Settling a page: by a clock that topodb moves or by the real one (docs/adr/0008-clock.md).
namespace topodb::capture {

enum class ClockKind : uint8_t { kVirtual, kReal };

enum class SettleKind {
  kLoad,    // a document was just opened
  kAction,  // input was just dispatched
  kScroll,  // topodb itself scrolled
};

// How far a page is looked ahead: what is due by then belongs to the load or to the action.
// Effects three seconds late are seen.
constexpr Millis HorizonOf(SettleKind kind) {
  switch (kind) {
    case SettleKind::kLoad:
      return Millis(3000);
    case SettleKind::kAction:
      return Millis(3500);
    case SettleKind::kScroll:
      return Millis(300);
  }
  return Millis(3000);
}

// The least that a page's thread is given to answer, however late it is.
inline constexpr Millis kLeastToAnswer{1'000};

inline Millis ElapsedSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begin);
}

// One rendered frame, answered by act.js.
struct FrameDrawn {
  uint64_t changes = 0;              // DOM mutations since the documents began
  uint64_t animations = 0;           // finite animations that had to be ended
  uint64_t outside = 0;              // operations of other threads that the page still waits for
  uint64_t outside_begun = 0;        // … that it ever began
  bool between = false;              // one document is gone and the next not there yet
  std::optional<Millis> next_timer;  // the real clock only: until a timer within the horizon is due
};

// What settling asks of the page besides the clock.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // Lets the page draw. `limit`: for an answer, then kTimeout; `horizon`: timers due later than
  // this are no matter.
  virtual Result<FrameDrawn> DrawFrame(Millis limit, Millis horizon) = 0;
  // Frames that live in processes of their own, and so have clocks of their own.
  virtual std::vector<std::shared_ptr<cdp::Session>> FrameClocks() = 0;
  // True when every worker has done what it was told so far; false when one did not within `limit`.
  virtual bool AwaitWorkers(Millis limit) = 0;
};

// The clock that one page lives by. One thread at a time.
class PageClock {
 public:
  virtual ~PageClock() = default;

  // Before the first navigation.
  virtual Status Start() = 0;

  // Waits until the page rests, or for as long as is worth it, which is hardly longer than `limit`.
  // The report says what was still busy; kTimeout when the page's thread does not answer,
  // kTargetCrashed, kBrowserGone.
  virtual Result<SettleReport> Settle(SettleKind kind, Millis limit) = 0;

  // Why the last Settle says that pages like this one are not for this clock; empty: it does not.
  virtual std::string Doubt() const { return {}; }
};

}  // namespace topodb::capture
