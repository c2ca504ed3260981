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

// By its command line. Helpers of the browser have no type either, but listen to nobody.
bool IsChromium(const std::string& command, std::string_view type) {
  if (!type.empty()) return command.find("--type=" + std::string(type)) != std::string::npos;
  return command.find("--type=") == std::string::npos &&
         command.find("--remote-debugging-port") != std::string::npos;
}

}  // namespace

size_t KillChromium(std::string_view type, int signal) {
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
    if (IsChromium(command, type) && kill(pid, signal) == 0) ++killed;
  }
  return killed;
}

}  // namespace topodb::testing
