#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"
#include "schema/snapshot.h"

// Pure: snapshot -> ids and records, by the recipes of docs/format.md ("topodb-1").
namespace topodb {

inline constexpr std::string_view kNormalizationRuleVersion = "topodb-normalization-1";

// Masks what changes between two loads of an unchanged page: clock times, dates, relative times,
// uuids, long hex and digit-bearing tokens. Plain digits stay.
std::string MaskVolatile(std::string_view text);
// MaskVolatile, and every run of digits becomes '#'.
std::string MaskDigits(std::string_view text);

// Position- and state-independent identity of an element: role, name (masked), control type and
// the keys of its containers; test id, DOM id, control name, placeholder or href path only where
// it has no name.
AnchorKey ComputeAnchorKey(const Element& element);

// What a state's id is made of: canonical URL key, modal stack, masked headings, status/alert/
// invalid texts, and the hash of the actionable structure; parts listed in `unstable` left out.
std::vector<IdentityPart> ComputeIdentityParts(const PageSnapshot& snapshot,
                                               const std::vector<UnstablePart>& unstable);
StateId ComputeStateId(const std::vector<IdentityPart>& parts);

// The parts that differ between two observations of one state, sorted.
std::vector<UnstablePart> CompareObservations(const PageSnapshot& first,
                                              const PageSnapshot& second);

// Whether a heading, status or alert with this name is one of the unstable parts.
bool IsUnstableMark(std::string_view role, std::string_view name,
                    const std::vector<UnstablePart>& unstable);

// Same canonical URL, modal stack and template: two observations of one state that may differ in
// volatile parts only.
bool SameTemplate(const PageSnapshot& first, const PageSnapshot& second);

// The state record without lifecycle, opener and time; `unstable` sorted.
State BuildState(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable);

// The snapshot's elements with anchor keys, ids, state id and the `unstable` flag set; locators as
// they stand in the snapshot get their element's ids. Same order as snapshot.nodes.
std::vector<Element> BuildElements(const PageSnapshot& snapshot, const State& state);

// `ordinal` among the state's elements with this anchor key, in document order. Reads the element's
// anchor key, frame path and shadow path.
ElementId ComputeElementId(const StateId& state, const Element& element, uint32_t ordinal);
LocatorId ComputeLocatorId(const ElementId& element, std::string_view expression);
EdgeId ComputeEdgeId(const StateId& from, const ElementId& element, ActionType type,
                     const std::vector<NameValue>& params);
SkipId ComputeSkipId(const StateId& state, const ElementId& element, ActionType type,
                     std::string_view reason);
FailureId ComputeFailureId(const std::optional<StateId>& state,
                           const std::optional<ElementId>& element,
                           const std::optional<ActionType>& type, FailureReason reason);
ObservationId ComputeObservationId(const std::optional<StateId>& state,
                                   const std::optional<ElementId>& element,
                                   const std::optional<ActionType>& type, std::string_view profile);
// `ordinal` among the state's landmarks of equal role, name, frame and shadow path.
LandmarkId ComputeLandmarkId(const StateId& state, const Landmark& landmark, uint32_t ordinal);

// Two runs are comparable exactly when these are equal. `input_seed` is the unredacted one.
InputFingerprint ComputeInputFingerprint(std::string_view input_seed, RunMode mode,
                                         std::string_view risk_policy_version,
                                         std::string_view policy_hash,
                                         std::string_view normalization_version,
                                         std::string_view locator_scoring_version);

}  // namespace topodb
