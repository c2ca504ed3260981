#pragma once

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <utility>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/fd.h"
#include "schema/base/result.h"

namespace topodb::capture {

struct ChildSpec {
  std::string program;  // a path
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // added to our own
};

// A program in a process group of its own that does not outlive us: the system kills it when we
// die, whatever way we die, and its whole group is killed when it ends, when Kill() is called, and
// by the destructor. Its standard error is read and the end of it kept. Thread-safe.
class ChildProcess {
 public:
  // kIo when the program cannot be executed.
  static Result<std::unique_ptr<ChildProcess>> Spawn(ChildSpec spec);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }  // of the group as well
  // Becomes readable when the program has ended.
  int exit_fd() const { return pid_fd_.get(); }

  // Ends the group and waits until every process that shares its standard error is gone, at most
  // two seconds. Idempotent.
  void Kill();

  // The last lines of its standard error; all of them once exit was waited for.
  std::string LastErrorOutput() const;
  // True when the program ended and its output was read within `timeout`.
  bool WaitForExit(Millis timeout) const;

 private:
  ChildProcess() = default;
  void Keep(ChildSpec spec, std::promise<Status> started);
  Status Start(const ChildSpec& spec);
  void Watch();
  void ReadErrorOutput();

  pid_t pid_ = -1;
  Fd pid_fd_;
  Fd error_output_;
  std::thread keeper_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::string last_output_;
  bool ended_ = false;
};

}  // namespace topodb::capture
