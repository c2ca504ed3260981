#pragma once

#include "query/diff.h"
#include "query/run_side.h"
#include "schema/base/result.h"

namespace topodb::query {

// The differences between the records of two runs, whatever their inputs; no warnings. Errors of
// the store.
Result<Diff> CompareRuns(RunSide& before, RunSide& after);

}  // namespace topodb::query
