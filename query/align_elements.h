#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "schema/model.h"

// Which elements of one state of two runs are the same one.
namespace topodb::query {

struct ElementPair {
  const Element* before = nullptr;
  const Element* after = nullptr;
  // Absent: the same anchor, or a test id, DOM id or link target that only they have.
  std::optional<double> similarity;
};

struct ElementAlignment {
  std::vector<ElementPair> pairs;
  std::vector<const Element*> removed, added;
};

using Elements = std::vector<const Element*>;

// One of the two states: the elements to be aligned, in document order, and all it has.
struct ElementsOfState {
  Elements differing, all;
};

// Elements of `unstable` anchors are left out. An element is aligned by what is its own only where
// no other of `all` has it, and by similarity only where it stands out among them.
ElementAlignment AlignElements(const ElementsOfState& before, const ElementsOfState& after,
                               const std::unordered_set<AnchorKey>& unstable);

// What contains the element, as far as it keeps elements apart, without the element's own name.
std::string ContainerOf(const Element& element);

}  // namespace topodb::query
