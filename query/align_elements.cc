#include "query/align_elements.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "query/compare.h"
#include "query/similarity.h"
#include "schema/base/hash.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::query {
namespace {

// More comparisons than this are not made: what is left then is removed and added.
constexpr size_t kMaxComparisons = 400'000;

// An author's id of the element; nullopt for one that is made anew on every load.
std::optional<std::string> IdOf(const Element& element, std::string_view attribute) {
  const std::string_view value = AttributeOf(element, attribute);
  if (value.empty() || LooksGenerated(value)) return std::nullopt;
  return std::string(value);
}

std::optional<std::string> LinkOf(const Element& element) {
  const std::string_view href = AttributeOf(element, "href");
  if (href.empty()) return std::nullopt;
  return std::string(href) + '\n' + ContainerOf(element);
}

// Elements by a key that is theirs alone.
template <class KeyOf>
std::map<std::string, const Element*> UniqueBy(const Elements& elements, const KeyOf& key_of) {
  std::map<std::string, const Element*> unique;
  for (const Element* element : elements) {
    auto key = key_of(*element);
    if (!key) continue;
    const auto [known, added] = unique.emplace(*std::move(key), element);
    if (!added) known->second = nullptr;
  }
  return unique;
}

// Matches elements of one anchor. Of unequal numbers, equal ones find each other first.
void AlignEqualAnchors(const Elements& before, const Elements& after, ElementAlignment& alignment) {
  size_t i = 0, j = 0;
  while (i < before.size() && j < after.size()) {
    const size_t left_before = before.size() - i;
    const size_t left_after = after.size() - j;
    const bool same = left_before == left_after || SameContent(*before[i], *after[j]);
    if (same) {
      alignment.pairs.push_back({before[i++], after[j++], std::nullopt});
    } else if (left_before > left_after) {
      alignment.removed.push_back(before[i++]);
    } else {
      alignment.added.push_back(after[j++]);
    }
  }
  for (; i < before.size(); ++i) alignment.removed.push_back(before[i]);
  for (; j < after.size(); ++j) alignment.added.push_back(after[j]);
}

// Finds the removed and added elements that are one element by a key unique in both states.
template <class KeyOf>
void AlignLeftovers(const Elements& all_before, const Elements& all_after, const KeyOf& key_of,
                    ElementAlignment& alignment) {
  if (alignment.removed.empty() || alignment.added.empty()) return;
  const auto before = UniqueBy(all_before, key_of);
  const auto after = UniqueBy(all_after, key_of);
  std::erase_if(alignment.removed, [&](const Element* removed) {
    const auto key = key_of(*removed);
    if (!key || before.at(*key) != removed) return false;
    const auto match = after.find(*key);
    if (match == after.end() || match->second == nullptr) return false;
    const auto added = std::find(alignment.added.begin(), alignment.added.end(), match->second);
    if (added == alignment.added.end()) return false;
    alignment.pairs.push_back({removed, *added, std::nullopt});
    alignment.added.erase(added);
    return true;
  });
}

Elements WithoutUnstable(const Elements& elements, const std::unordered_set<AnchorKey>& unstable) {
  Elements stable;
  for (const Element* element : elements) {
    if (!element->unstable && !unstable.contains(element->anchor_key)) stable.push_back(element);
  }
  return stable;
}

// Pairs what is left by similarity, each element with the one that stands out in the other state.
class SimilarityMatcher {
 public:
  SimilarityMatcher(const ElementsOfState& before, const ElementsOfState& after)
      : before_(before), after_(after) {}

  void Match(ElementAlignment& alignment) {
    const size_t comparisons =
        alignment.removed.size() * after_.all.size() + alignment.added.size() * before_.all.size();
    if (alignment.removed.empty() || alignment.added.empty() || comparisons > kMaxComparisons) {
      return;
    }
    std::unordered_map<const Element*, const Element*> best_for_added;
    for (const Element* added : alignment.added) {
      best_for_added[added] = StandingOut(*added, before_.all);
    }
    std::erase_if(alignment.removed, [&](const Element* removed) {
      const Element* added = StandingOut(*removed, after_.all);
      const auto mutual = best_for_added.find(added);
      if (mutual == best_for_added.end() || mutual->second != removed) return false;
      alignment.pairs.push_back({removed, added, SimilarityOf(*removed, *added)});
      std::erase(alignment.added, added);
      return true;
    });
  }

 private:
  const Traits& TraitsOf(const Element& element) {
    const auto found = traits_.find(&element);
    if (found != traits_.end()) return found->second;
    return traits_.emplace(&element, Traits(element)).first->second;
  }

  double SimilarityOf(const Element& a, const Element& b) {
    return Traits::Similarity(TraitsOf(a), TraitsOf(b));
  }

  // The element of the other state that is alike enough, and clearly more than any other; or null.
  const Element* StandingOut(const Element& element, const Elements& candidates) {
    const Element* best = nullptr;
    double most = 0, second = 0;
    for (const Element* candidate : candidates) {
      const double similarity = SimilarityOf(element, *candidate);
      if (similarity > most) {
        second = std::exchange(most, similarity);
        best = candidate;
      } else {
        second = std::max(second, similarity);
      }
    }
    return most >= kLeastSimilarity && most - second >= kLeastSimilarityMargin ? best : nullptr;
  }

  const ElementsOfState& before_;
  const ElementsOfState& after_;
  std::unordered_map<const Element*, Traits> traits_;
};

}  // namespace

ElementAlignment AlignElements(const ElementsOfState& all_before, const ElementsOfState& all_after,
                               const std::unordered_set<AnchorKey>& unstable) {
  const ElementsOfState before = {WithoutUnstable(all_before.differing, unstable),
                                  WithoutUnstable(all_before.all, unstable)};
  const ElementsOfState after = {WithoutUnstable(all_after.differing, unstable),
                                 WithoutUnstable(all_after.all, unstable)};
  std::unordered_map<AnchorKey, Elements> before_by_anchor, after_by_anchor;
  for (const Element* element : before.differing) {
    before_by_anchor[element->anchor_key].push_back(element);
  }
  for (const Element* element : after.differing) {
    after_by_anchor[element->anchor_key].push_back(element);
  }
  ElementAlignment alignment;
  std::unordered_set<AnchorKey> done;
  for (const Element* element : before.differing) {
    const AnchorKey& anchor = element->anchor_key;
    if (!done.insert(anchor).second) continue;
    AlignEqualAnchors(before_by_anchor[anchor], after_by_anchor[anchor], alignment);
  }
  for (const Element* element : after.differing) {
    if (!done.contains(element->anchor_key)) alignment.added.push_back(element);
  }
  for (const std::string_view attribute : kTestIdAttributes) {
    AlignLeftovers(
        before.all, after.all, [&](const Element& e) { return IdOf(e, attribute); }, alignment);
  }
  AlignLeftovers(
      before.all, after.all, [](const Element& e) { return IdOf(e, "id"); }, alignment);
  AlignLeftovers(before.all, after.all, LinkOf, alignment);
  SimilarityMatcher(before, after).Match(alignment);
  return alignment;
}

std::string ContainerOf(const Element& element) {
  Canonical canonical("container");
  for (const std::string& step : element.frame_path) canonical.Add(step);
  canonical.Add("/");
  for (const std::string& step : element.shadow_path) canonical.Add(step);
  for (const ContextAnchor& anchor : element.context) {
    if (anchor.kind == ContextKind::kSection) continue;  // its text is content
    const bool repeated = anchor.kind == ContextKind::kRow || anchor.kind == ContextKind::kListItem;
    // The name of a row is its content, which the element is part of.
    const std::optional<std::string>& name = repeated ? anchor.key : anchor.name;
    if (!name || name->empty() || name == element.accessible_name) continue;
    canonical.Add(anchor.role).AddNumber(static_cast<uint64_t>(anchor.kind));
    canonical.Add(MaskVolatile(*name));
  }
  return ToHex(canonical.Hash());
}

}  // namespace topodb::query
