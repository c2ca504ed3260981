#pragma once

#include <filesystem>
#include <string>

namespace topodb::testing {

// All bytes of a file; none when there is no such file.
std::string ReadFile(const std::filesystem::path& path);

}  // namespace topodb::testing
