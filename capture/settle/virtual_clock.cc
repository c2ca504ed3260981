#include "capture/settle/virtual_clock.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Virtual time granted, together the horizon; what nothing waits for costs nothing.
struct Plan {
  std::vector<Millis> quick;  // where nothing outside the page's own thread was seen
  std::vector<Millis> full;   // with a rendered frame after each slice
};
const Plan& PlanFor(SettleKind kind) {
  static const Plan kLoad{{HorizonOf(SettleKind::kLoad)},
                          {Millis(50), Millis(450), HorizonOf(SettleKind::kLoad) - Millis(500)}};
  static const Plan kAction{
      {HorizonOf(SettleKind::kAction)},
      {Millis(100), Millis(900), HorizonOf(SettleKind::kAction) - Millis(1000)}};
  static const Plan kScroll{{HorizonOf(SettleKind::kScroll)}, {HorizonOf(SettleKind::kScroll)}};
  switch (kind) {
    case SettleKind::kLoad:
      return kLoad;
    case SettleKind::kAction:
      return kAction;
    case SettleKind::kScroll:
      return kScroll;
  }
  return kLoad;
}

constexpr int kTailRounds = 4;
constexpr Millis kTailSlice{100};
// The document of a frame is waited for.
constexpr Millis kFrameDocument{3000};
constexpr Millis kHardLimit{8000};
constexpr Millis kForceLimit{500};
// How much longer than the page its frames in other processes may take.
constexpr Millis kFrameLag{500};
// Frames within frames that are waited for.
constexpr int kFrameRounds = 3;
}  // namespace

Status VirtualClock::Start() {
  const auto reply = session_.Call(
      cdp::emulation::SetVirtualTimePolicy{
          .policy = "pause", .initial_time_s = static_cast<double>(start_.millis) / 1000.0},
      timeout_);
  if (!reply) return reply.error();
  return {};
}

Result<SettleReport> VirtualClock::Settle(SettleKind kind) {
  settle_begin_ = SteadyClock::now();
  const bool full = log_.has_async_source();
  const Plan& plan = PlanFor(kind);
  SettleReport report{.settled = true, .clock = "virtual", .tier = full ? "full" : "quick"};
  forced_ = false;
  doubt_.clear();

  FrameDrawn last;
  size_t clocks = frames_.FrameClocks().size();
  TOPODB_TRY_VOID(GrantAll(full ? plan.full : plan.quick, full, report, last));
  // Frames of other processes come by real time, and then live by clocks of their own.
  for (int round = 0; round < kFrameRounds && AwaitFrames(clocks); ++round) {
    clocks = frames_.FrameClocks().size();
    TOPODB_TRY_VOID(GrantAll(plan.full, true, report, last));
  }
  // Drawing lets observers and animations speak; what they changed may set timers of its own.
  for (int round = 0; round < kTailRounds; ++round) {
    TOPODB_TRY(const FrameDrawn drawn, frames_.DrawFrame(TimeLeft(), Millis(0)));
    const bool rests =
        drawn.animations == 0 && (round > 0 || full) && drawn.changes == last.changes;
    const bool first_quick_look = round == 0 && !full && drawn.animations == 0;
    last = drawn;
    if (rests || first_quick_look) break;
    TOPODB_TRY(const bool expired, Grant(kTailSlice));
    report.settled = report.settled && expired;
    report.virtual_ms += static_cast<uint64_t>(kTailSlice.count());
    if (round + 1 == kTailRounds) report.settled = false;
  }
  if (forced_) report.tier = "fallback";
  report.still_busy = log_.PendingUrls();
  report.elapsed_ms = static_cast<uint64_t>(ElapsedSince(settle_begin_).count());
  return report;
}

Status VirtualClock::GrantAll(const std::vector<Millis>& slices, bool draw, SettleReport& report,
                              FrameDrawn& last) {
  for (const Millis slice : slices) {
    TOPODB_TRY(const bool expired, Grant(slice));
    report.settled = report.settled && expired;
    report.virtual_ms += static_cast<uint64_t>(slice.count());
    if (!draw) continue;
    TOPODB_TRY(last, frames_.DrawFrame(TimeLeft(), Millis(0)));
  }
  return {};
}

bool VirtualClock::AwaitFrames(size_t known) {
  (void)log_.WaitFor([](const PageLog::View& view) { return view.documents_pending == 0; },
                     SteadyClock::now() + kFrameDocument);
  return frames_.FrameClocks().size() > known;
}

Result<bool> VirtualClock::Grant(Millis budget) {
  const auto frames = frames_.FrameClocks();
  const uint64_t before = log_.budgets_expired();
  const uint64_t frames_due = log_.frame_budgets_expired() + frames.size();
  const auto begin = SteadyClock::now();
  SetPolicy(
      {.policy = "pauseIfNetworkFetchesPending", .budget_ms = static_cast<double>(budget.count())},
      frames);
  Millis wait{0};  // the first look only measures
  std::optional<SteadyClock::time_point> page_done;
  for (;;) {
    bool stalled = false;
    const bool expired = log_.WaitFor(
        [&](const PageLog::View& view) {
          if (view.budgets_expired > before) {
            if (!page_done) page_done = SteadyClock::now();
            wait = kFrameLag;
            return view.frame_budgets_expired >= frames_due ||
                   SteadyClock::now() - *page_done >= kFrameLag;
          }
          // Every network event starts the silence anew.
          const auto silent_since = std::max(view.last_network, begin);
          const auto silence =
              std::chrono::duration_cast<Millis>(SteadyClock::now() - silent_since);
          const Millis patience = slow_.Patience(view);
          stalled = silence >= patience;
          wait = std::max(Millis(1), patience - silence);
          return false;
        },
        SteadyClock::now() + wait);
    if (const auto closed = log_.closed()) return *closed;
    if (expired) return true;
    if (stalled || SteadyClock::now() - begin > kHardLimit) break;
  }
  slow_.Remember(log_.PendingUrls());
  return Force(budget, before);
}

// Moves the clock although requests are pending.
Result<bool> VirtualClock::Force(Millis budget, uint64_t expired_before) {
  forced_ = true;
  SetPolicy({.policy = "advance",
             .budget_ms = static_cast<double>(budget.count()),
             .max_task_starvation_count = 1000},
            frames_.FrameClocks());
  const bool expired =
      log_.WaitFor([&](const PageLog::View& view) { return view.budgets_expired > expired_before; },
                   SteadyClock::now() + kForceLimit);
  if (const auto closed = log_.closed()) return *closed;
  if (expired) return true;
  SetPolicy({.policy = "pause"}, frames_.FrameClocks());
  TOPODB_TRY_VOID(CheckResponsive());
  return false;
}

void VirtualClock::SetPolicy(const cdp::emulation::SetVirtualTimePolicy& policy,
                             const std::vector<std::shared_ptr<cdp::Session>>& frames) {
  session_.Post(policy);
  for (const auto& frame : frames) frame->Post(policy);
}

Millis VirtualClock::TimeLeft() const {
  return std::max(kLeastToAnswer, timeout_ - ElapsedSince(settle_begin_));
}

Status VirtualClock::CheckResponsive() {
  doubt_ = "its time does not pass when it is granted";
  // Laying out 100,000 links takes seconds, in which the thread says nothing either.
  const auto alive =
      session_.Call(cdp::runtime::Evaluate{.expression = "0", .return_by_value = true}, TimeLeft());
  if (alive) return {};
  // A script that runs on and on would keep the page from being left, too.
  session_.Post(cdp::runtime::TerminateExecution{});
  return alive.error();
}

}  // namespace topodb::capture
