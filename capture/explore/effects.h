#pragma once

#include <optional>
#include <vector>

#include "capture/browser/page_driver.h"
#include "schema/model.h"
#include "schema/snapshot.h"

namespace topodb::capture {

struct EffectInput {
  const PageSnapshot& before;
  const PageSnapshot* after = nullptr;  // null: the page could not be looked at afterwards
  const Element& acted;
  const ActionReport& report;
};

// What an action changed: differences of the two snapshots, then what happened on the page, in the
// order of EffectType and sorted inside one type. Focus that merely moved to the acted element is
// no effect. Requests that the tool's own scrolling caused are left out. Pure.
std::vector<Effect> ObserveEffects(const EffectInput& input);

// The requests that were stopped, as effects.
std::vector<Effect> BlockedRequestEffects(const std::vector<RequestSeen>& requests);

}  // namespace topodb::capture
