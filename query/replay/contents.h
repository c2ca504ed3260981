#pragma once

#include <string>
#include <vector>

#include "schema/model.h"
#include "schema/snapshot.h"

// What is at a place, whatever its order and structure: its texts that identify it, and its
// controls. Tells whether a page that had drifted changed in the recorded way. Pure.
namespace topodb::replay {

struct Part {
  std::string kind;   // modal | heading | status | invalid | element
  std::string key;    // masked text; of an element: its anchor key
  std::string flags;  // of an element: what of it shows
  auto operator<=>(const Part&) const = default;
};

// Sorted; equal parts as often as they are there.
using Contents = std::vector<Part>;

Contents ContentsOf(const State& state, const std::vector<Element>& elements);
Contents ContentsOf(const PageSnapshot& page);
// Without the parts that are known to differ from one load to the next.
Contents Stable(Contents contents, const std::vector<UnstablePart>& unstable);

struct Change {
  Contents appeared, vanished;
  bool operator==(const Change&) const = default;
  bool empty() const { return appeared.empty() && vanished.empty(); }
};

Change ChangeBetween(const Contents& before, const Contents& after);

// More than half of `recorded` is there.
bool MostlyThere(const Contents& recorded, const Contents& live);

}  // namespace topodb::replay
