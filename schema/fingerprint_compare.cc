#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "schema/base/hash.h"
#include "schema/fingerprint.h"
#include "schema/fingerprint_parts.h"

// The comparison of two observations of one state. After it, identity parts of both computed with
// the result are equal wherever their canonical URL is.
namespace topodb {
namespace {

using Entry = std::pair<AnchorKey, IdBytes>;  // an element's anchor and structure entry

// What only one of two sorted lists has, counting repetitions.
template <class T>
std::vector<T> Leftover(const std::vector<T>& from, const std::vector<T>& other) {
  std::vector<T> left;
  std::set_difference(from.begin(), from.end(), other.begin(), other.end(),
                      std::back_inserter(left));
  return left;
}

void CompareTexts(const PageSnapshot& first, const PageSnapshot& second, std::string_view kind,
                  std::set<UnstablePart>& parts) {
  auto before = fingerprint::IdentityTexts(first, kind);
  auto after = fingerprint::IdentityTexts(second, kind);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  for (auto& text : Leftover(before, after)) parts.insert({std::string(kind), std::move(text)});
  for (auto& text : Leftover(after, before)) parts.insert({std::string(kind), std::move(text)});
}

// Everything that diff compares of an element beside what its anchor and entry say.
IdBytes ExactContent(const Element& element) {
  Canonical canonical("content");
  for (const auto* text :
       {&element.accessible_name, &element.text, &element.label, &element.placeholder}) {
    if (*text) {
      canonical.Add(**text);
    } else {
      canonical.AddAbsent();
    }
  }
  for (const auto& [name, value] : element.attributes) canonical.Add(name).Add(value);
  if (element.parameter_surface) {
    for (const auto& option : element.parameter_surface->options) {
      canonical.Add(option.label).Add(option.value);
    }
  }
  return canonical.Hash();
}

struct Inventory {
  std::vector<Entry> entries;                          // sorted
  std::map<AnchorKey, std::vector<IdBytes>> contents;  // document order
};

Inventory TakeInventory(const PageSnapshot& snapshot) {
  Inventory inventory;
  for (const auto& node : snapshot.nodes) {
    const AnchorKey anchor = ComputeAnchorKey(node.element);
    inventory.entries.emplace_back(anchor, fingerprint::StructureEntry(node));
    inventory.contents[anchor].push_back(ExactContent(node.element));
  }
  std::sort(inventory.entries.begin(), inventory.entries.end());
  return inventory;
}

std::vector<IdBytes> StructureOf(const std::vector<Entry>& entries,
                                 const std::set<AnchorKey>& left_out) {
  std::vector<IdBytes> structure;
  for (const auto& [anchor, entry] : entries) {
    if (!left_out.contains(anchor)) structure.push_back(entry);
  }
  std::sort(structure.begin(), structure.end());
  return structure;
}

// The anchors to leave out of identity. An entry that merely went to another anchor (a counter in a
// name) balances itself; leaving an anchor out can unbalance another, hence the rounds.
std::set<AnchorKey> UnbalancedAnchors(const std::vector<Entry>& before,
                                      const std::vector<Entry>& after) {
  constexpr int kRounds = 8;
  std::set<AnchorKey> left_out;
  for (int round = 0; round < kRounds; ++round) {
    const auto first = StructureOf(before, left_out);
    const auto second = StructureOf(after, left_out);
    auto unbalanced = Leftover(first, second);
    const auto others = Leftover(second, first);
    unbalanced.insert(unbalanced.end(), others.begin(), others.end());
    if (unbalanced.empty()) return left_out;
    const std::set<IdBytes> entries(unbalanced.begin(), unbalanced.end());
    for (const auto* list : {&before, &after}) {
      const auto& rest = list == &before ? after : before;
      for (const auto& [anchor, entry] : Leftover(*list, rest)) {
        if (entries.contains(entry)) left_out.insert(anchor);
      }
    }
  }
  for (const auto& [anchor, entry] : Leftover(before, after)) left_out.insert(anchor);
  for (const auto& [anchor, entry] : Leftover(after, before)) left_out.insert(anchor);
  return left_out;
}

void CompareElements(const PageSnapshot& first, const PageSnapshot& second,
                     std::set<UnstablePart>& parts) {
  const Inventory before = TakeInventory(first);
  const Inventory after = TakeInventory(second);
  const std::set<AnchorKey> left_out = UnbalancedAnchors(before.entries, after.entries);
  for (const AnchorKey& anchor : left_out) {
    parts.insert({std::string(fingerprint::kElement), anchor.ToString()});
  }
  const auto add_changed = [&](const Inventory& from, const Inventory& other) {
    for (const auto& [anchor, contents] : from.contents) {
      const auto match = other.contents.find(anchor);
      const bool same = match != other.contents.end() && match->second == contents;
      if (same || left_out.contains(anchor)) continue;
      parts.insert({std::string(fingerprint::kContent), anchor.ToString()});
    }
  };
  add_changed(before, after);
  add_changed(after, before);
}

}  // namespace

std::vector<UnstablePart> CompareObservations(const PageSnapshot& first,
                                              const PageSnapshot& second) {
  std::set<UnstablePart> parts;
  for (const std::string_view kind : fingerprint::kTextKinds) {
    CompareTexts(first, second, kind, parts);
  }
  CompareElements(first, second, parts);

  const auto compare = [&](const std::string& before, const std::string& after,
                           std::string_view kind) {
    if (before != after) parts.insert({std::string(kind), {}});
  };
  compare(first.title, second.title, fingerprint::kTitle);
  compare(first.visible_text_hash, second.visible_text_hash, fingerprint::kText);
  compare(first.dom_hash, second.dom_hash, fingerprint::kDom);
  compare(first.form_state_hash, second.form_state_hash, fingerprint::kForm);
  compare(first.template_hash, second.template_hash, fingerprint::kTemplate);

  // The same parts in another order: identity then takes them as a set.
  std::vector<UnstablePart> sorted(parts.begin(), parts.end());
  auto before = ComputeIdentityParts(first, sorted);
  auto after = ComputeIdentityParts(second, sorted);
  before.front() = after.front();  // the URL, which is never left out
  if (before != after) {
    parts.insert({std::string(fingerprint::kOrder), {}});
    sorted.assign(parts.begin(), parts.end());
  }
  return sorted;
}

}  // namespace topodb
