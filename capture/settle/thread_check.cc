#include "capture/settle/thread_check.h"

#include <algorithm>

#include "capture/cdp/protocol/performance.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {

Status CheckThread(cdp::Session& session, const ThreadPatience& patience) {
  const cdp::runtime::Evaluate nothing{.expression = "0", .return_by_value = true};
  auto script = session.Start(cdp::performance::GetMetrics{});
  const Millis first = std::min(patience.script, patience.any);
  auto alive = session.Call(nothing, first);
  if (!alive && alive.error().code == ErrorCode::kTimeout && !script.Ready() &&
      patience.any > first) {
    alive = session.Call(nothing, patience.any - first);
  }
  if (alive) return {};
  if (alive.error().code != ErrorCode::kTimeout) return alive.error();
  session.Post(cdp::runtime::TerminateExecution{});
  return Error{ErrorCode::kTimeout,
               script.Ready() ? "its script runs on and on" : "it is busy drawing or loading", ""};
}

}  // namespace topodb::capture
