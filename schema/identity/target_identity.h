#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/ids.h"

// The identity record "target-v1" (docs/format.md): what replay compares before it acts.
// Enumerator values are on disk: never renumber, only append.
namespace topodb {

enum class IdKind : uint8_t {
  kTestId = 1,  // data-testid, data-test, data-qa, data-cy …: `attribute` says which
  kDomId = 2,
  kControlName = 3,  // `name` of a form control
  kHref = 4,         // path of a link
};

struct IdValue {
  IdKind kind = IdKind::kDomId;
  std::string attribute;
  std::string value;
  uint32_t count = 1;  // nodes in the scope that carry it; > 1 is demoted
  bool operator==(const IdValue&) const = default;
};

struct AncestryStep {
  std::string role;
  std::optional<std::string> name;
  bool operator==(const AncestryStep&) const = default;
};

struct TargetScope {
  std::string origin;         // "@entry" for the entry's own origin
  std::string path_template;  // path with digits and tokens masked
  std::vector<std::string> frame_path, shadow_path;
  std::string top_layer;  // role and name of the open modal; empty when none
  bool operator==(const TargetScope&) const = default;
};

enum class Verification : uint8_t { kVerified = 1, kPositional = 2, kUnverifiable = 3 };

struct TargetControlState {
  bool disabled = false, editable = false;
  std::optional<bool> checked, expanded;
  std::string input_type;
  bool operator==(const TargetControlState&) const = default;
};

struct TargetIdentity {
  TargetScope scope;
  std::vector<IdValue> ids;  // strongest first, demoted ones left out
  std::string role;
  std::string name;        // at most 256 bytes, cut on a code point
  uint64_t name_hash = 0;  // of the whole normalised name
  // Of the whole name with digits masked; 0 when another node of this role in the scope has the
  // same masked name, so that its digits are what tells it apart.
  uint64_t masked_hash = 0;
  std::vector<AncestryStep> ancestry;  // leaf to root, at most 8
  std::optional<std::string> row_key;  // key of the nearest repeated container
  uint32_t sibling = 0;       // index among same-role children of the nearest kept ancestor
  uint32_t region_order = 0;  // rank in its scroll region
  std::string region;
  uint32_t identity_count = 0;  // size of the identity set when recorded
  uint32_t matched_count = 0;   // matches of the recorded locator when recorded
  TargetControlState state;
  Verification verification = Verification::kUnverifiable;
  std::string verification_reason;  // empty when verified
  bool operator==(const TargetIdentity&) const = default;
};

}  // namespace topodb
