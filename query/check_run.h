#pragma once

#include <cstdint>

#include "query/check.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"
#include "store/values.h"

namespace topodb::query {

// Checks all rows of one published run; adds what is wrong to `report`.
Status CheckRun(const store::GraphReader& reader, store::RunNumber number,
                const store::Manifest& manifest, CheckReport& report);

}  // namespace topodb::query
