#include "capture/locate/resolve.h"

#include <algorithm>
#include <map>
#include <string>

#include "capture/locate/features.h"
#include "schema/base/text.h"

namespace topodb::capture {
namespace {

bool IsInside(const Element& element, const LocatorScope& scope) {
  return std::any_of(element.context.begin(), element.context.end(),
                     [&](const ContextAnchor& anchor) { return ScopeOf(anchor) == scope; });
}

// `wanted` is the descriptor's value, normalised once for all nodes.
bool Matches(const LocatorDescriptor& descriptor, const std::string& wanted,
             const SnapshotNode& node) {
  if (descriptor.strategy == LocatorStrategy::kCss) {
    const auto selectors = CssOf(node);
    return std::find(selectors.begin(), selectors.end(), descriptor.value) != selectors.end();
  }
  if (descriptor.strategy == LocatorStrategy::kRole) {
    // What is not shown has no role in the accessibility tree.
    if (node.element.role != descriptor.role || !node.element.interactability.visible) return false;
  }
  return FeatureOf(node, descriptor.strategy, descriptor.attribute) == wanted;
}

}  // namespace

std::vector<size_t> Resolve(const LocatorDescriptor& descriptor, const PageSnapshot& page) {
  const std::string wanted = descriptor.strategy == LocatorStrategy::kTestId
                                 ? descriptor.value
                                 : NormalizeText(descriptor.value);
  std::vector<size_t> matches;
  std::map<std::vector<std::string>, uint32_t> seen;  // by frame
  for (size_t i = 0; i < page.nodes.size(); ++i) {
    const SnapshotNode& node = page.nodes[i];
    if (!Matches(descriptor, wanted, node)) continue;
    const bool inside =
        std::all_of(descriptor.within.begin(), descriptor.within.end(),
                    [&](const LocatorScope& scope) { return IsInside(node.element, scope); });
    if (!inside) continue;
    const uint32_t position = seen[node.element.frame_path]++;
    if (!descriptor.nth || *descriptor.nth == position) matches.push_back(i);
  }
  return matches;
}

}  // namespace topodb::capture
