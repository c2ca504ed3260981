#include "schema/fingerprint.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "schema/base/hash.h"
#include "schema/fingerprint_parts.h"

namespace topodb {
namespace {

using fingerprint::Attribute;

// Beyond these, the texts of a kind are one hash: a feed's headings must not swell the record.
constexpr size_t kMaxTexts = 64;

std::set<std::string, std::less<>> KeysOf(const std::vector<UnstablePart>& parts,
                                          std::string_view kind) {
  std::set<std::string, std::less<>> keys;
  for (const auto& part : parts) {
    if (part.kind == kind) keys.insert(part.key);
  }
  return keys;
}

void AddTexts(std::string_view kind, std::vector<std::string> texts,
              std::vector<IdentityPart>& parts) {
  const size_t kept = std::min(texts.size(), kMaxTexts);
  for (size_t i = 0; i < kept; ++i) parts.push_back({std::string(kind), std::move(texts[i])});
  if (kept == texts.size()) return;
  Canonical rest("rest");
  for (size_t i = kept; i < texts.size(); ++i) rest.Add(texts[i]);
  parts.push_back({std::string(kind), "… " + ToHex(rest.Hash())});
}

bool OrderCounts(const std::vector<UnstablePart>& unstable) {
  return KeysOf(unstable, fingerprint::kOrder).empty();
}

std::string StructureHash(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable) {
  const auto left_out = KeysOf(unstable, fingerprint::kElement);
  std::vector<IdBytes> entries;
  entries.reserve(snapshot.nodes.size());
  for (const auto& node : snapshot.nodes) {
    if (!left_out.empty() && left_out.contains(ComputeAnchorKey(node.element).ToString())) continue;
    entries.push_back(fingerprint::StructureEntry(node));
  }
  if (!OrderCounts(unstable)) std::sort(entries.begin(), entries.end());
  Canonical canonical("structure");
  for (const auto& entry : entries) canonical.AddId(entry);
  return ToHex(canonical.Hash());
}

// Exactly what can be acted on: the third content hash.
std::string ActionableSignature(const PageSnapshot& snapshot) {
  Canonical canonical("actionable");
  for (const auto& node : snapshot.nodes) {
    const Element& element = node.element;
    canonical.Add(element.tag).Add(element.role.value_or(""));
    canonical.Add(element.accessible_name.value_or("")).Add(Attribute(element, "type"));
    canonical.Add(Attribute(element, "href"));
    canonical.AddNumber(element.interactability.enabled ? 1 : 0);
  }
  return ToHex(canonical.Hash());
}

std::vector<std::string> FrameContext(const PageSnapshot& snapshot) {
  std::vector<std::string> context;
  for (const auto& frame : snapshot.frames) {
    if (!frame.path.empty()) context.push_back(fmt::format("{}", fmt::join(frame.path, " > ")));
  }
  return context;
}

std::string CountByKind(const std::vector<UnstablePart>& parts) {
  std::map<std::string, size_t> counts;
  for (const auto& part : parts) ++counts[part.kind];
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  return text;
}

std::vector<Evidence> StateEvidence(const State& state) {
  std::vector<Evidence> evidence{
      {EvidenceLevel::kObserved, "browser", "one observation of the settled page"},
      {EvidenceLevel::kDerived, std::string(kNormalizationRuleVersion),
       fmt::format("id from {} identity parts", state.identity_parts.size())}};
  if (!state.unstable_parts.empty()) {
    evidence.push_back({EvidenceLevel::kDerived, "unstable-node",
                        "differed between two observations: " + CountByKind(state.unstable_parts)});
  }
  return evidence;
}

bool IsOutside(const Rect& box, const Viewport& viewport) {
  return box.x + box.width <= 0 || box.y + box.height <= 0 || box.x >= viewport.width ||
         box.y >= viewport.height;
}

Evidence NameEvidence(NameSource source) {
  switch (source) {
    case NameSource::kBrowser:
      return {EvidenceLevel::kObserved, "browser", "role and name"};
    case NameSource::kAccessibilityTree:
      return {EvidenceLevel::kObserved, "accessibility-tree", "role and name"};
    case NameSource::kInPage:
      return {EvidenceLevel::kDerived, "in-page", "role and name"};
    case NameSource::kImported:
      break;
  }
  return {EvidenceLevel::kExternal, "import", "role and name"};
}

void AddEvidence(Evidence evidence, std::vector<Evidence>& list) {
  if (std::find(list.begin(), list.end(), evidence) == list.end()) {
    list.push_back(std::move(evidence));
  }
}

void AddElementEvidence(const Viewport& viewport, Element& element) {
  AddEvidence({EvidenceLevel::kObserved, "dom", "captured in the page"}, element.evidence);
  AddEvidence(NameEvidence(element.name_source), element.evidence);
  if (element.interactability.receives_events && IsOutside(element.bbox, viewport)) {
    AddEvidence({EvidenceLevel::kHeuristic, "viewport", "outside it, not hit-tested"},
                element.evidence);
  }
  if (element.unstable) {
    AddEvidence({EvidenceLevel::kDerived, "unstable-node", "differed between two observations"},
                element.evidence);
  }
}

}  // namespace

std::vector<IdentityPart> ComputeIdentityParts(const PageSnapshot& snapshot,
                                               const std::vector<UnstablePart>& unstable) {
  std::vector<IdentityPart> parts{{"url", snapshot.url_canonical_key}};
  for (const std::string_view kind : fingerprint::kTextKinds) {
    const auto left_out = KeysOf(unstable, kind);
    std::vector<std::string> texts = fingerprint::IdentityTexts(snapshot, kind);
    std::erase_if(texts, [&](const std::string& text) { return left_out.contains(text); });
    if (!OrderCounts(unstable)) std::sort(texts.begin(), texts.end());
    AddTexts(kind, std::move(texts), parts);
  }
  parts.push_back({"structure", StructureHash(snapshot, unstable)});
  return parts;
}

bool SameTemplate(const PageSnapshot& first, const PageSnapshot& second) {
  return first.url_canonical_key == second.url_canonical_key &&
         fingerprint::IdentityTexts(first, fingerprint::kModal) ==
             fingerprint::IdentityTexts(second, fingerprint::kModal) &&
         first.template_hash == second.template_hash;
}

State BuildState(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable) {
  State state;
  state.url = snapshot.url;
  state.route = snapshot.route;
  state.url_canonical_key = snapshot.url_canonical_key;
  state.title = snapshot.title;
  state.language = snapshot.language;
  state.viewport = snapshot.viewport;
  state.frame_context = FrameContext(snapshot);
  state.modal_stack = snapshot.modal_stack;
  state.dom_hash = snapshot.dom_hash;
  state.visible_text_hash = snapshot.visible_text_hash;
  state.actionable_signature_hash = ActionableSignature(snapshot);
  state.template_key = snapshot.template_hash;
  state.form_state_hash = snapshot.form_state_hash;
  state.http_status = snapshot.http_status;
  state.unstable_parts = unstable;
  std::sort(state.unstable_parts.begin(), state.unstable_parts.end());
  state.identity_parts = ComputeIdentityParts(snapshot, unstable);
  state.id = ComputeStateId(state.identity_parts);

  Canonical whole("state-hash");
  whole.Add(state.url_canonical_key).Add(state.dom_hash).Add(state.visible_text_hash);
  whole.Add(state.actionable_signature_hash);
  for (const auto& modal : state.modal_stack) whole.Add(modal);
  state.state_hash = ToHex(whole.Hash());
  state.evidence = StateEvidence(state);
  return state;
}

std::vector<Element> BuildElements(const PageSnapshot& snapshot, const State& state) {
  auto unstable = KeysOf(state.unstable_parts, fingerprint::kElement);
  unstable.merge(KeysOf(state.unstable_parts, fingerprint::kContent));
  std::map<AnchorKey, uint32_t> ordinals;
  std::vector<Element> elements;
  elements.reserve(snapshot.nodes.size());
  for (const auto& node : snapshot.nodes) {
    Element element = node.element;
    element.state_id = state.id;
    element.anchor_key = ComputeAnchorKey(element);
    element.id = ComputeElementId(state.id, element, ordinals[element.anchor_key]++);
    for (auto& locator : element.locators) {
      locator.id = ComputeLocatorId(element.id, locator.expression);
    }
    element.unstable = unstable.contains(element.anchor_key.ToString());
    AddElementEvidence(snapshot.viewport, element);
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace topodb
