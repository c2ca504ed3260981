#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace topodb::testing {

struct BinaryRun {
  std::vector<std::string> arguments;          // without the program's name
  std::filesystem::path directory;             // where it runs; empty: here
  std::string input;                           // its standard input
  std::vector<std::string> environment;        // "NAME=value", added to ours
  std::chrono::milliseconds deadline{60'000};  // then it is killed
};

struct BinaryResult {
  int exit_code = -1;  // -1: killed by a signal or by the deadline; `signal` says which
  int signal = 0;
  bool timed_out = false;
  std::string out, err;
};

// Runs `binary`, reads both outputs to their end and reaps it.
BinaryResult RunBinary(const std::filesystem::path& binary, const BinaryRun& run);

// `script` under `bash -c`, with "$TOPODB" standing for `binary`.
BinaryResult RunScript(const std::filesystem::path& binary, const std::string& script,
                       const std::filesystem::path& directory);

}  // namespace topodb::testing
