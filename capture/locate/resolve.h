#pragma once

#include <cstddef>
#include <vector>

#include "schema/model.h"
#include "schema/snapshot.h"

// Locator -> nodes of a snapshot. Pure; the same rules as the in-page counts.
namespace topodb::capture {

// Indices into `page.nodes` that the descriptor matches, in document order, over all frames. Text
// is compared exactly after normalisation. A scope matches a node whose container of that kind has
// its role and its name (or, for repeated containers, its key). With `nth` at most one index per
// frame.
std::vector<size_t> Resolve(const LocatorDescriptor& descriptor, const PageSnapshot& page);

}  // namespace topodb::capture
