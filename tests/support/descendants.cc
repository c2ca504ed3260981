#include "tests/support/descendants.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace topodb::testing {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "pid (name) state ppid …"; a name may hold anything.
pid_t ParentIn(const std::string& stat) {
  const size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos ? 0 : std::stoi(stat.substr(name_end + 4));
}

}  // namespace

size_t KillDescendants(std::string_view argument, int signal) {
  std::map<pid_t, pid_t> parents;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = ReadAll(entry.path() / "stat");
    if (!stat.empty()) parents[std::stoi(name)] = ParentIn(stat);
  }
  size_t killed = 0;
  for (const auto& [pid, parent] : parents) {
    pid_t ancestor = parent;
    while (ancestor > 1 && ancestor != getpid()) ancestor = parents[ancestor];
    if (ancestor != getpid()) continue;
    const std::string command = ReadAll("/proc/" + std::to_string(pid) + "/cmdline");
    if (command.find(argument) == std::string::npos) continue;
    if (kill(pid, signal) == 0) ++killed;
  }
  return killed;
}

}  // namespace topodb::testing
