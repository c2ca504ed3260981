#include "query/replay/binding.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capture/locate/locator_builder.h"
#include "capture/locate/resolve.h"
#include "schema/identity/build_identity.h"

namespace topodb::replay {
namespace {

// The edge's own locator first, then the verified ones in stored order.
std::vector<const Locator*> LocatorsOf(const ActionEdge& edge, const Element& element) {
  std::vector<const Locator*> locators;
  for (const auto& locator : element.locators) {
    if (edge.locator_id == locator.id) locators.insert(locators.begin(), &locator);
    if (edge.locator_id != locator.id && locator.verified) locators.push_back(&locator);
  }
  if (locators.empty() && !element.locators.empty()) locators.push_back(&element.locators.front());
  return locators;
}

NodeSummary Summarise(const TargetIdentity& identity) {
  NodeSummary summary{
      .role = identity.role, .name = identity.name, .row_key = identity.row_key, .ids = {}};
  for (const auto& id : identity.ids) {
    std::string kind = id.attribute;
    if (kind.empty()) kind = std::string(id.kind == IdKind::kHref ? "href" : "id");
    summary.ids.push_back(fmt::format("{}={}", kind, id.value));
  }
  return summary;
}

std::string BasisOf(const TargetIdentity& recorded, const TargetIdentity& candidate) {
  const bool id =
      !recorded.ids.empty() &&
      std::any_of(candidate.ids.begin(), candidate.ids.end(), [&](const IdValue& other) {
        return other.kind == recorded.ids.front().kind &&
               other.attribute == recorded.ids.front().attribute &&
               other.value == recorded.ids.front().value;
      });
  if (id) return "id";
  if (candidate.name_hash != recorded.name_hash) return "other";
  return candidate.role == recorded.role ? "role-name" : "name";
}

std::string MessageOf(const Classification& classification, const TargetIdentity& recorded) {
  const std::string target = fmt::format("{} \"{}\"", recorded.role, recorded.name);
  switch (classification.kind) {
    case BindingKind::kSelectorMiss:
      return fmt::format("nothing on the page matches {}", target);
    case BindingKind::kIdentityMismatch:
      if (classification.cause == "moved") {
        return fmt::format("{} is not where its locator points", target);
      }
      return fmt::format("what the locator finds is not the recorded {}", target);
    case BindingKind::kIdentityUnverifiable:
      return fmt::format("{} cannot be told apart from others", target);
    case BindingKind::kScopeMismatch:
      return fmt::format("the page is not the one on which {} was recorded", target);
    case BindingKind::kPositional:
      return fmt::format("only its position tells {} from its twins", target);
    case BindingKind::kVerified:
    case BindingKind::kUnverified:
      break;
  }
  return fmt::format("nothing was recorded by which {} could be verified", target);
}

std::string HintOf(BindingKind kind) {
  switch (kind) {
    case BindingKind::kPositional:
      return "allow it with --allow-positional";
    case BindingKind::kSelectorMiss:
    case BindingKind::kIdentityMismatch:
      return "look at the page, then capture the site again";
    default:
      return "";
  }
}

RepairHint RepairHintOf(const Classification& classification) {
  switch (classification.kind) {
    case BindingKind::kIdentityMismatch:
      return RepairHint::kCaution;
    case BindingKind::kSelectorMiss:
      return classification.container_present ? RepairHint::kRecordAndHeal
                                              : RepairHint::kStateRepair;
    case BindingKind::kScopeMismatch:
      return RepairHint::kStateRepair;
    case BindingKind::kVerified:
    case BindingKind::kPositional:
    case BindingKind::kUnverified:
    case BindingKind::kIdentityUnverifiable:
      break;
  }
  return RepairHint::kManual;
}

}  // namespace

Binding BindTarget(const ActionEdge& edge, const Element& element, const PageSnapshot& page,
                   ActionClass action) {
  Binding binding;
  std::vector<size_t> matches;
  for (const Locator* locator : LocatorsOf(edge, element)) {
    matches = capture::Resolve(locator->descriptor, page);
    if (binding.locator.empty() || !matches.empty()) binding.locator = locator->expression;
    if (!matches.empty()) break;
  }
  binding.classification = Classify(edge.target, page, matches, action);
  return binding;
}

std::optional<Mismatch> IdOfAnother(const ActionEdge& edge, const std::vector<Element>& recorded,
                                    const SnapshotNode& live) {
  for (const auto& id : live.identity.ids) {
    const bool authored = id.kind == IdKind::kTestId || id.kind == IdKind::kDomId;
    if (!authored || IsDemoted(id)) continue;
    const NameValue attribute{id.kind == IdKind::kDomId ? "id" : id.attribute, id.value};
    const auto carries = [&](const Element& element) {
      return element.frame_path == live.element.frame_path &&
             element.shadow_path == live.element.shadow_path &&
             std::ranges::find(element.attributes, attribute) != element.attributes.end();
    };
    const auto owner = std::ranges::find_if(recorded, carries);
    if (owner == recorded.end() || owner->id == edge.element_id) continue;
    if (std::ranges::count_if(recorded, carries) > 1) continue;
    return Mismatch{"id:" + attribute.first, "none", id.value};
  }
  return std::nullopt;
}

Divergence DescribeBinding(const ActionEdge& edge, const Binding& binding,
                           const PageSnapshot& page) {
  const Classification& classification = binding.classification;
  Divergence divergence;
  // A positional target that may not be acted on is one that cannot be verified.
  const BindingKind kind = classification.kind == BindingKind::kPositional
                               ? BindingKind::kIdentityUnverifiable
                               : classification.kind;
  divergence.kind = std::string(ToString(kind));
  divergence.cause = {classification.cause.empty() ? divergence.kind : classification.cause,
                      MessageOf(classification, edge.target), HintOf(classification.kind)};
  divergence.screen_available = true;
  divergence.screen_refs = ScreenRefs(page);
  TargetBinding target{.classification = kind,
                       .match_count = classification.match_count,
                       .recorded = Summarise(edge.target),
                       .observed = std::nullopt,
                       .mismatches = classification.mismatches,
                       .candidates = {}};
  if (classification.observed) {
    target.observed = Summarise(LocalIdentity(page, page.nodes[*classification.observed]));
  }
  for (const size_t node : classification.candidates) {
    const TargetIdentity candidate = LocalIdentity(page, page.nodes[node]);
    target.candidates.push_back(Summarise(candidate));
    const auto locators = capture::BuildLocators(page, page.nodes[node], Timestamp{});
    if (!locators.empty() && divergence.suggestions.size() < kMaxSuggestions) {
      divergence.suggestions.push_back(
          {locators.front().expression, BasisOf(edge.target, candidate)});
    }
  }
  divergence.binding = std::move(target);
  divergence.repair_hint = RepairHintOf(classification);
  return divergence;
}

std::vector<std::string> ScreenRefs(const PageSnapshot& page) {
  std::vector<std::string> refs;
  const auto add = [&](const std::string& role, const std::string& name) {
    if (refs.size() < kMaxScreenRefs) refs.push_back(fmt::format("{} \"{}\"", role, name));
  };
  for (const auto& mark : page.marks) {
    if (mark.name) add(mark.role, *mark.name);
  }
  for (const auto& node : page.nodes) {
    if (!node.element.interactability.visible) continue;
    add(node.element.role.value_or(node.element.tag), node.element.accessible_name.value_or(""));
  }
  return refs;
}

}  // namespace topodb::replay
