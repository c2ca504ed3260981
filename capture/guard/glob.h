#pragma once

#include <string_view>

namespace topodb::capture {

// '*' stands for any run of characters, all else for itself; the whole text must match.
bool MatchesGlob(std::string_view pattern, std::string_view text);

}  // namespace topodb::capture
