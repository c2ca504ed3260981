#pragma once

#include <vector>

#include "query/replay/contents.h"
#include "query/replay/report.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Whether a page is a recorded state. Pure.
namespace topodb::replay {

// A recorded state with what can tell that a page is it.
struct RecordedPlace {
  State state;
  std::vector<Landmark> landmarks;
  Contents contents;
  std::vector<Element> elements;
};

struct ArrivalCheck {
  Arrival arrival = Arrival::kNo;
  std::vector<Mismatch> mismatches;  // why not; of any other arrival: empty
};

// The state's unstable parts are left out.
ArrivalCheck CheckArrival(const RecordedPlace& place, const PageSnapshot& page);

// Whether a page that is not the recorded state is still the place to look for its targets at: the
// same URL and modal stack, and most of what was recorded there, its landmarks among it. Which node
// a target is, its own identity decides.
bool IsDriftedFrom(const RecordedPlace& place, const PageSnapshot& page);

struct Transition {
  const RecordedPlace& from;
  const RecordedPlace& to;
  const PageSnapshot& before;
  const PageSnapshot& after;
};

// Whether the page, at the recorded place, changed exactly in the recorded way, whatever else about
// it had changed before. False when no change of its contents was recorded.
bool IsRecordedChange(const Transition& transition);

}  // namespace topodb::replay
