#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/identity/target_identity.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Decides whether a page still holds the recorded target, and which node it is. Pure.
namespace topodb {

// What an action does to the site; the more it may change, the more its target must prove.
enum class ActionClass : uint8_t { kRead, kReveal, kMutation };

// read_only and navigation read, ui_reveal reveals; everything else counts as a mutation.
ActionClass ActionClassOf(RiskCategory category);

// The verification paths of docs/format.md, in the order in which they are tried.
enum class BindingPath : uint8_t {
  kNoRecord,              // 0: nothing was recorded about the target
  kRecordedUnverifiable,  // 1: the record itself says that it proves nothing
  kScope,                 // S: another page, frame or top layer
  kNothingMatched,        // 2: the locator matches nothing
  kNoCarrier,             // 3: the locator matches, nothing carries the identity
  kIdCollision,           // 3c: an id that was unique is now carried by several
  kSame,                  // 4: the one carrier is what the locator found
  kElsewhere,             // 5: the one carrier is another node
  kSeveral,               // 6: several carriers, told apart by row, then by position
};

enum class BindingKind : uint8_t {
  kVerified,
  kPositional,  // told from its twins by position alone
  kUnverified,  // no record: no statement possible
  kSelectorMiss,
  kIdentityMismatch,
  kIdentityUnverifiable,
  kScopeMismatch,
};

// "identity-mismatch" …, as reports print it.
std::string_view ToString(BindingKind kind);

// One field in which the page contradicts the record.
struct Mismatch {
  std::string field;  // name | role | rowKey | ancestry[N] | id:<attribute> | framePath | …
  std::string recorded, observed;
  bool operator==(const Mismatch&) const = default;
};

inline constexpr size_t kMaxMismatches = 5;
inline constexpr size_t kMaxCandidates = 5;

struct Classification {
  BindingPath path = BindingPath::kNoRecord;
  BindingKind kind = BindingKind::kUnverified;
  // The finer cause inside a kind: label-drift, row-gone, row-key-twice, id-collision, new-twin,
  // …; may be
  // empty.
  std::string cause;
  std::optional<size_t> winner;      // node to act on; only with kVerified and kPositional
  std::optional<size_t> observed;    // node that stands where the target was looked for
  std::vector<Mismatch> mismatches;  // of `observed`; only the first ancestry difference
  std::vector<size_t> candidates;    // likely targets, best first
  uint32_t match_count = 0;          // nodes that the locator matches in the recorded frame
  uint32_t identity_count = 0;       // nodes that carry the identity
  bool digits_drifted = false;       // verified, but the digits of the name differ
  bool container_present = false;    // some node still has the whole recorded ancestry

  bool may_act() const { return winner.has_value(); }
};

// False when nothing at all was recorded, as in imports of other tools' graphs.
bool HasRecord(const TargetIdentity& recorded);

// `matches`: indices into `now.nodes` that the recorded locator matches now, in document order and
// over all frames. Position never verifies a mutation; whether a positional winner may be acted on
// is the caller's decision.
Classification Classify(const TargetIdentity& recorded, const PageSnapshot& now,
                        const std::vector<size_t>& matches, ActionClass action);

struct LandmarkMatch {
  bool found = false;
  uint32_t carriers = 0;
  std::vector<Mismatch> mismatches;  // of the closest mark, when none carries the identity
};

// Landmark mode: whether any mark of the recorded frame carries id and role, or role and name,
// under the recorded ancestry.
LandmarkMatch ClassifyLandmark(const TargetIdentity& recorded, const PageSnapshot& now);

}  // namespace topodb
