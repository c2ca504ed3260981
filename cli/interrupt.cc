#include "cli/interrupt.h"

#include <csignal>

namespace topodb::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> g_interrupted{false};
std::atomic<int> g_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void OnSignal(int signal) {
  g_signal = signal;
  g_interrupted = true;
}

}  // namespace

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // one of them is unsigned
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& Interrupted() { return g_interrupted; }

std::optional<ExitCode> InterruptCode() {
  switch (g_signal.load()) {
    case SIGINT:
      return ExitCode::kInterrupted;
    case SIGTERM:
      return ExitCode::kTerminated;
    default:
      return std::nullopt;
  }
}

}  // namespace topodb::cli
