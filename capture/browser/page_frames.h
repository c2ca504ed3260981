#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/target_watch.h"
#include "schema/base/result.h"

// Which frames a page has, across processes, and where they stand.
namespace topodb::capture {

struct PageFrame {
  std::string id;
  std::string url;
  std::optional<size_t> parent;  // index into the list; absent for the main frame, which is [0]
  // Its place among its parent's child frames, in creation order; absent when frames of other
  // processes are among them.
  std::optional<uint32_t> child;
  std::optional<uint32_t> owner;  // set by FindOwner: which of topodb.owners in the parent holds it
};

// Breadth first, so that a frame's parent always stands before it; frames whose parent is unknown
// are left out. One round trip.
Result<std::vector<PageFrame>> ListFrames(cdp::Session& page, const TargetWatch& watch,
                                          Millis timeout);

// Finds the element that the frame is in, and holds it in the parent's world; returns where it
// stands as JSON (see placeOf in act.js). Works for frames of other processes and in shadow trees.
// kProtocol when the element is gone. Three round trips.
Result<std::string> FindOwner(PageFrame& frame, const PageFrame& parent, const TargetWatch& watch,
                              Millis timeout);

}  // namespace topodb::capture
