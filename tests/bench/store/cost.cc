// Runs a program again and again and says what it cost.
//   store_cost TIMES PROGRAM ARG…
// Prints {"cpuMs": median, "rssMb": largest, "out": "what the last one wrote, at most 64 kB"}. An
// exit code above 1 ends it: 1 is what diff and check end with when they found something.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t kKept = 65536;

struct Cost {
  double cpu_ms = 0;
  long rss_kb = 0;
  std::string out;
};

double Millis(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
}

Cost RunOnce(char** command) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(3);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    _exit(127);
  }
  close(ends[1]);
  Cost cost;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    cost.out.append(buffer, std::min(static_cast<size_t>(got), kKept - cost.out.size()));
  }
  close(ends[0]);
  int status = 0;
  rusage usage = {};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
    std::fprintf(stderr, "store_cost: %s ended with %d\n", command[0], status);
    std::exit(1);
  }
  cost.cpu_ms = Millis(usage.ru_utime) + Millis(usage.ru_stime);
  cost.rss_kb = usage.ru_maxrss;
  return cost;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) {
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::vector<Cost> costs;
  for (int i = 0; i < std::max(1, std::atoi(argv[1])); ++i) costs.push_back(RunOnce(argv + 2));
  const std::string out = costs.back().out;
  long rss_kb = 0;
  for (const Cost& cost : costs) rss_kb = std::max(rss_kb, cost.rss_kb);
  std::sort(costs.begin(), costs.end(),
            [](const Cost& a, const Cost& b) { return a.cpu_ms < b.cpu_ms; });
  std::printf("{\"cpuMs\": %.3f, \"rssMb\": %.1f, \"out\": %s}\n", costs[costs.size() / 2].cpu_ms,
              static_cast<double>(rss_kb) / 1024, Quoted(out).c_str());
  return 0;
}
