#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/base/hash.h"
#include "schema/base/ids.h"
#include "schema/snapshot.h"

// What identity is read from, shared by the recipes and by the comparison of two observations.
// Internal to schema/fingerprint*.cc.
namespace topodb::fingerprint {

// Kinds of UnstablePart. The first group is left out of a state's identity.
inline constexpr std::string_view kModal = "modal", kHeading = "heading", kStatus = "status",
                                  kInvalid = "invalid", kElement = "element", kOrder = "order";
// Differences that identity does not see, for diff and replay.
inline constexpr std::string_view kContent = "content", kTitle = "title", kText = "text",
                                  kDom = "dom", kForm = "form", kTemplate = "template";

// Kinds that are lists of texts, in the order in which they stand among the identity parts.
inline constexpr std::string_view kTextKinds[] = {kModal, kHeading, kStatus, kInvalid};

// The masked texts of one of these kinds, in document order.
std::vector<std::string> IdentityTexts(const PageSnapshot& snapshot, std::string_view kind);

// One actionable node as a state's identity sees it: masked, without position and form state.
IdBytes StructureEntry(const SnapshotNode& node);

// A frame or shadow path as ids hold it: its length, then each step with volatile text masked.
void AddPath(const std::vector<std::string>& path, Canonical& canonical);

// The value of `attribute`; empty when it has none.
std::string_view Attribute(const Element& element, std::string_view attribute);

// Path and route of a link's href, without origin, query and plain fragment.
std::string HrefPath(std::string_view href);

}  // namespace topodb::fingerprint
