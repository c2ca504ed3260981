#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_log.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/cdp/session.h"
#include "schema/base/result.h"
#include "schema/model.h"

// Settling in virtual time (docs/adr/0008-clock.md): the page's clock stands still, and is granted
// slices in which everything that is due runs as fast as the machine can.
namespace topodb::capture {

enum class SettleKind {
  kLoad,    // a document was just opened
  kAction,  // input was just dispatched
  kScroll,  // topodb itself scrolled
};

// One rendered frame, answered by act.js in the page's main frame.
struct FrameDrawn {
  uint64_t changes = 0;     // DOM mutations since the document began
  uint64_t animations = 0;  // finite animations that had to be ended
};

// What settling asks of the page besides the clock.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual Result<FrameDrawn> DrawFrame() = 0;
  // Frames that live in processes of their own, and so have clocks of their own.
  virtual std::vector<std::shared_ptr<cdp::Session>> FrameClocks() = 0;
};

// Drives the clock of one page. One thread at a time; `session`, `log` and `frames` must outlive
// it.
class VirtualClock {
 public:
  // `timeout`: of one command, and about that of one Settle.
  VirtualClock(cdp::Session& session, PageLog& log, FrameSource& frames, Millis timeout)
      : session_(session), log_(log), frames_(frames), timeout_(timeout) {}

  // Stops the page's clock at `start`; before the first navigation.
  Status Pause(Timestamp start);

  // Grants slices until the page rests or the plan is used up. The report says what was still busy;
  // kTimeout when the page's thread does not answer, kTargetCrashed, kBrowserGone.
  Result<SettleReport> Settle(SettleKind kind);

 private:
  Status GrantAll(const std::vector<Millis>& slices, bool draw, SettleReport& report,
                  FrameDrawn& last);
  // Waits for documents that are on their way; true when there are more clocks than `known` now.
  bool AwaitFrames(size_t known);
  // True when the budget ran out as it should; false when the page never got there.
  Result<bool> Grant(Millis budget);
  Result<bool> Force(Millis budget, uint64_t expired_before);
  void SetPolicy(const cdp::emulation::SetVirtualTimePolicy& policy,
                 const std::vector<std::shared_ptr<cdp::Session>>& frames);
  Status CheckResponsive();
  bool OnlySlowPending(const PageLog::View& view) const;

  cdp::Session& session_;
  PageLog& log_;
  FrameSource& frames_;
  const Millis timeout_;
  std::set<std::string> slow_urls_;  // that never answered in time before, without query
  std::chrono::steady_clock::time_point settle_begin_;
  bool forced_ = false;
};

}  // namespace topodb::capture
