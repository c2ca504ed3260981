#include "capture/browser/child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace topodb::capture {
namespace {

constexpr size_t kKeptOutputBytes = 4096;
constexpr Millis kGroupGrace{2000};

Error IoError(std::string_view what) {
  return Error{ErrorCode::kIo,
               fmt::format("cannot {}: {}", what, std::generic_category().message(errno)),
               {}};
}

// Above the standard three, which the child replaces.
Fd AboveStandard(int fd) {
  const Fd original(fd);
  return Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

struct Pipe {
  Fd read, write;
};

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return IoError("create a pipe");
  return Pipe{AboveStandard(ends[0]), AboveStandard(ends[1])};
}

// What the child needs between fork and exec, made before: there it may allocate nothing.
struct Image {
  explicit Image(const ChildSpec& spec) : strings(MakeStrings(spec)) {
    const size_t arguments = spec.arguments.size() + 1;
    for (size_t i = 0; i < strings.size(); ++i) {
      (i < arguments ? argv : envp).push_back(strings[i].data());
    }
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }

  static std::vector<std::string> MakeStrings(const ChildSpec& spec) {
    std::vector<std::string> strings{spec.program};
    strings.insert(strings.end(), spec.arguments.begin(), spec.arguments.end());
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string_view text(*variable);
      bool replaced = false;
      for (const auto& [name, value] : spec.environment) {
        replaced = replaced || text.substr(0, text.find('=')) == name;
      }
      if (!replaced) strings.emplace_back(text);
    }
    for (const auto& [name, value] : spec.environment) strings.push_back(name + "=" + value);
    return strings;
  }

  std::vector<std::string> strings;
  std::vector<char*> argv, envp;
};

// Runs in the child: system calls only. Returns when exec failed.
void BecomeProgram(const Image& image, pid_t parent, int null_fd, int error_fd) {
  // The signal is lost when the parent is dead already; then its id is no longer ours to see.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) return;
  ::setpgid(0, 0);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(null_fd, STDIN_FILENO);
  ::dup2(null_fd, STDOUT_FILENO);
  ::dup2(error_fd, STDERR_FILENO);
  ::close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC);
  ::execve(image.argv.front(), image.argv.data(), image.envp.data());
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::Spawn(ChildSpec spec) {
  auto child = std::unique_ptr<ChildProcess>(new ChildProcess);
  std::promise<Status> started;
  auto outcome = started.get_future();
  // The system watches the thread that forks, not the process: so the fork happens on a thread that
  // lives as long as the child does.
  child->keeper_ = std::thread(
      [raw = child.get(), spec = std::move(spec), started = std::move(started)]() mutable {
        raw->Keep(std::move(spec), std::move(started));
      });
  TOPODB_TRY_VOID(outcome.get());
  return child;
}

ChildProcess::~ChildProcess() {
  Kill();
  if (keeper_.joinable()) keeper_.join();
}

void ChildProcess::Keep(ChildSpec spec, std::promise<Status> started) {
  auto status = Start(spec);
  const bool running = status.has_value();
  started.set_value(std::move(status));
  if (running) Watch();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Status ChildProcess::Start(const ChildSpec& spec) {
  const Image image(spec);
  TOPODB_TRY(Pipe output, MakePipe());
  TOPODB_TRY(Pipe failure, MakePipe());
  const Fd null = AboveStandard(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.valid()) return IoError("open /dev/null");

  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return IoError("fork");
  if (pid == 0) {
    BecomeProgram(image, parent, null.get(), output.write.get());
    const int error = errno;
    static_cast<void>(::write(failure.write.get(), &error, sizeof(error)) > 0);
    ::_exit(127);
  }
  ::setpgid(pid, pid);  // in the child as well: whoever comes first
  output.write.Reset();
  failure.write.Reset();
  pid_fd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));

  int error = 0;
  const bool failed = ::read(failure.read.get(), &error, sizeof(error)) == sizeof(error);
  if (failed || !pid_fd_.valid()) {
    if (!failed) error = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    errno = error;
    return IoError(fmt::format("execute '{}'", spec.program));
  }
  pid_ = pid;
  error_output_ = std::move(output.read);
  return {};
}

void ChildProcess::Watch() {
  std::array<pollfd, 2> watched{{{error_output_.get(), POLLIN, 0}, {pid_fd_.get(), POLLIN, 0}}};
  while (watched[1].revents == 0) {
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) break;
    if (watched[0].revents != 0) ReadErrorOutput();
    watched[0].fd = error_output_.get();
  }
  // Not reaped yet, so the number still names our group.
  ::kill(-pid_, SIGKILL);
  // Every process of the tree holds the other end: when it is closed, all are gone.
  const auto deadline = std::chrono::steady_clock::now() + kGroupGrace;
  while (error_output_.valid() && std::chrono::steady_clock::now() < deadline) {
    pollfd rest{error_output_.get(), POLLIN, 0};
    if (::poll(&rest, 1, static_cast<int>(kGroupGrace.count())) > 0) ReadErrorOutput();
  }
  ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::ReadErrorOutput() {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(error_output_.get(), buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return error_output_.Reset();
  const std::lock_guard lock(mutex_);
  last_output_.append(buffer.data(), static_cast<size_t>(count));
  if (last_output_.size() > kKeptOutputBytes) {
    last_output_.erase(0, last_output_.size() - kKeptOutputBytes);
  }
}

void ChildProcess::Kill() {
  std::unique_lock lock(mutex_);
  if (ended_ || pid_ < 0) return;
  // Through the handle: the number may belong to somebody else once the keeper has reaped it.
  ::syscall(SYS_pidfd_send_signal, pid_fd_.get(), SIGKILL, nullptr, 0);
  changed_.wait_for(lock, 2 * kGroupGrace, [&] { return ended_; });
}

std::string ChildProcess::LastErrorOutput() const {
  const std::lock_guard lock(mutex_);
  return last_output_;
}

bool ChildProcess::WaitForExit(Millis timeout) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return ended_; });
}

}  // namespace topodb::capture
