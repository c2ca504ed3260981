#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace topodb::capture {

// Keeps page loads of all tabs together below a rate: evenly spaced, and none is made up for later.
// Thread-safe.
class Pace {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Pace(uint32_t loads_per_second)  // 0: no limit
      : gap_(loads_per_second == 0
                 ? Gap::zero()
                 : std::chrono::duration_cast<Gap>(std::chrono::seconds(1)) / loads_per_second) {}

  // When the next load may begin, which it then must: `now` or later.
  TimePoint Next(TimePoint now);

 private:
  using Gap = std::chrono::steady_clock::duration;
  const Gap gap_;
  std::mutex mutex_;
  TimePoint free_{};  // with mutex_ held
};

}  // namespace topodb::capture
