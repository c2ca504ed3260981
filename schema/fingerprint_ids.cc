#include <algorithm>

#include "schema/base/hash.h"
#include "schema/fingerprint.h"
#include "schema/fingerprint_parts.h"
#include "schema/names.h"

// The id recipes that need no page: each hashes exactly the parts that docs/format.md lists.
namespace topodb {
namespace {

using fingerprint::AddPath;

template <class Tag>
void AddOptional(const std::optional<Id<Tag>>& id, Canonical& canonical) {
  if (id) {
    canonical.AddId(id->bytes);
  } else {
    canonical.AddAbsent();
  }
}

void AddAttempt(const std::optional<StateId>& state, const std::optional<ElementId>& element,
                const std::optional<ActionType>& type, Canonical& canonical) {
  AddOptional(state, canonical);
  AddOptional(element, canonical);
  if (type) {
    canonical.Add(ToString(*type));
  } else {
    canonical.AddAbsent();
  }
}

}  // namespace

StateId ComputeStateId(const std::vector<IdentityPart>& parts) {
  Canonical canonical("state");
  for (const auto& part : parts) canonical.Add(part.kind).Add(part.value);
  return {canonical.Hash()};
}

ElementId ComputeElementId(const StateId& state, const Element& element, uint32_t ordinal) {
  Canonical canonical("element");
  canonical.AddId(state.bytes);
  AddPath(element.frame_path, canonical);
  AddPath(element.shadow_path, canonical);
  canonical.AddId(element.anchor_key.bytes).AddNumber(ordinal);
  return {canonical.Hash()};
}

LocatorId ComputeLocatorId(const ElementId& element, std::string_view expression) {
  return {Canonical("locator").AddId(element.bytes).Add(expression).Hash()};
}

EdgeId ComputeEdgeId(const StateId& from, const ElementId& element, ActionType type,
                     const std::vector<NameValue>& params) {
  Canonical canonical("edge");
  canonical.AddId(from.bytes).AddId(element.bytes).Add(ToString(type));
  std::vector<NameValue> sorted = params;
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [name, value] : sorted) canonical.Add(name).Add(value);
  return {canonical.Hash()};
}

SkipId ComputeSkipId(const StateId& state, const ElementId& element, ActionType type,
                     std::string_view reason) {
  Canonical canonical("skip");
  canonical.AddId(state.bytes).AddId(element.bytes).Add(ToString(type)).Add(reason);
  return {canonical.Hash()};
}

FailureId ComputeFailureId(const std::optional<StateId>& state,
                           const std::optional<ElementId>& element,
                           const std::optional<ActionType>& type, FailureReason reason) {
  Canonical canonical("failure");
  AddAttempt(state, element, type, canonical);
  canonical.Add(ToString(reason));
  return {canonical.Hash()};
}

ObservationId ComputeObservationId(const std::optional<StateId>& state,
                                   const std::optional<ElementId>& element,
                                   const std::optional<ActionType>& type,
                                   std::string_view profile) {
  Canonical canonical("observation");
  AddAttempt(state, element, type, canonical);
  canonical.Add(profile);
  return {canonical.Hash()};
}

LandmarkId ComputeLandmarkId(const StateId& state, const Landmark& landmark, uint32_t ordinal) {
  Canonical canonical("landmark");
  canonical.AddId(state.bytes).Add(landmark.role);
  if (landmark.name) {
    canonical.Add(*landmark.name);
  } else {
    canonical.AddAbsent();
  }
  AddPath(landmark.identity.scope.frame_path, canonical);
  AddPath(landmark.identity.scope.shadow_path, canonical);
  canonical.AddNumber(ordinal);
  return {canonical.Hash()};
}

InputFingerprint ComputeInputFingerprint(std::string_view input_seed, RunMode mode,
                                         std::string_view risk_policy_version,
                                         std::string_view policy_hash,
                                         std::string_view normalization_version,
                                         std::string_view locator_scoring_version) {
  Canonical canonical("input");
  canonical.Add(input_seed).Add(ToString(mode)).Add(risk_policy_version).Add(policy_hash);
  canonical.Add(normalization_version).Add(locator_scoring_version);
  return {canonical.Hash()};
}

}  // namespace topodb
