#pragma once

#include <string>
#include <vector>

#include "capture/explore/explorer.h"
#include "tests/support/recording_sink.h"
#include "tests/support/sim_site.h"

namespace topodb::testing {

// What one exploration left behind.
struct Explored {
  Result<capture::ExploreOutcome> outcome;
  RecordingSink sink;

  // Accessible names of the elements that were skipped, failed for `reason`, or have an edge;
  // sorted.
  std::vector<std::string> SkippedNames() const;
  std::vector<std::string> FailedNames(FailureReason reason) const;
  std::vector<std::string> EdgeNames() const;
  // The budget's `hit`; false when there is no such budget.
  bool Hit(std::string_view budget) const;
};

// Explores with the built-in risk policy, a still clock and the site's own scope, from its "/".
Explored ExploreSite(SimSite& site, capture::ExploreOptions options);
// With a tab on each of `sites`, which are equal.
Explored ExploreOnTabs(std::vector<SimSite>& sites, capture::ExploreOptions options);
// With a second tab wanted that does not open.
Explored ExploreWithoutMoreTabs(SimSite& site, capture::ExploreOptions options);
// Into a sink that the caller has prepared.
Result<capture::ExploreOutcome> ExploreInto(SimSite& site, GraphSink& sink,
                                            capture::ExploreOptions options);

// What every stored graph must keep, whatever happened while it was made; empty when all holds:
// references resolve, skips and failures exclude an edge of the same element and action, every
// state but the first was opened by an edge that leads there.
std::vector<std::string> BrokenInvariants(const RecordingSink& sink);

}  // namespace topodb::testing
