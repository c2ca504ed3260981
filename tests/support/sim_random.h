#pragma once

#include <cstdint>

#include "tests/support/sim_site.h"

namespace topodb::testing {

// Names of widgets that no exploration may ever touch.
bool IsForbidden(std::string_view name);

// A site of a few pages with links among them, dialogs, disabled, covered and hidden controls,
// traps (dangerous names, silent POSTs), volatile headings, links elsewhere and pages that break.
// Equal seeds give equal sites.
SimSite RandomSite(uint64_t seed);

}  // namespace topodb::testing
