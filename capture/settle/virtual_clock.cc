#include "capture/settle/virtual_clock.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Virtual time granted, together the horizon; what nothing waits for costs nothing.
struct Plan {
  std::vector<Millis> quick;  // where nothing outside the page's own thread was seen
  std::vector<Millis> full;   // with a rendered frame after each slice
};
const Plan& PlanFor(SettleKind kind) {
  static const Plan kLoad{{HorizonOf(SettleKind::kLoad)},
                          {Millis(50), Millis(450), HorizonOf(SettleKind::kLoad) - Millis(500)}};
  static const Plan kAction{
      {HorizonOf(SettleKind::kAction)},
      {Millis(100), Millis(900), HorizonOf(SettleKind::kAction) - Millis(1000)}};
  static const Plan kScroll{{HorizonOf(SettleKind::kScroll)}, {HorizonOf(SettleKind::kScroll)}};
  switch (kind) {
    case SettleKind::kLoad:
      return kLoad;
    case SettleKind::kAction:
      return kAction;
    case SettleKind::kScroll:
      return kScroll;
  }
  return kLoad;
}

constexpr int kTailRounds = 4;
constexpr Millis kTailSlice{100};
// The document of a frame is waited for.
constexpr Millis kFrameDocument{3000};
constexpr Millis kHardLimit{8000};
constexpr Millis kForceLimit{500};
// How much longer than the page its frames in other processes may take.
constexpr Millis kFrameLag{500};
// Frames within frames that are waited for.
constexpr int kFrameRounds = 3;
// A frame is waited for so long, unless the thread is busy; and then once more.
constexpr Millis kFrameWait{1500};
constexpr int kFrameAttempts = 2;
// What other threads were asked for is waited for so long, with a frame now and then …
constexpr Millis kOutsideLimit{1000};
constexpr Millis kOutsideSlice{10};
// … and what they may say unasked, from the last word on.
constexpr Millis kSpeakPause{60};
constexpr Millis kSpeakLimit{300};
// More requests than these without an answer, or more settles that waited for them in vain, and the
// page is better off on the real clock.
constexpr size_t kMaxSlowRequests = 2;
constexpr uint32_t kMaxForcedSettles = 1;

}  // namespace

Status VirtualClock::Start() {
  const auto reply = session_.Call(
      cdp::emulation::SetVirtualTimePolicy{
          .policy = "pause", .initial_time_s = static_cast<double>(options_.start.millis) / 1000.0},
      options_.timeout);
  if (!reply) return reply.error();
  return {};
}

Result<SettleReport> VirtualClock::Settle(SettleKind kind, Millis limit) {
  limit_ = limit;
  settle_begin_ = SteadyClock::now();
  doubt_.clear();
  grants_ = forced_ = 0;
  if (kind == SettleKind::kLoad) {
    last_ = {};
    never_ends_ = 0;
  }
  full_ = sees_outside();
  SettleReport report{.settled = true, .clock = "virtual"};

  TOPODB_TRY_VOID(Run(kind, report));
  report.tier = forced_ > 0 ? "fallback" : full_ ? "full" : "quick";
  report.still_busy = log_.PendingUrls();
  report.elapsed_ms = static_cast<uint64_t>(ElapsedSince(settle_begin_).count());
  Judge();
  return report;
}

Status VirtualClock::Run(SettleKind kind, SettleReport& report) {
  const Plan& plan = PlanFor(kind);
  size_t clocks = frames_.FrameClocks().size();
  TOPODB_TRY_VOID(GrantAll(full_ ? plan.full : plan.quick, report));
  // Frames of other processes come by real time, and then live by clocks of their own.
  for (int round = 0; round < kFrameRounds && AwaitFrames(clocks); ++round) {
    clocks = frames_.FrameClocks().size();
    full_ = true;
    TOPODB_TRY_VOID(GrantAll(plan.full, report));
  }
  if (!full_ && doubt_.empty()) {
    // A second look: the grant may have passed by what it started on other threads.
    TOPODB_TRY(last_, Draw());
    full_ = sees_outside();
    if (full_) TOPODB_TRY_VOID(GrantAll(plan.full, report));
  }
  return doubt_.empty() ? Rest(report) : Status();
}

Status VirtualClock::Rest(SettleReport& report) {
  // Drawing lets observers and animations speak; what they changed may set timers of its own.
  bool rests = last_.animations == 0 && !full_;
  for (int round = 0; round < kTailRounds && !rests; ++round) {
    TOPODB_TRY(const bool expired, Grant(kTailSlice));
    report.settled = report.settled && expired;
    report.virtual_ms += static_cast<uint64_t>(kTailSlice.count());
    const uint64_t changes = last_.changes;
    TOPODB_TRY(last_, Draw());
    rests = last_.animations == 0 && last_.outside <= never_ends_ && last_.changes == changes;
  }
  report.settled = report.settled && rests;
  return {};
}

Status VirtualClock::GrantAll(const std::vector<Millis>& slices, SettleReport& report) {
  for (const Millis slice : slices) {
    TOPODB_TRY(const bool expired, Grant(slice));
    report.virtual_ms += static_cast<uint64_t>(slice.count());
    if (full_) AwaitSpeakers();
    report.settled = report.settled && expired && doubt_.empty();
    if (!doubt_.empty()) return {};
    if (!full_) continue;
    TOPODB_TRY(last_, Draw());
  }
  return {};
}

Result<FrameDrawn> VirtualClock::Draw() {
  const auto begin = SteadyClock::now();
  for (;;) {
    TOPODB_TRY(const FrameDrawn drawn, DrawOnce());
    const bool waits = drawn.outside > never_ends_;
    if (!waits) return drawn;
    if (ElapsedSince(begin) >= kOutsideLimit) {
      never_ends_ = drawn.outside;
      return drawn;
    }
    // A clock that stands still keeps some answers from being heard.
    TOPODB_TRY_VOID(Grant(kOutsideSlice));
  }
}

Result<FrameDrawn> VirtualClock::DrawOnce() {
  for (int attempt = 0; attempt < kFrameAttempts; ++attempt) {
    auto drawn = frames_.DrawFrame(std::min(kFrameWait, TimeLeft()), Millis(0));
    if (drawn || drawn.error().code != ErrorCode::kTimeout) return drawn;
    TOPODB_TRY_VOID(CheckThread());
  }
  doubt_ = "it draws no frame";
  return Error{ErrorCode::kTimeout, doubt_, ""};
}

Result<ThreadState> VirtualClock::CheckThread() {
  auto thread = capture::CheckThread(
      session_, {.script = std::min(options_.script_patience, TimeLeft()), .any = TimeLeft()});
  if (!thread) doubt_ = thread.error().message;
  return thread;
}

void VirtualClock::AwaitSpeakers() {
  if (!log_.has_speaker()) return;
  const auto begin = SteadyClock::now();
  if (!frames_.AwaitWorkers(kOutsideLimit)) doubt_ = "a worker of it does not answer";
  for (auto until = begin + kSpeakPause; SteadyClock::now() < until;) {
    (void)log_.WaitFor(
        [&](const PageLog::View& view) {
          until = std::min(std::max(view.last_message, begin) + kSpeakPause, begin + kSpeakLimit);
          return SteadyClock::now() >= until;
        },
        until);
  }
}

bool VirtualClock::AwaitFrames(size_t known) {
  (void)log_.WaitFor([](const PageLog::View& view) { return view.documents_pending == 0; },
                     SteadyClock::now() + kFrameDocument);
  return frames_.FrameClocks().size() > known;
}

Result<bool> VirtualClock::Grant(Millis budget) {
  ++grants_;
  const auto frames = frames_.FrameClocks();
  const Due due{.page = log_.budgets_expired() + 1,
                .frames = log_.frame_budgets_expired() + frames.size()};
  SetPolicy(
      {.policy = "pauseIfNetworkFetchesPending", .budget_ms = static_cast<double>(budget.count())},
      frames);
  while (!AwaitBudget(due)) {
    if (const auto closed = log_.closed()) return *closed;
    TOPODB_TRY(const ThreadState thread, CheckGrantedThread());
    // A thread that has much to do needs no other clock but the time to do it.
    if (thread == ThreadState::kBusy && has_time_left()) continue;
    slow_.Remember(log_.PendingUrls());
    return Force(budget, due);
  }
  return true;
}

bool VirtualClock::AwaitBudget(const Due& due) {
  const auto begin = SteadyClock::now();
  const Millis silence_limit = limit_ / 2;
  Millis wait{0};  // the first look only measures
  std::optional<SteadyClock::time_point> page_done;
  for (;;) {
    bool stalled = false;
    const bool expired = log_.WaitFor(
        [&](const PageLog::View& view) {
          if (view.budgets_expired >= due.page) {
            if (!page_done) page_done = SteadyClock::now();
            wait = kFrameLag;
            return view.frame_budgets_expired >= due.frames ||
                   SteadyClock::now() - *page_done >= kFrameLag;
          }
          // Every network event starts the silence anew.
          const auto silent_since = std::max(view.last_network, begin);
          const auto silence =
              std::chrono::duration_cast<Millis>(SteadyClock::now() - silent_since);
          const Millis patience = std::min(slow_.Patience(view), silence_limit);
          stalled = silence >= patience;
          wait = std::max(Millis(1), patience - silence);
          return false;
        },
        SteadyClock::now() + wait);
    if (expired) return true;
    if (stalled || log_.closed()) return false;
    if (SteadyClock::now() - begin > std::min(kHardLimit, TimeLeft())) return false;
  }
}

// Moves the clock although requests are pending.
Result<bool> VirtualClock::Force(Millis budget, const Due& due) {
  ++forced_;
  SetPolicy({.policy = "advance",
             .budget_ms = static_cast<double>(budget.count()),
             .max_task_starvation_count = 1000},
            frames_.FrameClocks());
  for (;;) {
    const bool expired =
        log_.WaitFor([&](const PageLog::View& view) { return view.budgets_expired >= due.page; },
                     SteadyClock::now() + kForceLimit);
    if (const auto closed = log_.closed()) return *closed;
    if (expired) return true;
    TOPODB_TRY(const ThreadState thread, CheckGrantedThread());
    if (thread == ThreadState::kIdle || !has_time_left()) break;
  }
  SetPolicy({.policy = "pause"}, frames_.FrameClocks());
  doubt_ = "its time does not pass when it is granted";
  return false;
}

Result<ThreadState> VirtualClock::CheckGrantedThread() {
  auto thread = CheckThread();
  if (!thread) SetPolicy({.policy = "pause"}, frames_.FrameClocks());
  return thread;
}

// Whether pages like this one are for this clock.
void VirtualClock::Judge() {
  forced_settles_ = forced_ == grants_ ? forced_settles_ + 1 : 0;
  if (!doubt_.empty()) return;
  if (slow_.size() > kMaxSlowRequests || forced_settles_ > kMaxForcedSettles) {
    doubt_ = "its requests never end";
  }
}

void VirtualClock::SetPolicy(const cdp::emulation::SetVirtualTimePolicy& policy,
                             const std::vector<std::shared_ptr<cdp::Session>>& frames) {
  session_.Post(policy);
  for (const auto& frame : frames) frame->Post(policy);
}

Millis VirtualClock::TimeLeft() const {
  return std::max(kLeastToAnswer, limit_ - ElapsedSince(settle_begin_));
}

}  // namespace topodb::capture
