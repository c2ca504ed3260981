#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "capture/browser/page_log.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/settle/page_clock.h"
#include "capture/settle/slow_requests.h"
#include "capture/settle/thread_check.h"

// Settling in virtual time: the page's clock stands still, and is granted slices in which
// everything that is due runs as fast as the machine can.
namespace topodb::capture {

// `session`, `log` and `frames` must outlive it.
class VirtualClock final : public PageClock {
 public:
  struct Options {
    Timestamp start;  // the page's first moment
    Millis timeout;   // of stopping the clock
    // How long a script may run on before its page is given up; it may wait for time to pass.
    Millis script_patience;
  };
  VirtualClock(cdp::Session& session, PageLog& log, FrameSource& frames, const Options& options)
      : session_(session), log_(log), frames_(frames), options_(options) {}

  // Stops the page's clock.
  Status Start() override;

  // Grants slices until the page rests or the plan is used up.
  Result<SettleReport> Settle(SettleKind kind, Millis limit) override;

  std::string Doubt() const override { return doubt_; }

 private:
  // The next frame, once what other threads were asked for is there.
  Result<FrameDrawn> Draw();
  Result<FrameDrawn> DrawOnce();
  // Fails, in doubt, when the page's thread gives no sign of life.
  Result<ThreadState> CheckThread();
  // The same while time is granted, which a failure ends.
  Result<ThreadState> CheckGrantedThread();
  // Gives workers and sockets the time to speak.
  void AwaitSpeakers();
  // Everything but the report's end; stops early in doubt.
  Status Run(SettleKind kind, SettleReport& report);
  Status GrantAll(const std::vector<Millis>& slices, SettleReport& report);
  // Draws until nothing changes any more, within bounds.
  Status Rest(SettleReport& report);
  // Waits for documents that are on their way; true when there are more clocks than `known` now.
  bool AwaitFrames(size_t known);
  // Numbers of budgets that will have run out.
  struct Due {
    uint64_t page = 0, frames = 0;
  };
  // True when the budget ran out as it should; false when the page never got there.
  Result<bool> Grant(Millis budget);
  // False when nothing happens any more, or for too long.
  bool AwaitBudget(const Due& due);
  Result<bool> Force(Millis budget, const Due& due);
  void SetPolicy(const cdp::emulation::SetVirtualTimePolicy& policy,
                 const std::vector<std::shared_ptr<cdp::Session>>& frames);
  void Judge();
  Millis TimeLeft() const;
  bool has_time_left() const { return TimeLeft() > kLeastToAnswer; }
  // Whether more than the page's own thread is at work.
  bool sees_outside() const { return log_.has_async_source() || last_.outside_begun > 0; }

  cdp::Session& session_;
  PageLog& log_;
  FrameSource& frames_;
  const Options options_;
  SlowRequests slow_;
  std::string doubt_;
  // Of the last Settle:
  Millis limit_{0};
  std::chrono::steady_clock::time_point settle_begin_;
  FrameDrawn last_;
  uint64_t never_ends_ = 0;  // operations of other threads that were waited for in vain
  bool full_ = false;
  uint32_t grants_ = 0, forced_ = 0;
  uint32_t forced_settles_ = 0;  // in a row, that could do nothing but force
};

}  // namespace topodb::capture
