#include "query/replay/contents.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "schema/fingerprint.h"

namespace topodb::replay {
namespace {

constexpr std::string_view kElement = "element";

std::string_view AttributeOf(const Element& element, std::string_view wanted) {
  for (const auto& [name, value] : element.attributes) {
    if (name == wanted) return value;
  }
  return {};
}

Part PartOf(const Element& element, const AnchorKey& anchor) {
  return {std::string(kElement), anchor.ToString(),
          fmt::format("{}{} {} {} {}", element.interactability.visible ? 'v' : '-',
                      element.interactability.enabled ? 'e' : '-',
                      AttributeOf(element, "aria-expanded"), AttributeOf(element, "aria-pressed"),
                      AttributeOf(element, "aria-current"))};
}

// The URL is compared on its own, the structure as elements.
void AddTexts(const std::vector<IdentityPart>& parts, Contents& contents) {
  for (const auto& part : parts) {
    if (part.kind == "url" || part.kind == "structure") continue;
    contents.push_back({part.kind, part.value, ""});
  }
}

Contents Minus(const Contents& from, const Contents& other) {
  Contents rest;
  std::ranges::set_difference(from, other, std::back_inserter(rest));
  return rest;
}

}  // namespace

Contents ContentsOf(const State& state, const std::vector<Element>& elements) {
  Contents contents;
  AddTexts(state.identity_parts, contents);
  for (const auto& element : elements) contents.push_back(PartOf(element, element.anchor_key));
  std::ranges::sort(contents);
  return contents;
}

Contents ContentsOf(const PageSnapshot& page) {
  Contents contents;
  AddTexts(ComputeIdentityParts(page, {}), contents);
  for (const auto& node : page.nodes) {
    contents.push_back(PartOf(node.element, ComputeAnchorKey(node.element)));
  }
  std::ranges::sort(contents);
  return contents;
}

Contents Stable(Contents contents, const std::vector<UnstablePart>& unstable) {
  std::erase_if(contents, [&](const Part& part) {
    return std::ranges::any_of(unstable, [&](const UnstablePart& other) {
      return other.kind == part.kind && other.key == part.key;
    });
  });
  return contents;
}

Change ChangeBetween(const Contents& before, const Contents& after) {
  return {.appeared = Minus(after, before), .vanished = Minus(before, after)};
}

bool MostlyThere(const Contents& recorded, const Contents& live) {
  return Minus(recorded, live).size() * 2 < recorded.size();
}

}  // namespace topodb::replay
