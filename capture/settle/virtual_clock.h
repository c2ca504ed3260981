#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "capture/browser/page_log.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/settle/page_clock.h"
#include "capture/settle/slow_requests.h"

// Settling in virtual time: the page's clock stands still, and is granted slices in which
// everything that is due runs as fast as the machine can.
namespace topodb::capture {

// `session`, `log` and `frames` must outlive it.
class VirtualClock final : public PageClock {
 public:
  // The page's first moment is `start`. `timeout`: about that of one Settle.
  VirtualClock(cdp::Session& session, PageLog& log, FrameSource& frames, Timestamp start,
               Millis timeout)
      : session_(session), log_(log), frames_(frames), start_(start), timeout_(timeout) {}

  // Stops the page's clock.
  Status Start() override;

  // Grants slices until the page rests or the plan is used up.
  Result<SettleReport> Settle(SettleKind kind) override;

  std::string Doubt() const override { return doubt_; }

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
  // The page did not get to the end of a slice: fails when its thread says nothing at all.
  Status CheckResponsive();
  Millis TimeLeft() const;

  cdp::Session& session_;
  PageLog& log_;
  FrameSource& frames_;
  const Timestamp start_;
  const Millis timeout_;
  SlowRequests slow_;
  std::chrono::steady_clock::time_point settle_begin_;
  bool forced_ = false;
  std::string doubt_;
};

}  // namespace topodb::capture
