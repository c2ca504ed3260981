#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "query/run_graph.h"
#include "schema/model.h"

// Which records of two runs are the same thing.
namespace topodb::query {

template <class Record>
struct Pair {
  const Record* before = nullptr;
  const Record* after = nullptr;
};

template <class Record>
struct Alignment {
  std::vector<Pair<Record>> pairs;     // in the order of `before`
  std::vector<const Record*> removed;  // only before, in order
  std::vector<const Record*> added;    // only after, in order
};

// By id; by canonical URL, open dialogs and opening edge; by canonical URL, dialogs and template
// where that is unique among what is left, or where each run has one state of that URL and dialogs.
Alignment<State> AlignStates(const GraphIndex& before, const GraphIndex& after);

enum class Likeness : uint8_t {
  kSameAnchor,
  kSameIdSamePlace,  // test id, DOM id or link target agree, in the same container
  kSameIdElsewhere,  // test id or DOM id agree
};

struct ElementPair : Pair<Element> {
  Likeness likeness = Likeness::kSameAnchor;
};

struct ElementAlignment {
  std::vector<ElementPair> pairs;
  std::vector<const Element*> removed, added;
};

// Elements of one aligned state; those of `unstable` anchors are left out.
ElementAlignment AlignElements(const std::vector<const Element*>& before,
                               const std::vector<const Element*>& after,
                               const std::unordered_set<AnchorKey>& unstable);

// What contains the element, as far as it keeps elements apart, without the element's own name.
std::string ContainerOf(const Element& element);

}  // namespace topodb::query
