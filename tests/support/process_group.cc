#include "tests/support/process_group.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace topodb::testing {
namespace {

using capture::Millis;

// Group and state of a process, as /proc tells them.
bool IsLiveMember(const std::filesystem::path& process, pid_t leader) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  // "pid (name) state ppid pgrp …"; the name may hold anything, parentheses too.
  const auto after_name = text.rfind(')');
  if (after_name == std::string::npos) return false;
  char state = 0;
  pid_t parent = 0, group = 0;
  std::istringstream fields(text.substr(after_name + 1));
  fields >> state >> parent >> group;
  return fields && group == leader && state != 'Z' && state != 'X';
}

}  // namespace

ProcessGroup::ProcessGroup(pid_t leader) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(name), 0));
    if (handle < 0) continue;
    // Looked at once the handle is held: then both speak of the same process.
    if (IsLiveMember(entry.path(), leader)) {
      handles_.push_back(handle);
    } else {
      ::close(handle);
    }
  }
}

ProcessGroup::~ProcessGroup() {
  for (const int handle : handles_) ::close(handle);
}

bool ProcessGroup::WaitUntilGone(Millis timeout) const {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (const int handle : handles_) {
    const auto left = std::chrono::ceil<Millis>(deadline - std::chrono::steady_clock::now());
    pollfd ended{handle, POLLIN, 0};
    if (::poll(&ended, 1, static_cast<int>(std::max(left, Millis(0)).count())) != 1) return false;
  }
  return true;
}

}  // namespace topodb::testing
