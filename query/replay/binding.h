#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/replay/report.h"
#include "schema/identity/classify.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// The recorded target against a live page: which node it is, or why none. Pure.
namespace topodb::replay {

struct Binding {
  Classification classification;
  std::string locator;  // expression of the one that matched; of the recorded one if none did
};

// Tries the edge's own locator; when that matches nothing, the element's other ones, best first:
// who is found makes no difference to safety, the identity decides.
Binding BindTarget(const ActionEdge& edge, const Element& element, const PageSnapshot& page,
                   ActionClass action);

// The author's id by which `live` was another element of the same state when it was recorded: names
// may be exchanged under them. Nullopt: none.
std::optional<Mismatch> IdOfAnother(const ActionEdge& edge, const std::vector<Element>& recorded,
                                    const SnapshotNode& live);

// The divergence of a binding that may not be acted on.
Divergence DescribeBinding(const ActionEdge& edge, const Binding& binding,
                           const PageSnapshot& page);

// `role "name"` of what is on the page, at most kMaxScreenRefs.
std::vector<std::string> ScreenRefs(const PageSnapshot& page);

}  // namespace topodb::replay
