#pragma once

#include <string>

namespace topodb::cli {

// "topodb 0.1.0", the on-disk format number, and the libraries it was built with.
std::string VersionText();

}  // namespace topodb::cli
