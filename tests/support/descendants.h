#pragma once

#include <cstddef>
#include <string_view>

namespace topodb::testing {

// Sends the signal to those processes begun by this one, directly or not, whose command line holds
// `argument`; how many these are.
size_t KillDescendants(std::string_view argument, int signal);

}  // namespace topodb::testing
