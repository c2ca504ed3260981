#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/browser/page_driver.h"
#include "capture/explore/judgement.h"
#include "capture/explore/known_states.h"
#include "capture/explore/refusal.h"

// Driving the page: to a known state by its recorded path, and one action further. Reads what is
// known and changes nothing of it; the results are values.
namespace topodb::capture {

struct Visit {
  // The known states on the way, as seen this time; the last one is the state asked for.
  std::vector<std::pair<size_t, PageSnapshot>> seen;
  std::vector<RequestSeen> requests;  // of the way: the page's own
  std::optional<Refusal> refusal;     // set: the state was not reached
  bool browser_lost = false;          // a clean page cannot be had any more
};

// Resets the page, opens the entry page and replays the recorded path of state `number`, verifying
// the identity of every state on the way.
Visit Reach(PageDriver& driver, const std::string& entry_url, const KnownStates& known,
            size_t number);

struct Attempt {
  Visit visit;
  std::optional<PageSnapshot> after;
  TargetIdentity target;  // of the element acted on
  ActionReport report;
  std::vector<Effect> effects;
  std::optional<Refusal> refusal;  // set: no edge
};

// Reaches the candidate's state, finds its element and performs its action there.
Attempt Try(PageDriver& driver, const std::string& entry_url, const KnownStates& known,
            const Candidate& candidate, const ScopeCheck& in_scope);

}  // namespace topodb::capture
