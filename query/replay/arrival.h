#pragma once

#include <vector>

#include "query/replay/report.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Whether a page is a recorded state. Pure.
namespace topodb::replay {

struct ArrivalCheck {
  Arrival arrival = Arrival::kNo;
  std::vector<Mismatch> mismatches;  // why not; of kSamePlace: empty
};

// `landmarks` are those recorded for `state`; the state's unstable parts are left out.
ArrivalCheck CheckArrival(const State& state, const std::vector<Landmark>& landmarks,
                          const PageSnapshot& page);

}  // namespace topodb::replay
