#include "capture/browser/pace.h"

#include <algorithm>

namespace topodb::capture {

Pace::TimePoint Pace::Next(TimePoint now) {
  const std::lock_guard lock(mutex_);
  const TimePoint begin = std::max(now, free_);
  free_ = begin + gap_;
  return begin;
}

}  // namespace topodb::capture
