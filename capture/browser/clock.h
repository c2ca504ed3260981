#pragma once

#include <chrono>

#include "schema/model.h"

namespace topodb::capture {

using Millis = std::chrono::milliseconds;

// Time as the program sees it, injected so that tests own it. Any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() const = 0;                                 // wall clock, for records
  virtual std::chrono::steady_clock::time_point Steady() const = 0;  // for deadlines and durations
};

class SystemClock final : public Clock {
 public:
  Timestamp Now() const override;
  std::chrono::steady_clock::time_point Steady() const override;
};

}  // namespace topodb::capture
