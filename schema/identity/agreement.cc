#include "schema/identity/agreement.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "schema/base/hash.h"
#include "schema/base/text.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb {
namespace {

constexpr std::array<std::string_view, 8> kLandmarkRoles = {
    "banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"};
constexpr std::array<std::string_view, 2> kDialogRoles = {"dialog", "alertdialog"};
constexpr std::array<std::string_view, 4> kRowRoles = {"row", "listitem", "article", "treeitem"};
constexpr std::array<std::string_view, 2> kCellRoles = {"cell", "gridcell"};

template <size_t N>
bool IsOneOf(std::string_view role, const std::array<std::string_view, N>& roles) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

template <size_t N>
const AncestryStep* Nearest(const TargetIdentity& identity,
                            const std::array<std::string_view, N>& roles) {
  for (const auto& step : identity.ancestry) {
    if (IsOneOf(step.role, roles)) return &step;
  }
  return nullptr;
}

std::string Describe(const AncestryStep* step) {
  if (step == nullptr) return "none";
  if (!step->name) return step->role;
  return fmt::format("{} \"{}\"", step->role, *step->name);
}

std::string MaskedName(const AncestryStep& step) { return MaskVolatile(step.name.value_or("")); }

bool SameStep(const AncestryStep* recorded, const AncestryStep* observed) {
  if (recorded == nullptr || observed == nullptr) return recorded == observed;
  return recorded->role == observed->role && MaskedName(*recorded) == MaskedName(*observed);
}

// A row key names the row better than the row's whole content, which changes with its other cells.
bool NameCounts(const AncestryStep& step, const TargetIdentity& recorded) {
  const bool repeated = IsOneOf(step.role, kRowRoles) || IsOneOf(step.role, kCellRoles);
  return !recorded.row_key || !repeated;
}

// The containers whose change blocks even a target that has an id of its own.
template <size_t N>
bool ContainerChanged(const TargetIdentity& recorded, const TargetIdentity& observed,
                      const std::array<std::string_view, N>& roles) {
  const AncestryStep* before = Nearest(recorded, roles);
  // A chain cut at its bound says nothing about what lies further out.
  if (before == nullptr && recorded.ancestry.size() == kMaxAncestry) return false;
  const AncestryStep* after = Nearest(observed, roles);
  if (after == nullptr && observed.ancestry.size() == kMaxAncestry) return false;
  return !SameStep(before, after);
}

bool KeptContainers(const TargetIdentity& recorded, const TargetIdentity& observed) {
  if (ContainerChanged(recorded, observed, kLandmarkRoles)) return false;
  if (ContainerChanged(recorded, observed, kDialogRoles)) return false;
  // Without a row key on either side the row's own name is all that tells two rows apart.
  const bool keyed = recorded.row_key || observed.row_key;
  return keyed || !ContainerChanged(recorded, observed, kRowRoles);
}

const IdValue* FindId(const TargetIdentity& identity, const IdValue& wanted) {
  const auto found = std::find_if(identity.ids.begin(), identity.ids.end(), [&](const IdValue& id) {
    return id.kind == wanted.kind && id.attribute == wanted.attribute;
  });
  return found == identity.ids.end() ? nullptr : &*found;
}

void CompareScope(const TargetScope& recorded, const TargetScope& observed, Agreement& agreement) {
  const auto compare = [&](std::string_view field, const std::vector<std::string>& before,
                           const std::vector<std::string>& after) {
    if (before == after) return true;
    agreement.mismatches.push_back({std::string(field), fmt::format("{}", fmt::join(before, " > ")),
                                    fmt::format("{}", fmt::join(after, " > "))});
    return false;
  };
  const bool frame = compare("framePath", recorded.frame_path, observed.frame_path);
  agreement.scope = compare("shadowPath", recorded.shadow_path, observed.shadow_path) && frame;
}

void CompareIds(const TargetIdentity& recorded, const TargetIdentity& observed,
                Agreement& agreement) {
  agreement.ids = true;
  for (size_t i = 0; i < recorded.ids.size(); ++i) {
    const IdValue& wanted = recorded.ids[i];
    const IdValue* found = FindId(observed, wanted);
    const bool equal = found != nullptr && found->value == wanted.value;
    if (i == 0) agreement.carries_id = equal;
    if (equal) continue;
    agreement.mismatches.push_back(
        {FieldOf(wanted), wanted.value, found == nullptr ? "none" : found->value});
    // A weaker id may come and go, but a link that leads elsewhere is another link.
    if (i == 0 || wanted.kind == IdKind::kHref) agreement.ids = false;
  }
}

void CompareName(const TargetIdentity& recorded, const TargetIdentity& observed,
                 Agreement& agreement) {
  if (recorded.name_hash == observed.name_hash) {
    agreement.name = NameAgreement::kEqual;
    return;
  }
  const bool digits = recorded.masked_hash != 0 && recorded.masked_hash == observed.masked_hash;
  agreement.name = digits ? NameAgreement::kDigitsDiffer : NameAgreement::kDifferent;
  agreement.mismatches.push_back({"name", recorded.name, observed.name});
}

void CompareContext(const TargetIdentity& recorded, const TargetIdentity& observed,
                    Agreement& agreement) {
  agreement.row = recorded.row_key == observed.row_key;
  if (!agreement.row) {
    agreement.mismatches.push_back(
        {"rowKey", recorded.row_key.value_or("none"), observed.row_key.value_or("none")});
  }
  auto difference = FirstAncestryDifference(recorded, observed);
  const bool containers = KeptContainers(recorded, observed);
  agreement.ancestry = containers && (!difference || !recorded.ids.empty());
  if (!difference && !containers) {
    difference = Mismatch{"ancestry", Describe(Nearest(recorded, kLandmarkRoles)),
                          Describe(Nearest(observed, kLandmarkRoles))};
  }
  if (difference) agreement.mismatches.push_back(*std::move(difference));
}

}  // namespace

std::string FieldOf(const IdValue& id) {
  if (!id.attribute.empty()) return "id:" + id.attribute;
  switch (id.kind) {
    case IdKind::kTestId:
      return "id:test-id";
    case IdKind::kDomId:
      return "id:id";
    case IdKind::kControlName:
      return "id:name";
    case IdKind::kHref:
      return "id:href";
  }
  return "id";
}

std::string BoundText(std::string_view normalized) {
  if (normalized.size() <= kMaxIdentityString) return std::string(normalized);
  const std::string suffix = fmt::format("~{:016x}", HashBytes64(normalized));
  return std::string(TruncateUtf8(normalized, kMaxIdentityString - suffix.size())) + suffix;
}

std::string TopLayerOf(const PageSnapshot& page) {
  return page.modal_stack.empty() ? "" : BoundText(NormalizeText(page.modal_stack.back()));
}

std::optional<Mismatch> FirstAncestryDifference(const TargetIdentity& recorded,
                                                const TargetIdentity& observed) {
  for (size_t i = 0; i < recorded.ancestry.size(); ++i) {
    const AncestryStep& before = recorded.ancestry[i];
    const AncestryStep* after = i < observed.ancestry.size() ? &observed.ancestry[i] : nullptr;
    const bool same = NameCounts(before, recorded) ? SameStep(&before, after)
                                                   : after != nullptr && after->role == before.role;
    if (!same) return Mismatch{fmt::format("ancestry[{}]", i), Describe(&before), Describe(after)};
  }
  return std::nullopt;
}

Agreement Compare(const TargetIdentity& recorded, const TargetIdentity& observed) {
  Agreement agreement;
  CompareScope(recorded.scope, observed.scope, agreement);
  CompareIds(recorded, observed, agreement);
  agreement.role = recorded.role == observed.role;
  if (!agreement.role) agreement.mismatches.push_back({"role", recorded.role, observed.role});
  CompareName(recorded, observed, agreement);
  CompareContext(recorded, observed, agreement);
  if (agreement.mismatches.size() > kMaxMismatches) agreement.mismatches.resize(kMaxMismatches);
  return agreement;
}

bool InRecordedFrame(const TargetIdentity& recorded, const std::vector<std::string>& frame_path) {
  return std::equal(recorded.scope.frame_path.begin(), recorded.scope.frame_path.end(),
                    frame_path.begin(), frame_path.end(),
                    [](const std::string& before, const std::string& now) {
                      return before == BoundText(NormalizeText(now));
                    });
}

bool InRecordedScope(const TargetIdentity& recorded, const Element& element) {
  return InRecordedFrame(recorded, element.frame_path) &&
         std::equal(recorded.scope.shadow_path.begin(), recorded.scope.shadow_path.end(),
                    element.shadow_path.begin(), element.shadow_path.end(),
                    [](const std::string& before, const std::string& now) {
                      return before == BoundText(NormalizeText(now));
                    });
}

bool HasDigitTwin(const TargetIdentity& identity, const PageSnapshot& page, size_t self) {
  if (identity.masked_hash == identity.name_hash) return false;  // nothing in it can be masked
  for (size_t i = 0; i < page.nodes.size(); ++i) {
    const SnapshotNode& node = page.nodes[i];
    if (i == self || node.element.role.value_or("") != identity.role) continue;
    if (!InRecordedScope(identity, node.element)) continue;
    if (LocalIdentity(page, node).masked_hash == identity.masked_hash) return true;
  }
  return false;
}

}  // namespace topodb
