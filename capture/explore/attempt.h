#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/browser/page_driver.h"
#include "capture/explore/judgement.h"
#include "capture/explore/known_states.h"
#include "capture/explore/refusal.h"

// Driving the page: to a known state by its recorded path, and one action further. What is known is
// read from a value of its own, so that many pages can be driven at once; the results are values.
namespace topodb::capture {

// The way to a known state, as it is known at one moment.
struct Route {
  struct Stop {
    size_t number = 0;  // index into KnownStates
    std::shared_ptr<const KnownState> state;
  };
  std::vector<Stop> stops;      // the entry first, the state asked for last
  std::vector<PathStep> steps;  // between them: one fewer
};
Route RouteTo(const KnownStates& known, size_t number);

struct Visit {
  // The known states on the way, as seen this time; the last one is the state asked for.
  std::vector<std::pair<size_t, PageSnapshot>> seen;
  std::vector<RequestSeen> requests;  // of the way: the page's own
  std::optional<Refusal> refusal;     // set: the state was not reached
  bool browser_lost = false;          // a clean page cannot be had any more
};

// Resets the page, opens the entry page and goes the way, verifying the identity of every state on
// it.
Visit Reach(PageDriver& driver, const std::string& entry_url, const Route& route);

struct Attempt {
  Visit visit;
  std::optional<PageSnapshot> after;
  // The action left its page as it was and opened a window: `after` is what stands there.
  Landing landing = Landing::kPage;
  PageEvents window_load;  // of the window's page, by itself
  TargetIdentity target;   // of the element acted on
  ActionReport report;
  std::vector<Effect> effects;
  std::optional<Refusal> refusal;  // set: no edge
};

// Goes the way to the candidate's state, finds its element and performs its action there.
Attempt Try(PageDriver& driver, const std::string& entry_url, const Route& route,
            const Candidate& candidate, const ScopeCheck& in_scope);

// Whether the attempt would have gone the same way by what is known now.
bool StillHolds(const Attempt& attempt, const Route& route, const Candidate& candidate,
                const KnownStates& known);

}  // namespace topodb::capture
