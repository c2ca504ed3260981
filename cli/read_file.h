#pragma once

#include <filesystem>
#include <string>

#include "schema/base/result.h"

namespace topodb::cli {

// The whole file. kNotFound, kIo.
Result<std::string> ReadFile(const std::filesystem::path& path);

}  // namespace topodb::cli
