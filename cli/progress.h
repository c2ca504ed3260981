#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "capture/browser/clock.h"
#include "capture/explore/explorer.h"
#include "cli/console.h"

namespace topodb::cli {

// What a capture is doing, on stderr: one live line on a terminal, a line for each state otherwise,
// nothing with --quiet; with --verbose also every edge, refusal and failure.
class Progress final : public capture::ExploreObserver {
 public:
  // Both must outlive it.
  Progress(Console& console, const capture::Clock& clock);
  // Clears the live line.
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void OnState(const State& state, uint32_t depth) override;
  void OnEdge(const ActionEdge& edge) override;
  void OnSkip(const SkippedAction& skip) override;
  void OnFailure(const FailedObservation& failure) override;
  void OnProgress(uint64_t done, uint64_t total) override;

  // Stored so far.
  uint64_t states() const { return states_; }

 private:
  void Line(std::string_view text);
  void Redraw();
  void Clear();

  Console& console_;
  const capture::Clock& clock_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_{};
  size_t width_ = 0;  // of the terminal; 0: plain lines
  bool visible_ = false;
  uint64_t states_ = 0, skips_ = 0, failures_ = 0, done_ = 0, total_ = 0;
};

// "12 states, actions 40 of 50, 3 skips, 1 failure, 9.5 actions/s, about 1 s left".
struct ProgressCounts {
  uint64_t states = 0, done = 0, total = 0, skips = 0, failures = 0;
  std::chrono::milliseconds elapsed{0};
};
std::string ProgressText(const ProgressCounts& counts);

}  // namespace topodb::cli
