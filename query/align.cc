#include "query/align.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "query/compare.h"
#include "schema/base/hash.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::query {
namespace {

// ---- states ------------------------------------------------------------------------------------

using Modals = std::vector<std::string>;
using Page = std::pair<std::string, Modals>;  // canonical URL and open dialogs

Page PageOf(const State& state) { return {state.url_canonical_key, state.modal_stack}; }

// What opened a state; the state it was opened from as the `before` run calls it.
using Opening = std::tuple<Page, StateId, AnchorKey, ActionType>;

class StateAligner {
 public:
  StateAligner(const GraphIndex& before, const GraphIndex& after)
      : before_(before), after_(after) {}

  Alignment<State> Align() {
    AlignByKey([](const State& state) { return std::optional(state.id); });
    while (AlignByOpening()) {
    }
    AlignByKey([](const State& state) {
      return std::optional(std::pair(PageOf(state), state.template_key));
    });
    AlignOnlyPages();
    while (AlignByOpening()) {
    }
    return Take();
  }

 private:
  static const std::vector<State>& StatesOf(const GraphIndex& index) {
    return index.graph().states;
  }

  bool IsOpen(const State& state, const GraphIndex& index) const {
    return &index == &before_ ? !to_after_.contains(state.id) : !to_before_.contains(state.id);
  }

  void Match(const State& before, const State& after) {
    to_after_.emplace(before.id, &after);
    to_before_.emplace(after.id, &before);
  }

  // States still open by a key; null where several have it.
  template <class KeyOf>
  auto OpenByKey(const GraphIndex& index, const KeyOf& key_of) const {
    using Key = typename std::invoke_result_t<KeyOf, const State&>::value_type;
    std::map<Key, const State*> states;
    for (const State& state : StatesOf(index)) {
      if (!IsOpen(state, index)) continue;
      if (auto key = key_of(state)) {
        const auto [known, added] = states.emplace(*std::move(key), &state);
        if (!added) known->second = nullptr;
      }
    }
    return states;
  }

  // Matches open states whose key is unique on both sides; whether there were any.
  template <class KeyBefore, class KeyAfter>
  bool AlignByKeys(const KeyBefore& key_before, const KeyAfter& key_after) {
    const auto before = OpenByKey(before_, key_before);
    const auto after = OpenByKey(after_, key_after);
    bool matched = false;
    for (const auto& [key, state] : before) {
      const auto other = after.find(key);
      if (state == nullptr || other == after.end() || other->second == nullptr) continue;
      Match(*state, *other->second);
      matched = true;
    }
    return matched;
  }

  template <class KeyOf>
  bool AlignByKey(const KeyOf& key_of) {
    return AlignByKeys(key_of, key_of);
  }

  bool AlignByOpening() {
    return AlignByKeys([this](const State& state) { return OpeningOf(state, before_); },
                       [this](const State& state) { return OpeningOf(state, after_); });
  }

  std::optional<Opening> OpeningOf(const State& state, const GraphIndex& index) const {
    const ActionEdge* edge =
        state.opened_by_edge_id ? index.Find(*state.opened_by_edge_id) : nullptr;
    if (edge == nullptr) {
      const bool is_entry = &state == &StatesOf(index).front();
      return is_entry ? std::optional(Opening{PageOf(state), {}, {}, {}}) : std::nullopt;
    }
    const Element* element = index.Find(edge->element_id);
    if (element == nullptr) return std::nullopt;
    StateId from = edge->from_state_id;
    if (&index == &after_) {
      const auto same = to_before_.find(from);
      if (same == to_before_.end()) return std::nullopt;
      from = same->second->id;
    } else if (!to_after_.contains(from)) {
      return std::nullopt;
    }
    return Opening{PageOf(state), from, element->anchor_key, edge->action_type};
  }

  // Pages of which each run has exactly one state, whatever it looks like.
  void AlignOnlyPages() {
    std::map<Page, int> times_before, times_after;
    for (const State& state : StatesOf(before_)) ++times_before[PageOf(state)];
    for (const State& state : StatesOf(after_)) ++times_after[PageOf(state)];
    AlignByKey([&](const State& state) {
      const Page page = PageOf(state);
      const bool only = times_before[page] == 1 && times_after[page] == 1;
      return only ? std::optional(page) : std::nullopt;
    });
  }

  Alignment<State> Take() const {
    Alignment<State> alignment;
    for (const State& state : StatesOf(before_)) {
      const auto found = to_after_.find(state.id);
      if (found == to_after_.end()) {
        alignment.removed.push_back(&state);
      } else {
        alignment.pairs.push_back({&state, found->second});
      }
    }
    for (const State& state : StatesOf(after_)) {
      if (!to_before_.contains(state.id)) alignment.added.push_back(&state);
    }
    return alignment;
  }

  const GraphIndex& before_;
  const GraphIndex& after_;
  std::unordered_map<StateId, const State*> to_after_, to_before_;
};

// ---- elements ----------------------------------------------------------------------------------

using Elements = std::vector<const Element*>;

constexpr std::array<std::string_view, 6> kIdAttributes = {
    "data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "id"};

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
      alignment.pairs.push_back({{before[i++], after[j++]}, Likeness::kSameAnchor});
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
    const bool same_place = ContainerOf(*removed) == ContainerOf(**added);
    alignment.pairs.push_back(
        {{removed, *added}, same_place ? Likeness::kSameIdSamePlace : Likeness::kSameIdElsewhere});
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

}  // namespace

Alignment<State> AlignStates(const GraphIndex& before, const GraphIndex& after) {
  return StateAligner(before, after).Align();
}

ElementAlignment AlignElements(const Elements& all_before, const Elements& all_after,
                               const std::unordered_set<AnchorKey>& unstable) {
  const Elements before = WithoutUnstable(all_before, unstable);
  const Elements after = WithoutUnstable(all_after, unstable);
  std::unordered_map<AnchorKey, Elements> after_by_anchor;
  for (const Element* element : after) after_by_anchor[element->anchor_key].push_back(element);
  std::unordered_map<AnchorKey, Elements> before_by_anchor;
  for (const Element* element : before) before_by_anchor[element->anchor_key].push_back(element);

  ElementAlignment alignment;
  std::unordered_set<AnchorKey> done;
  for (const Element* element : before) {
    const AnchorKey& anchor = element->anchor_key;
    if (!done.insert(anchor).second) continue;
    AlignEqualAnchors(before_by_anchor[anchor], after_by_anchor[anchor], alignment);
  }
  for (const Element* element : after) {
    if (!done.contains(element->anchor_key)) alignment.added.push_back(element);
  }
  for (const std::string_view attribute : kIdAttributes) {
    AlignLeftovers(
        before, after, [&](const Element& e) { return IdOf(e, attribute); }, alignment);
  }
  AlignLeftovers(before, after, LinkOf, alignment);
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
