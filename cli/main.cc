#include <cstdio>
#include <exception>

#include "cli/command_line.h"
#include "cli/exit_code.h"

int main(int argc, char** argv) {
  try {
    return static_cast<int>(topodb::cli::RunCommandLine(argc, argv));
  } catch (const std::exception& failure) {  // a bug, or no memory
    std::fprintf(stderr, "topodb: internal error: %s\n", failure.what());
    return static_cast<int>(topodb::cli::ExitCode::kData);
  }
}
