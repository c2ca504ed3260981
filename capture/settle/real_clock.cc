#include "capture/settle/real_clock.h"

#include <algorithm>
#include <chrono>

#include "capture/settle/thread_check.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

// So long must nothing have happened.
constexpr Millis kQuiet{40};
// Sockets and workers of the page may speak on, which no event announces.
constexpr Millis kQuietWithOutside{100};
// Whose thread drew no frame in all the time it had answers at once or not at all.
constexpr Millis kLastSign{250};
constexpr Millis kWorkerLimit{1'000};
constexpr Millis kHardLimit{8'000};

}  // namespace

Result<SettleReport> RealClock::Settle(SettleKind kind, Millis limit) {
  const auto begin = SteadyClock::now();
  const Millis horizon = HorizonOf(kind);
  SettleReport report{.clock = "real", .tier = "quick"};
  FrameDrawn last;
  auto still_since = begin;
  for (bool first = true; ElapsedSince(begin) < std::min(kHardLimit, limit); first = false) {
    TOPODB_TRY(const FrameDrawn drawn, Draw(begin, horizon, limit));
    if (const auto closed = log_.closed()) return *closed;
    const bool moves =
        first || drawn.between || drawn.animations > 0 || drawn.changes != last.changes;
    if (moves) still_since = SteadyClock::now();
    last = drawn;
    // A page that never stops changing is left at that.
    if (moves && ElapsedSince(begin) >= horizon) break;
    if (moves && !first) continue;
    report.settled = Rests(drawn, still_since);
    if (report.settled) break;
  }
  if (log_.has_async_source()) report.tier = "full";
  report.still_busy = log_.PendingUrls();
  report.elapsed_ms = static_cast<uint64_t>(ElapsedSince(begin).count());
  return report;
}

Result<FrameDrawn> RealClock::Draw(TimePoint begin, Millis horizon, Millis limit) {
  const Millis elapsed = ElapsedSince(begin);
  if (log_.has_speaker()) (void)frames_.AwaitWorkers(kWorkerLimit);
  const Millis left = std::max(kLeastToAnswer, limit - elapsed);
  auto drawn = frames_.DrawFrame(left, std::max(Millis(0), horizon - elapsed));
  if (drawn || drawn.error().code != ErrorCode::kTimeout) return drawn;
  TOPODB_TRY_VOID(CheckThread(session_, {.script = kLastSign, .any = kLastSign}));
  return drawn;
}

bool RealClock::Rests(const FrameDrawn& drawn, TimePoint still_since) {
  const Millis quiet = log_.has_speaker() ? kQuietWithOutside : kQuiet;
  const auto now = SteadyClock::now();
  PageLog::TimePoint until = now;  // when it is worth looking again; a look back means: rests
  PageLog::TimePoint seen;
  bool stalled = false;
  (void)log_.WaitFor(
      [&](const PageLog::View& view) {
        seen = std::max(view.last_network, view.last_message);
        const auto last = std::max(seen, still_since);
        until = last + quiet;
        if (!view.pending->empty()) {
          const auto patience = last + slow_.Patience(view);
          stalled = patience <= now;
          until = std::max(until, patience);
        }
        return true;
      },
      now);
  if (stalled) slow_.Remember(log_.PendingUrls());
  if (drawn.next_timer) {
    until = now + std::max(Millis(1), *drawn.next_timer);
  } else if (drawn.outside > 0) {
    until = now + quiet;
  } else if (until <= now) {
    return true;
  }
  (void)log_.WaitFor(
      [&](const PageLog::View& view) {
        return std::max(view.last_network, view.last_message) > seen;
      },
      until);
  return false;
}

}  // namespace topodb::capture
