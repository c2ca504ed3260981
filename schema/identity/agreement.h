#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/identity/classify.h"
#include "schema/identity/target_identity.h"
#include "schema/snapshot.h"

// How far one node agrees with a record, field by field. Internal to schema/identity.
namespace topodb {

enum class NameAgreement : uint8_t {
  kEqual,
  kDigitsDiffer,  // equal once digits are masked, and the record allows for it
  kDifferent,
};

struct Agreement {
  bool carries_id = false;  // the strongest recorded id; false when none was recorded
  bool scope = false;       // the same frame and shadow tree
  bool role = false;
  bool ids = false;  // nothing about the ids blocks acting
  NameAgreement name = NameAgreement::kDifferent;
  bool ancestry = false;  // nothing about the ancestry blocks acting
  bool row = false;
  // Reported even where it does not block; at most kMaxMismatches, strongest field first.
  std::vector<Mismatch> mismatches;

  bool EqualButForName() const { return scope && role && ids && ancestry && row; }
};

Agreement Compare(const TargetIdentity& recorded, const TargetIdentity& observed);

// The first place, leaf to root, where `observed` is not a continuation of `recorded`.
std::optional<Mismatch> FirstAncestryDifference(const TargetIdentity& recorded,
                                                const TargetIdentity& observed);

// Whether `node` lies in the recorded frame and shadow tree.
bool InRecordedFrame(const TargetIdentity& recorded, const std::vector<std::string>& frame_path);
bool InRecordedScope(const TargetIdentity& recorded, const Element& element);

// Cuts to kMaxIdentityString bytes; what is cut keeps a hash of the whole, so that two long texts
// with one beginning stay different.
std::string BoundText(std::string_view normalized);

// How mismatches call an id: "id:data-testid", "id:href".
std::string FieldOf(const IdValue& id);

// Role and name of the open modal as records keep it; empty when none is open.
std::string TopLayerOf(const PageSnapshot& page);

// Another node of this role in the record's scope has the same name once digits are masked: then
// the digits are what tells them apart.
bool HasDigitTwin(const TargetIdentity& identity, const PageSnapshot& page, size_t self);

}  // namespace topodb
