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

}  // namespace topodb::cli
