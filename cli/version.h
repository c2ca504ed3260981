#pragma once

#include <string>
#include <string_view>

namespace topodb::cli {

// "0.1.0".
std::string_view Version();

// "topodb 0.1.0", the on-disk format number, and the libraries it was built with.
std::string VersionText();

}  // namespace topodb::cli
