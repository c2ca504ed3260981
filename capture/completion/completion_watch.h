#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/completion/region_rules.h"
#include "schema/model.h"

// The decision whether a region is finished: a state machine over readings and the time of each. It
// fails closed: only a terminal control inside the very item whose text was sampled proves the end.
// Pure: no clock, no page.
namespace topodb::capture {

using TimePoint = std::chrono::steady_clock::time_point;

enum class RegionSession : uint8_t {
  kStored,  // the observation is stored in a run: what is not proven may be deferred
  kNone,
};

enum class CopyWanted : uint8_t { kNo, kYes };
enum class ImagesWanted : uint8_t { kNo, kYes };

struct WatchOptions {
  RegionSession session = RegionSession::kStored;
  CopyWanted copy = CopyWanted::kNo;
  ImagesWanted images = ImagesWanted::kNo;
};

enum class RegionPhase : uint8_t {
  kStreaming,    // there is no text yet, or it changes, or something is at work
  kSettling,     // the text stands still and nothing proves that it is whole
  kStabilising,  // the proof is there, and has to stay for a while
};
std::string_view ToString(RegionPhase phase);  // streaming | settling | stabilising

enum class WatchStep : uint8_t { kWait, kProven, kConversationMismatch, kTargetMismatch };

// What became of it; the caller adds the texts of copies and images.
struct WatchVerdict {
  CompletionStatus status = CompletionStatus::kTimeout;
  std::optional<RegionSample> sample;  // of a complete one: the answer
  Completion proof;
  bool image_only = false;  // the answer is images, and has no text of its own
  Millis stable{0};
  std::vector<std::string> warnings, used_fallbacks;
  bool recoverable = false;
  std::string retry_hint, error_code;
  bool operator==(const WatchVerdict&) const = default;
};

class CompletionWatch {
 public:
  // `profile` must outlive the watch.
  CompletionWatch(const RegionProfile& profile, RegionBaseline baseline, WatchOptions options)
      : profile_(profile), baseline_(std::move(baseline)), options_(options) {}

  // One look at the region. After anything but kWait only Verdict() is left to be asked.
  WatchStep Advance(const RegionReading& reading, TimePoint now);
  // A look that failed: nothing is known, so nothing is quiet.
  void AdvanceUnread(TimePoint now);

  // What kProven, or a mismatch, amounts to.
  WatchVerdict Verdict(TimePoint now) const;
  // The end of the time: `reading` is the last look, null when it failed.
  WatchVerdict Conclude(const RegionReading* reading, TimePoint now) const;

  RegionPhase phase() const { return phase_; }
  const std::optional<RegionSample>& sample() const { return sample_; }
  const Activity& activity() const { return activity_; }
  // Worth looking at once more at this time, if nothing changes before; absent: no such time.
  std::optional<TimePoint> NextDue() const { return next_due_; }

 private:
  // kWait when the page still shows what the baseline was taken of.
  WatchStep JudgePlace(const RegionReading& reading);
  bool ImagesProve(const RegionReading& reading, TimePoint now, Millis window);
  WatchVerdict Unfinished(CompletionStatus status, std::string_view code, std::string_view hint,
                          TimePoint now) const;
  WatchVerdict Deferred(std::string_view code, std::string_view hint, TimePoint now) const;
  bool WasStable(TimePoint now) const;

  const RegionProfile& profile_;
  RegionBaseline baseline_;
  const WatchOptions options_;
  RegionPhase phase_ = RegionPhase::kStreaming;
  WatchStep step_ = WatchStep::kWait;
  std::optional<RegionSample> sample_;
  Completion proof_;
  bool image_only_ = false;
  Activity activity_;
  TimePoint text_since_{};                  // it has not changed
  std::optional<TimePoint> control_since_;  // it has been there
  std::optional<TimePoint> doubt_;          // the last look that failed
  std::vector<std::string> image_sources_;  // of the answer that is images alone
  std::optional<TimePoint> images_since_;
  std::optional<TimePoint> next_due_;
};

// Takes the number of items before the action: once it was the same a few times. Pure.
class BaselineCount {
 public:
  explicit BaselineCount(const RegionTimings& timings) : timings_(timings) {}

  // True when the count is stable.
  bool Add(int64_t count);
  void Fail() { same_ = 0; }
  // Nothing is known since the last good one.
  bool failed_last() const { return same_ == 0; }
  // The last one that was read; absent: none was.
  const std::optional<int64_t>& count() const { return count_; }

 private:
  const RegionTimings timings_;
  std::optional<int64_t> count_;
  uint32_t same_ = 0;
};

// What of a budget is kept for the end: a last look, a copy.
Millis ReserveOf(Millis budget);

}  // namespace topodb::capture
