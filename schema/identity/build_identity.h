#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "schema/identity/target_identity.h"
#include "schema/snapshot.h"

// Writes the identity record "target-v1" (docs/format.md). Pure.
namespace topodb {

inline constexpr size_t kMaxIdentityString = 256;   // UTF-8 bytes, cut on a code point
inline constexpr size_t kMaxAncestry = 8;           // nearest ancestors kept
inline constexpr size_t kMaxIdentityRecord = 4096;  // bytes; too large drops ancestry, root first

// An id that proves nothing: carried by several nodes of its scope, or looking generated, so that
// the next load has another. Neither the identity record nor a locator uses such an id.
bool IsDemoted(const IdValue& id);

// True for values like "radix-:r3:", "ember1042" or "input-3f9a1c77e2": made anew on every load.
bool LooksGenerated(std::string_view id);

// The page's path, and hash route, with the volatile parts of each segment masked; the query left
// out. `url_canonical_key` is PageSnapshot::url_canonical_key.
std::string PathTemplateOfKey(std::string_view url_canonical_key);

// What there is to say about one node: all its ids, demoted ones included, and neither the sizes
// nor the self-check. The one function that the writer, the verifier and the dispatch guard share.
TargetIdentity LocalIdentity(const PageSnapshot& page, const SnapshotNode& node);
TargetIdentity LocalIdentity(const PageSnapshot& page, const SnapshotMark& mark);

// The size of a record as its bound counts it.
size_t RecordSize(const TargetIdentity& identity);

// Action mode. `node` is one of `page.nodes`, known by its `ref`. The record's `verification` is
// the outcome of classifying the record against the page it was written from: kVerified when it
// denotes exactly this node, kPositional when only the position tells it from its twins, else
// kUnverifiable.
TargetIdentity BuildTargetIdentity(const PageSnapshot& page, const SnapshotNode& node);

// Landmark mode: membership is enough, several carriers are fine. nullopt when the mark has
// neither an id nor a name: such a node proves nothing and gets no record.
std::optional<TargetIdentity> BuildLandmarkIdentity(const PageSnapshot& page,
                                                    const SnapshotMark& mark);

}  // namespace topodb
