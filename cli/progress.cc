#include "cli/progress.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/run_view.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr milliseconds kRedrawInterval{100};

}  // namespace

std::string ProgressText(const ProgressCounts& counts) {
  std::string text =
      fmt::format("{}, actions {} of {}, {}, {}", Counted(counts.states, "state"), counts.done,
                  counts.total, Counted(counts.skips, "skip"), Counted(counts.failures, "failure"));
  if (counts.done == 0 || counts.elapsed.count() == 0) return text;
  const double seconds = static_cast<double>(counts.elapsed.count()) / 1000;
  const double rate = static_cast<double>(counts.done) / seconds;
  text += fmt::format(", {:.1f} actions/s", rate);
  if (counts.total > counts.done) {
    text += fmt::format(", about {:.0f} s left",
                        static_cast<double>(counts.total - counts.done) / rate);
  }
  return text;
}

Progress::Progress(Console& console, const capture::Clock& clock)
    : console_(console),
      clock_(clock),
      start_(clock.Steady()),
      width_(console.options().quiet ? 0 : TerminalWidth(STDERR_FILENO)) {}

Progress::~Progress() { Clear(); }

void Progress::OnState(const State& state, uint32_t depth) {
  ++states_;
  if (width_ == 0 || console_.options().verbose) {
    Line(fmt::format("state   {} (depth {})", LabelOf(state), depth));
  }
  Redraw();
}

void Progress::OnEdge(const ActionEdge& edge) {
  if (!console_.options().verbose) return;
  Line(fmt::format("edge    {} {}", ToString(edge.action_type),
                   RoleAndName(edge.target.role, edge.target.name)));
}

void Progress::OnSkip(const SkippedAction& skip) {
  ++skips_;
  if (console_.options().verbose) {
    Line(fmt::format("skip    {} {}: {}", ToString(skip.action_type), skip.element_id.ToString(),
                     skip.reason));
  }
  Redraw();
}

void Progress::OnFailure(const FailedObservation& failure) {
  ++failures_;
  if (console_.options().verbose) {
    Line(fmt::format("failure {}: {}", ToString(failure.reason), failure.message));
  }
  Redraw();
}

void Progress::OnProgress(uint64_t done, uint64_t total) {
  done_ = done;
  total_ = total;
  Redraw();
}

void Progress::Line(std::string_view text) {
  Clear();
  console_.Note(text);
}

void Progress::Redraw() {
  if (width_ == 0) return;
  const auto now = clock_.Steady();
  if (visible_ && now - drawn_ < kRedrawInterval) return;
  const ProgressCounts counts{.states = states_,
                              .done = done_,
                              .total = total_,
                              .skips = skips_,
                              .failures = failures_,
                              .elapsed = duration_cast<milliseconds>(now - start_)};
  std::fprintf(stderr, "\r\x1b[K%s", ElideMiddle(ProgressText(counts), width_ - 1).c_str());
  drawn_ = now;
  visible_ = true;
}

void Progress::Clear() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
  visible_ = false;
}

}  // namespace topodb::cli
