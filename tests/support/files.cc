#include "tests/support/files.h"

#include <fstream>
#include <iterator>

namespace topodb::testing {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace topodb::testing
