#include "capture/completion/await_region.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capture/guard/redact.h"
#include "schema/fingerprint.h"

namespace topodb::capture {
namespace {

// Changes that follow one another closely are looked at together.
constexpr Millis kBetweenLooks{100};
// What no change announces (a style sheet, a style of a parent) is seen this late.
constexpr Millis kLongestPause{500};
// The same while a proof is there and has to stay.
constexpr Millis kPauseWithProof{200};
constexpr Millis kLookLimit{2'000};
constexpr Millis kHeartbeat{30'000};
constexpr Millis kCopyLimit{1'500};
// Copied text that is shorter than this part of what the page shows is not all of it.
constexpr size_t kCopiedPercent = 70;

Millis Until(TimePoint then, TimePoint now) {
  return std::max(Millis(0), std::chrono::ceil<Millis>(then - now));
}

bool IsLost(const Error& error) {
  return error.code == ErrorCode::kTargetCrashed || error.code == ErrorCode::kBrowserGone;
}

class Waiter {
 public:
  Waiter(RegionPage& page, const RegionProfile& profile, const TakenBaseline& baseline,
         const AwaitOptions& options, const Clock& clock, AwaitObserver& observer,
         const std::atomic<bool>& cancelled)
      : page_(page),
        profile_(profile),
        baseline_(baseline),
        options_(options),
        clock_(clock),
        observer_(observer),
        cancelled_(cancelled),
        begin_(clock.Steady()),
        deadline_(begin_ + options.budget),
        heartbeat_(begin_ + kHeartbeat),
        watch_(profile, baseline.baseline,
               {.session = options.session, .copy = options.copy, .images = images()}) {}

  Result<CompletionObservation> Run() {
    const Millis reserve = ReserveOf(options_.budget);
    TOPODB_TRY(WatchStep step, PollUntil(deadline_ - reserve));
    if (lost_) return Crashed();
    if (step != WatchStep::kWait) return Observation(watch_.Verdict(clock_.Steady()));
    // The end: looks until half of what was kept is left for copies and images.
    return Recover(deadline_ - reserve / 2);
  }

 private:
  ImagesWanted images() const {
    return options_.store_image ? ImagesWanted::kYes : ImagesWanted::kNo;
  }

  Result<RegionReading> Look(TimePoint until) {
    const Millis left = Until(until, clock_.Steady());
    auto reading =
        page_.Read({.profile = profile_, .from = baseline_.baseline.item_count, .images = images()},
                   std::min(kLookLimit, std::max(left, kBetweenLooks)));
    last_look_ = clock_.Steady();
    if (reading) latest_ = *reading;
    return reading;
  }

  Result<WatchStep> PollUntil(TimePoint end) {
    while (true) {
      TOPODB_TRY_VOID(MayGoOn());
      const auto reading = Look(end);
      const TimePoint now = clock_.Steady();
      if (reading) {
        const WatchStep step = watch_.Advance(*reading, now);
        if (step != WatchStep::kWait) return step;
      } else if (reading.error().code == ErrorCode::kTargetCrashed) {
        lost_ = reading.error();
        return WatchStep::kWait;
      } else if (IsLost(reading.error()) || reading.error().code == ErrorCode::kInvalidArgument) {
        return reading.error();
      } else {
        watch_.AdvanceUnread(now);
      }
      if (now >= end) return WatchStep::kWait;
      Pause(end);
    }
  }

  // Until the next look is worth it.
  void Pause(TimePoint end) {
    const bool proof = watch_.phase() == RegionPhase::kStabilising;
    const TimePoint now = clock_.Steady();
    TimePoint next = std::min(end, now + (proof ? kPauseWithProof : kLongestPause));
    if (const auto due = watch_.NextDue()) next = std::min(next, *due);
    const TimePoint earliest = std::min(end, last_look_ + kBetweenLooks);
    page_.AwaitChange(Until(next, now));
    const TimePoint woken = clock_.Steady();
    if (woken < earliest && woken < next) page_.Rest(Until(std::min(earliest, next), woken));
  }

  Status MayGoOn() {
    if (cancelled_) return Error{ErrorCode::kCancelled, "interrupted while waiting", ""};
    const TimePoint now = clock_.Steady();
    if (now < heartbeat_) return {};
    while (heartbeat_ <= now) heartbeat_ += kHeartbeat;
    observer_.OnHeartbeat(watch_.phase(), Elapsed(now));
    return {};
  }

  Result<CompletionObservation> Recover(TimePoint end) {
    while (true) {
      TOPODB_TRY_VOID(MayGoOn());
      const auto reading = Look(end);
      const TimePoint now = clock_.Steady();
      if (!reading && reading.error().code == ErrorCode::kTargetCrashed) {
        lost_ = reading.error();
        return Crashed();
      }
      if (!reading && IsLost(reading.error())) return reading.error();
      WatchVerdict verdict = watch_.Conclude(reading ? &*reading : nullptr, now);
      if (verdict.status == CompletionStatus::kComplete || now + kBetweenLooks >= end) {
        return Observation(std::move(verdict));
      }
      page_.AwaitChange(std::min(kPauseWithProof, Until(end, now)));
      page_.Rest(kBetweenLooks);
    }
  }

  Result<CompletionObservation> Crashed() {
    const TimePoint now = clock_.Steady();
    return Filled({.status = CompletionStatus::kPageCrashed,
                   .sample = watch_.sample(),
                   .proof = {},
                   .stable = Millis(0),
                   .warnings = {},
                   .used_fallbacks = {},
                   .recoverable = true,
                   .retry_hint = "open the page again, and wait there",
                   .error_code = "page-crashed"},
                  now);
  }

  // Adds what is taken only from proven items. After the deadline nothing is touched any more.
  Result<CompletionObservation> Observation(WatchVerdict verdict) {
    if (verdict.status != CompletionStatus::kComplete) {
      return Filled(std::move(verdict), clock_.Steady());
    }
    std::string text = verdict.sample->text;
    if (options_.copy == CopyWanted::kYes && !verdict.image_only) Copy(verdict, text);
    if (options_.store_image) text = WithImages(verdict, std::move(text));
    CompletionObservation observation = Filled(std::move(verdict), clock_.Steady());
    observation.text = RedactText(text);
    return observation;
  }

  Millis TimeLeft() const { return Until(deadline_, clock_.Steady()); }

  void Copy(WatchVerdict& verdict, std::string& text) {
    const auto warn = [&](std::string why) {
      verdict.warnings.push_back(fmt::format("the text is the page's: {}", why));
    };
    if (TimeLeft() == Millis(0)) return warn("there was no time left to copy it");
    const auto copied = page_.Copy(profile_, verdict.proof, std::min(kCopyLimit, TimeLeft()));
    if (!copied) return warn(copied.error().message);
    if (copied->size() * 100 < text.size() * kCopiedPercent) {
      return warn(fmt::format("the copy has {} of {} bytes", copied->size(), text.size()));
    }
    text = *copied;
    verdict.used_fallbacks.emplace_back("copy-markdown");
  }

  std::string WithImages(WatchVerdict& verdict, std::string text) {
    const auto images =
        ImagesOf(latest_, profile_, baseline_.baseline.item_count, verdict.proof.turn_index);
    std::string suffix;
    size_t saved = 0;
    for (const RegionImage& image : images) {
      const auto path = Save(image);
      if (path) {
        suffix += fmt::format("\n![Generated image]({})", *path);
        ++saved;
      } else {
        verdict.warnings.push_back(fmt::format("an image was not saved: {}", path.error().message));
      }
    }
    if (verdict.image_only) {
      text = images.size() == 1 ? "Generated image."
                                : fmt::format("Generated {} images.", images.size());
    }
    return saved == 0 ? text : text + "\n" + suffix;
  }

  Result<std::string> Save(const RegionImage& image) {
    if (TimeLeft() == Millis(0)) return Error{ErrorCode::kTimeout, "there was no time left", ""};
    TOPODB_TRY(const ImageBytes bytes, page_.FetchImage(image.source, TimeLeft()));
    return options_.store_image(bytes);
  }

  CompletionObservation Filled(WatchVerdict verdict, TimePoint now) const {
    CompletionObservation observation;
    observation.profile = profile_.name;
    observation.status = verdict.status;
    observation.baseline = baseline_.baseline;
    observation.baseline.url = RedactUrl(observation.baseline.url);
    const bool complete = verdict.status == CompletionStatus::kComplete;
    observation.proof = {.finished = complete,
                         .message_id = verdict.proof.message_id,
                         .turn_id = verdict.proof.turn_id,
                         .turn_index = verdict.proof.turn_index,
                         .control = verdict.proof.control};
    if (!complete && verdict.sample) {
      observation.proof.message_id = verdict.sample->message_id;
      observation.proof.turn_id = verdict.sample->turn_id;
      observation.proof.turn_index = verdict.sample->turn_index;
    }
    observation.warnings = std::move(verdict.warnings);
    if (!baseline_.warning.empty()) observation.warnings.push_back(baseline_.warning);
    observation.used_fallbacks = std::move(verdict.used_fallbacks);
    observation.stable_ms = static_cast<uint64_t>(verdict.stable.count());
    observation.elapsed_ms = static_cast<uint64_t>(Elapsed(now).count());
    observation.recoverable = verdict.recoverable;
    observation.retry_hint = std::move(verdict.retry_hint);
    observation.error_code = std::move(verdict.error_code);
    observation.evidence = {{.level = EvidenceLevel::kObserved,
                             .source = "completion",
                             .description = Explanation(observation)}};
    observation.created_at = clock_.Now();
    return observation;
  }

  std::string Explanation(const CompletionObservation& observation) const {
    if (observation.proof.finished) {
      return fmt::format("item {} holds {}", observation.proof.turn_index,
                         observation.proof.control);
    }
    const Activity& activity = watch_.activity();
    return activity.evidence.empty() ? "no item was proven to be finished"
                                     : RedactText(activity.evidence);
  }

  Millis Elapsed(TimePoint now) const { return std::chrono::duration_cast<Millis>(now - begin_); }

  RegionPage& page_;
  const RegionProfile& profile_;
  const TakenBaseline& baseline_;
  const AwaitOptions& options_;
  const Clock& clock_;
  AwaitObserver& observer_;
  const std::atomic<bool>& cancelled_;
  const TimePoint begin_, deadline_;
  TimePoint heartbeat_, last_look_{};
  CompletionWatch watch_;
  RegionReading latest_;
  std::optional<Error> lost_;
};

TakenBaseline BaselineOf(const RegionReading& reading, const RegionProfile& profile) {
  int64_t count = reading.count;
  for (auto turn = reading.turns.rbegin(); turn != reading.turns.rend(); ++turn) {
    const bool waits = turn->control.empty() && turn->images.empty() && turn->text &&
                       CleanText(*turn->text, profile).empty();
    if (!waits) break;
    count = turn->index;
  }
  return {.baseline = {.url = reading.url,
                       .conversation_id = ConversationOf(reading.url, profile),
                       .item_count = static_cast<uint64_t>(count)},
          .before = reading,
          .warning = {}};
}

}  // namespace

Result<TakenBaseline> TakeBaseline(RegionPage& page, const RegionProfile& profile,
                                   const Clock& clock) {
  const RegionTimings& timings = profile.timings;
  const TimePoint end = clock.Steady() + timings.baseline_limit;
  BaselineCount count(timings);
  TakenBaseline taken;
  std::string problem = "it did not answer";
  while (true) {
    const Millis left = Until(end, clock.Steady());
    const auto reading =
        page.Read({.profile = profile}, std::min(kLookLimit, std::max(left, kBetweenLooks)));
    if (reading) {
      taken = BaselineOf(*reading, profile);
      if (count.Add(reading->count)) return taken;
    } else if (IsLost(reading.error()) || reading.error().code == ErrorCode::kInvalidArgument) {
      return reading.error();
    } else {
      count.Fail();
      problem = reading.error().message;
    }
    const TimePoint now = clock.Steady();
    if (now >= end) break;
    page.Rest(std::min(timings.baseline_every, Until(end, now)));
  }
  // A number that could be read once and not any more is no number.
  if (!count.count() || count.failed_last()) {
    return Error{ErrorCode::kProtocol,
                 fmt::format("the items of '{}' cannot be counted: {}", profile.name, problem),
                 "nothing was done on the page"};
  }
  taken.warning = "the number of items before the action did not become stable";
  return taken;
}

Result<TakenBaseline> BaselineOfNothing(RegionPage& page, const RegionProfile& profile,
                                        const Clock& clock) {
  const TimePoint end = clock.Steady() + profile.timings.baseline_limit;
  while (true) {
    auto reading = page.Read({.profile = profile}, kLookLimit);
    if (reading) {
      TakenBaseline taken = BaselineOf(*reading, profile);
      taken.baseline.item_count = 0;
      return taken;
    }
    const Error& error = reading.error();
    const bool last = clock.Steady() >= end;
    if (last || IsLost(error) || error.code == ErrorCode::kInvalidArgument) return error;
    page.Rest(profile.timings.baseline_every);
  }
}

Result<bool> HasBegun(RegionPage& page, const RegionProfile& profile, const TakenBaseline& baseline,
                      Millis limit) {
  TOPODB_TRY(const RegionReading reading, page.Read({.profile = profile}, limit));
  const std::vector<RegionTurn>& before = baseline.before.turns;
  const bool is_new = std::ranges::any_of(reading.turns, [&](const RegionTurn& turn) {
    return std::ranges::find(before, turn) == before.end();
  });
  if (is_new) return true;
  const ActivityLevel level = ActivityOf(reading, profile).level;
  return level == ActivityLevel::kStrong || level == ActivityLevel::kUnknown;
}

Result<CompletionObservation> AwaitRegion(RegionPage& page, const RegionProfile& profile,
                                          const TakenBaseline& baseline,
                                          const AwaitOptions& options, const Clock& clock,
                                          AwaitObserver& observer,
                                          const std::atomic<bool>& cancelled) {
  return Waiter(page, profile, baseline, options, clock, observer, cancelled).Run();
}

}  // namespace topodb::capture
