#include "capture/browser/clock.h"

namespace topodb::capture {

Timestamp SystemClock::Now() const {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp{std::chrono::duration_cast<Millis>(since_epoch).count()};
}

std::chrono::steady_clock::time_point SystemClock::Steady() const {
  return std::chrono::steady_clock::now();
}

}  // namespace topodb::capture
