#include "capture/completion/completion_watch.h"

#include <algorithm>
#include <utility>

#include "capture/guard/url.h"

namespace topodb::capture {
namespace {

constexpr Millis kLongestReserve{2'000};
constexpr Millis kLeastOfBudget{500};

constexpr std::string_view kPollTimeout = "provider.poll-timeout";
constexpr std::string_view kDeferredStreaming = "recovery-deferred-streaming";
constexpr std::string_view kDeferredUnverified = "recovery-deferred-unverified";
constexpr std::string_view kCopyUnverified = "copy-markdown-deferred-unverified";

Millis Since(TimePoint then, TimePoint now) {
  return std::chrono::duration_cast<Millis>(now - then);
}

}  // namespace

std::string_view ToString(RegionPhase phase) {
  switch (phase) {
    case RegionPhase::kStreaming:
      return "streaming";
    case RegionPhase::kSettling:
      return "settling";
    case RegionPhase::kStabilising:
      return "stabilising";
  }
  return "";
}

// ---- looking ------------------------------------------------------------------------------------

WatchStep CompletionWatch::JudgePlace(const RegionReading& reading) {
  if (Origin(reading.url) != Origin(baseline_.url)) return WatchStep::kTargetMismatch;
  const auto conversation = ConversationOf(reading.url, profile_);
  // A conversation gets its address with the first answer.
  if (!baseline_.conversation_id) baseline_.conversation_id = conversation;
  return conversation == baseline_.conversation_id ? WatchStep::kWait
                                                   : WatchStep::kConversationMismatch;
}

WatchStep CompletionWatch::Advance(const RegionReading& reading, TimePoint now) {
  next_due_.reset();
  step_ = JudgePlace(reading);
  if (step_ != WatchStep::kWait) return step_;
  activity_ = ActivityOf(reading, profile_);
  const bool strong = activity_.level == ActivityLevel::kStrong;
  const RegionTimings& timings = profile_.timings;
  const bool doubtful =
      activity_.level != ActivityLevel::kNone || (doubt_ && now - *doubt_ < timings.busy_quiet);
  const Millis window = doubtful ? timings.busy_quiet : timings.quiet;
  if (!strong && ImagesProve(reading, now, window)) return step_ = WatchStep::kProven;
  if (strong) images_since_.reset();

  auto sample = TakeSample(reading, profile_, baseline_.item_count);
  if (!sample) {
    // What was sampled before is gone, or was no answer.
    phase_ = RegionPhase::kStreaming;
    control_since_.reset();
    text_since_ = now;
    return step_;
  }
  if (sample != sample_ || strong) {
    text_since_ = now;
    control_since_.reset();
  }
  sample_ = std::move(sample);
  const Completion found = Correlate(reading, *sample_, baseline_.item_count);
  if (!found.finished || strong || IsStale(reading, *sample_)) {
    control_since_.reset();
    phase_ = strong || now - text_since_ < timings.quiet ? RegionPhase::kStreaming
                                                         : RegionPhase::kSettling;
    return step_;
  }
  if (!control_since_) control_since_ = now;
  phase_ = RegionPhase::kStabilising;
  const TimePoint due = std::max(text_since_, *control_since_) + window;
  if (now < due) {
    next_due_ = due;
    return step_;
  }
  proof_ = found;
  return step_ = WatchStep::kProven;
}

void CompletionWatch::AdvanceUnread(TimePoint now) {
  next_due_.reset();
  activity_ = {.level = ActivityLevel::kUnknown, .evidence = "the page could not be read"};
  doubt_ = now;
  control_since_.reset();
  images_since_.reset();
}

bool CompletionWatch::ImagesProve(const RegionReading& reading, TimePoint now, Millis window) {
  if (options_.images == ImagesWanted::kNo) return false;
  const RegionTurn* const turn = ImageOnlyTurn(reading, profile_, baseline_.item_count);
  if (turn == nullptr) {
    images_since_.reset();
    return false;
  }
  std::vector<std::string> sources;
  for (const RegionImage& image : ImagesOf(reading, profile_, baseline_.item_count, turn->index)) {
    sources.push_back(image.source);
  }
  if (!images_since_ || sources != image_sources_) images_since_ = now;
  image_sources_ = std::move(sources);
  // That such an item has no text is its nature, and no sign of work.
  if (activity_.level == ActivityLevel::kWeak && !turn->busy) window = profile_.timings.quiet;
  if (now - *images_since_ < window) {
    next_due_ = *images_since_ + window;
    return false;
  }
  image_only_ = true;
  text_since_ = *images_since_;
  sample_ = RegionSample{.text = {},
                         .message_id = turn->message_id,
                         .turn_id = turn->turn_id,
                         .turn_index = turn->index};
  proof_ = {.finished = true,
            .message_id = turn->message_id,
            .turn_id = turn->turn_id,
            .turn_index = turn->index,
            .control = "images"};
  return true;
}

// ---- the end ------------------------------------------------------------------------------------

bool CompletionWatch::WasStable(TimePoint now) const {
  return sample_ && now - text_since_ >= profile_.timings.quiet;
}

WatchVerdict CompletionWatch::Unfinished(CompletionStatus status, std::string_view code,
                                         std::string_view hint, TimePoint now) const {
  return {.status = status,
          .sample = sample_,
          .proof = {},
          .stable = sample_ ? Since(text_since_, now) : Millis(0),
          .warnings = {},
          .used_fallbacks = {},
          .recoverable = true,
          .retry_hint = std::string(hint),
          .error_code = std::string(code)};
}

WatchVerdict CompletionWatch::Deferred(std::string_view code, std::string_view hint,
                                       TimePoint now) const {
  if (options_.session == RegionSession::kStored) {
    return Unfinished(CompletionStatus::kDeferred, code, hint, now);
  }
  return Unfinished(CompletionStatus::kTimeout, kPollTimeout, hint, now);
}

WatchVerdict CompletionWatch::Verdict(TimePoint now) const {
  switch (step_) {
    case WatchStep::kConversationMismatch:
      return Unfinished(CompletionStatus::kConversationMismatch, "conversation-mismatch",
                        "open the conversation again, and wait there", now);
    case WatchStep::kTargetMismatch:
      return Unfinished(CompletionStatus::kTargetMismatch, "target-mismatch",
                        "the page went elsewhere; open it again, and wait there", now);
    case WatchStep::kWait:
      return Conclude(nullptr, now);
    case WatchStep::kProven:
      break;
  }
  return {.status = CompletionStatus::kComplete,
          .sample = sample_,
          .proof = proof_,
          .image_only = image_only_,
          .stable = Since(text_since_, now),
          .warnings = {},
          .used_fallbacks = {},
          .recoverable = false,
          .retry_hint = {},
          .error_code = {}};
}

WatchVerdict CompletionWatch::Conclude(const RegionReading* reading, TimePoint now) const {
  if (!sample_) {
    return Unfinished(CompletionStatus::kTimeout, kPollTimeout,
                      "nothing to take a text from appeared; wait longer", now);
  }
  const bool copying = options_.copy == CopyWanted::kYes && WasStable(now);
  const std::string_view unverified = copying ? kCopyUnverified : kDeferredUnverified;
  constexpr std::string_view kUnverifiedHint =
      "there is a text, and no proof that it is whole; wait for it again";
  if (reading == nullptr) return Deferred(unverified, kUnverifiedHint, now);
  CompletionWatch last = *this;
  const WatchStep place = last.JudgePlace(*reading);
  if (place != WatchStep::kWait) {
    last.step_ = place;
    return last.Verdict(now);
  }
  if (ActivityOf(*reading, profile_).level == ActivityLevel::kStrong) {
    return Deferred(kDeferredStreaming, "it was still being written; wait longer", now);
  }
  const auto again = TakeSample(*reading, profile_, baseline_.item_count);
  const Completion found = Correlate(*reading, *sample_, baseline_.item_count);
  if (!found.finished || again != sample_ || IsStale(*reading, *sample_)) {
    return Deferred(unverified, kUnverifiedHint, now);
  }
  return {.status = CompletionStatus::kComplete,
          .sample = sample_,
          .proof = found,
          .stable = Since(text_since_, now),
          .warnings = {"the proof came with the last look, at the end of the time"},
          .used_fallbacks = {"recovery"},
          .recoverable = false,
          .retry_hint = {},
          .error_code = {}};
}

// ---- before -------------------------------------------------------------------------------------

bool BaselineCount::Add(int64_t count) {
  same_ = count_ == count ? same_ + 1 : 1;
  count_ = count;
  return same_ >= timings_.baseline_reads;
}

Millis ReserveOf(Millis budget) {
  return std::max(Millis(0), std::min({kLongestReserve, budget / 4, budget - kLeastOfBudget}));
}

}  // namespace topodb::capture
