#pragma once

#include <filesystem>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::cli {

// What to enter, by the name of a control: {"email": "someone@example.org", ...}, sorted by name;
// nothing for an empty path. kIo; kInvalidArgument for anything but an object of texts.
Result<std::vector<NameValue>> ReadValues(const std::filesystem::path& path);

}  // namespace topodb::cli
