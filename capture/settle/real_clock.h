#pragma once

#include "capture/browser/page_log.h"
#include "capture/settle/page_clock.h"
#include "capture/settle/slow_requests.h"

// Settling in real time: nothing is waited for but events, and no page time is stopped.
namespace topodb::capture {

// `session`, `log` and `frames` must outlive it.
class RealClock final : public PageClock {
 public:
  RealClock(cdp::Session& session, PageLog& log, FrameSource& frames)
      : session_(session), log_(log), frames_(frames) {}

  // The clock runs already.
  Status Start() override { return {}; }

  // The page rests when no request, near timer, animation or operation of another thread is
  // awaited, and its documents did not change for two frames and a short while.
  Result<SettleReport> Settle(SettleKind kind, Millis limit) override;

 private:
  using TimePoint = PageLog::TimePoint;

  // The page's next frame, or why there will be none.
  Result<FrameDrawn> Draw(TimePoint begin, Millis horizon, Millis limit);
  // Waits for what `drawn` and the network are about; true when there is nothing.
  bool Rests(const FrameDrawn& drawn, TimePoint still_since);

  cdp::Session& session_;
  PageLog& log_;
  FrameSource& frames_;
  SlowRequests slow_;
};

}  // namespace topodb::capture
