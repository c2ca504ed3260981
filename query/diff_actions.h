#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/compare.h"
#include "query/correspondence.h"
#include "query/diff.h"
#include "query/run_side.h"
#include "schema/base/result.h"

// What two runs did, refused and could not do, compared.
namespace topodb::query {

// Differences of edges, skips and failures, section by section, in the order of the runs; what lies
// in states that only one run has is passed over. `same` says which states and elements are the
// same.
Result<std::vector<Difference>> CompareActions(RunSide& before, RunSide& after,
                                               const Correspondence& same);

// What either run found unstable in any state of the URL of these: a state that was seen once
// shares what was found in the others.
Result<UnstableParts> UnstableOfPages(RunSide& before, const State& was, RunSide& after,
                                      const State& is);

// A record that only `here` has: removed or added; with an excuse, perhaps just not looked for.
Difference Missing(Difference difference, const RunSide& here, std::optional<std::string> excuse);

}  // namespace topodb::query
