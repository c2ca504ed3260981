#pragma once

#include <memory>

#include "cli/console.h"
#include "schema/base/result.h"
#include "store/graph_store.h"

namespace topodb::cli {

// The database of --db.
Result<std::unique_ptr<store::GraphStore>> OpenForRead(const CommonOptions& options);
Result<std::unique_ptr<store::GraphStore>> OpenForWrite(const CommonOptions& options,
                                                        const store::OpenOptions& open);
// For commands that change runs: a database that is not there is an error, not made.
Result<std::unique_ptr<store::GraphStore>> OpenExistingForWrite(const CommonOptions& options);

}  // namespace topodb::cli
