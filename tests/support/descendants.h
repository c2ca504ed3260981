#pragma once

#include <cstddef>
#include <string_view>

namespace topodb::testing {

// Sends the signal to those processes of browsers that this process began, directly or not, which
// are of that type: as in --type=renderer, or empty for the browsers themselves. How many there
// were.
size_t KillChromium(std::string_view type, int signal);

}  // namespace topodb::testing
