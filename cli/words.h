#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/model.h"

namespace topodb::cli {

// "1 state", "2 states".
std::string Counted(uint64_t count, std::string_view noun);

// "5 states, 52 elements, 6 edges, 16 skips, 1 failure".
std::string CountsText(const RunCounts& counts);

}  // namespace topodb::cli
