#include "tests/support/run_binary.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace topodb::testing {
namespace {

using Clock = std::chrono::steady_clock;

// Both ends close themselves.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    Close(0);
    Close(1);
  }
  void Close(size_t end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t Spawn(const std::filesystem::path& binary, const BinaryRun& run, Pipe& in, Pipe& out,
            Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (!run.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, run.directory.c_str());
  }
  // A group of its own, so that the deadline ends its children too.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<std::string> arguments = run.arguments;
  arguments.insert(arguments.begin(), binary.string());
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  environment.insert(environment.end(), run.environment.begin(), run.environment.end());

  pid_t pid = -1;
  const int failed = posix_spawn(&pid, binary.c_str(), &actions, &attributes,
                                 Pointers(arguments).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) throw std::runtime_error("cannot start " + binary.string());
  return pid;
}

// Appends what is there; false at the end.
bool ReadSome(int descriptor, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

// Feeds stdin and drains both outputs until both are closed; false when the deadline passed.
bool Converse(const BinaryRun& run, Pipe& in, Pipe& out, Pipe& err, BinaryResult& result) {
  const auto end = Clock::now() + run.deadline;
  std::string_view input = run.input;
  if (input.empty()) in.Close(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 3> fds = {
        {{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0 || poll(fds.data(), fds.size(), static_cast<int>(left.count())) == 0) {
      return false;
    }
    if (fds[0].revents != 0) {
      const ssize_t count = write(in.ends[1], input.data(), std::min<size_t>(input.size(), 4096));
      if (count > 0) input.remove_prefix(static_cast<size_t>(count));
      if (count < 0 || input.empty()) in.Close(1);
    }
    if (fds[1].revents != 0 && !ReadSome(out.ends[0], result.out)) out.Close(0);
    if (fds[2].revents != 0 && !ReadSome(err.ends[0], result.err)) err.Close(0);
  }
  return true;
}

}  // namespace

BinaryResult RunBinary(const std::filesystem::path& binary, const BinaryRun& run) {
  signal(SIGPIPE, SIG_IGN);  // a program that does not read its input is no end of the test
  Pipe in, out, err;
  const pid_t pid = Spawn(binary, run, in, out, err);
  in.Close(0);
  out.Close(1);
  err.Close(1);

  BinaryResult result;
  result.timed_out = !Converse(run, in, out, err, result);
  if (result.timed_out) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

BinaryResult RunScript(const std::filesystem::path& binary, const std::string& script,
                       const std::filesystem::path& directory) {
  return RunBinary("/bin/bash", {.arguments = {"-c", script},
                                 .directory = directory,
                                 .input = {},
                                 .environment = {"TOPODB=" + binary.string()}});
}

}  // namespace topodb::testing
