#pragma once

#include <cstdint>

#include "capture/browser/target_watch.h"
#include "schema/base/result.h"

namespace topodb::capture {

// Hands topodb's scripts of one frame the closed shadow roots of the `count` hosts that the last
// snapshot named (topodb.unopened): page script cannot reach them, the protocol can. True when at
// least one host had one, so that there is more to see. Three round trips.
Result<bool> OpenShadowRoots(const FrameWorld& world, uint32_t count, Millis timeout);

}  // namespace topodb::capture
