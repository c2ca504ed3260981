#pragma once

#include "capture/browser/clock.h"

namespace topodb::testing {

// Time that stands still unless a test moves it; `step` passes at every reading of Steady().
class FakeClock final : public capture::Clock {
 public:
  FakeClock() = default;
  explicit FakeClock(capture::Millis step) : step_(step) {}

  Timestamp Now() const override { return {1'700'000'000'000 + elapsed_.count()}; }
  std::chrono::steady_clock::time_point Steady() const override {
    const auto now = std::chrono::steady_clock::time_point(elapsed_);
    elapsed_ += step_;
    return now;
  }
  void Advance(capture::Millis by) { elapsed_ += by; }

 private:
  capture::Millis step_{0};
  mutable capture::Millis elapsed_{0};
};

}  // namespace topodb::testing
