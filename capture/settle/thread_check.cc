#include "capture/settle/thread_check.h"

#include <algorithm>
#include <chrono>

#include "capture/cdp/protocol/performance.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/settle/page_clock.h"

namespace topodb::capture {
namespace {

// An idle thread answers within a few milliseconds.
constexpr Millis kIdleAnswer{50};

}  // namespace

Result<ThreadState> CheckThread(cdp::Session& session, const ThreadPatience& patience) {
  const auto begin = std::chrono::steady_clock::now();
  const cdp::runtime::Evaluate nothing{.expression = "0", .return_by_value = true};
  auto script = session.Start(cdp::performance::GetMetrics{});
  const Millis first = std::min(patience.script, patience.any);
  auto alive = session.Call(nothing, first);
  if (!alive && alive.error().code == ErrorCode::kTimeout && !script.Ready() &&
      patience.any > first) {
    alive = session.Call(nothing, patience.any - first);
  }
  if (alive) return ElapsedSince(begin) > kIdleAnswer ? ThreadState::kBusy : ThreadState::kIdle;
  if (alive.error().code != ErrorCode::kTimeout) return alive.error();
  session.Post(cdp::runtime::TerminateExecution{});
  return Error{ErrorCode::kTimeout,
               script.Ready() ? "its script runs on and on" : "it is busy drawing or loading", ""};
}

}  // namespace topodb::capture
