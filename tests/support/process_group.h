#pragma once

#include <sys/types.h>
#include <vector>

#include "capture/browser/clock.h"

namespace topodb::testing {

// The processes of one process group at one moment, and whether they are still there later. Never
// mistakes a newcomer with a reused number for one of them.
class ProcessGroup {
 public:
  // Who is in group `leader` now; zombies do not count.
  explicit ProcessGroup(pid_t leader);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  size_t size() const { return handles_.size(); }
  // True when all of them have ended within `timeout`.
  bool WaitUntilGone(capture::Millis timeout) const;

 private:
  std::vector<int> handles_;  // pidfds
};

}  // namespace topodb::testing
