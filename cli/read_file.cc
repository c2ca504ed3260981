#include "cli/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace topodb::cli {

Result<std::string> ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Error{errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                 fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)), ""};
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) {
    return Error{ErrorCode::kIo, fmt::format("cannot read '{}'", path.string()), ""};
  }
  return text;
}

}  // namespace topodb::cli
