#pragma once

#include <vector>

#include "cli/console.h"
#include "schema/base/result.h"
#include "store/graph_store.h"

namespace topodb::cli {

// Removes runs one after the other and lists those that are gone.
Status RemoveRuns(store::GraphStore& store, const std::vector<store::StoredRun>& runs,
                  Console& console);

}  // namespace topodb::cli
