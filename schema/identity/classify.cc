#include "schema/identity/classify.h"

#include <algorithm>
#include <utility>

#include "schema/base/hash.h"
#include "schema/base/text.h"
#include "schema/identity/agreement.h"
#include "schema/identity/build_identity.h"

namespace topodb {
namespace {

struct Carrier {
  size_t node = 0;
  bool digits_drifted = false;
};

bool Contains(const std::vector<size_t>& nodes, size_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::string_view DisplayedName(const Element& element) {
  if (element.accessible_name && !element.accessible_name->empty()) return *element.accessible_name;
  return element.text ? std::string_view(*element.text) : std::string_view();
}

bool CarriesRaw(const IdentityFacts& facts, const IdValue& wanted, uint32_t& count) {
  for (const auto& id : facts.ids) {
    if (id.kind != wanted.kind || id.attribute != wanted.attribute) continue;
    if (BoundText(id.value) != wanted.value) continue;
    count = id.count;
    return true;
  }
  return false;
}

// One classification: the record, the page, and what was found so far.
class Classifier {
 public:
  Classifier(const TargetIdentity& recorded, const PageSnapshot& now, ActionClass action)
      : recorded_(recorded), now_(now), action_(action) {}

  Classification Run(const std::vector<size_t>& matches);

 private:
  Classification Finish(BindingPath path, BindingKind kind, std::string cause);
  std::optional<Mismatch> ScopeDifference() const;
  bool FrameIsThere() const;
  // An id that was unique when recorded is now carried by several nodes of the scope.
  std::optional<Mismatch> IdCollision() const;
  // Cheap: rules out most nodes before their whole identity is computed.
  bool MayCarry(const SnapshotNode& node) const;
  void FindCarriers();
  void KeepVisible();
  // What a reader of a refusal wants to know: likely targets, and whether the container is there.
  void Explain();
  void FindCandidates();
  void Observe(size_t node);
  std::string CauseOfNoCarrier();
  Classification Several();
  // Something else that the locator matches, beside the one carrier, is what was recorded in all
  // but the id, and there was no such thing then: either may be what the id was given to.
  bool HasNewTwin() const;
  // The one carrier at the recorded position; nullopt when position does not tell either.
  std::optional<size_t> AtRecordedPosition() const;

  const TargetIdentity& recorded_;
  const PageSnapshot& now_;
  const ActionClass action_;
  std::vector<size_t> matches_;
  std::vector<Carrier> carriers_;
  Classification result_;
};

Classification Classifier::Finish(BindingPath path, BindingKind kind, std::string cause) {
  result_.path = path;
  result_.kind = kind;
  result_.cause = std::move(cause);
  if (!result_.winner && path > BindingPath::kRecordedUnverifiable) Explain();
  return std::move(result_);
}

bool Classifier::FrameIsThere() const {
  if (recorded_.scope.frame_path.empty()) return true;
  return std::any_of(now_.frames.begin(), now_.frames.end(), [&](const SnapshotFrame& frame) {
    return frame.accessible && InRecordedFrame(recorded_, frame.path);
  });
}

std::optional<Mismatch> Classifier::ScopeDifference() const {
  const TargetScope& scope = recorded_.scope;
  const std::string origin = BoundText(NormalizeText(now_.origin));
  if (scope.origin != origin) return Mismatch{"origin", scope.origin, origin};
  const std::string path = PathTemplateOfKey(now_.url_canonical_key);
  if (scope.path_template != path) return Mismatch{"pathTemplate", scope.path_template, path};
  const std::string top = TopLayerOf(now_);
  if (scope.top_layer != top) return Mismatch{"topLayer", scope.top_layer, top};
  if (!FrameIsThere()) return Mismatch{"framePath", scope.frame_path.back(), "none"};
  return std::nullopt;
}

std::optional<Mismatch> Classifier::IdCollision() const {
  for (const auto& id : recorded_.ids) {
    // Two links to one place are common and lead to the same state; name and place tell them apart.
    if (id.kind == IdKind::kHref) continue;
    uint32_t carriers = 0;
    for (const auto& node : now_.nodes) {
      uint32_t count = 0;
      if (!InRecordedScope(recorded_, node.element)) continue;
      if (!CarriesRaw(node.identity, id, count)) continue;
      carriers = std::max(carriers + 1, count);
    }
    if (carriers > 1) {
      return Mismatch{FieldOf(id), id.value, "carried by " + std::to_string(carriers)};
    }
  }
  return std::nullopt;
}

bool Classifier::MayCarry(const SnapshotNode& node) const {
  if (node.element.role.value_or("") != recorded_.role) return false;
  if (!InRecordedScope(recorded_, node.element)) return false;
  if (recorded_.ids.empty()) {
    return HashBytes64(NormalizeText(DisplayedName(node.element))) == recorded_.name_hash;
  }
  uint32_t count = 0;
  return CarriesRaw(node.identity, recorded_.ids.front(), count);
}

void Classifier::FindCarriers() {
  for (size_t i = 0; i < now_.nodes.size(); ++i) {
    if (!MayCarry(now_.nodes[i])) continue;
    const TargetIdentity observed = LocalIdentity(now_, now_.nodes[i]);
    const Agreement agreement = Compare(recorded_, observed);
    if (!agreement.EqualButForName()) continue;
    if (agreement.name == NameAgreement::kEqual) {
      carriers_.push_back({i, false});
    } else if (agreement.name == NameAgreement::kDigitsDiffer && agreement.carries_id &&
               action_ != ActionClass::kMutation && !HasDigitTwin(observed, now_, i)) {
      carriers_.push_back({i, true});
    }
  }
  KeepVisible();
  result_.identity_count = static_cast<uint32_t>(carriers_.size());
}

// A page may keep hidden copies (a menu for narrow screens); whoever acted saw the visible one.
void Classifier::KeepVisible() {
  const auto visible = [&](const Carrier& carrier) {
    return now_.nodes[carrier.node].element.interactability.visible;
  };
  if (std::none_of(carriers_.begin(), carriers_.end(), visible)) return;
  std::erase_if(carriers_, [&](const Carrier& carrier) { return !visible(carrier); });
}

// Best first: carriers, then nodes with the recorded id, then nodes of the same role and name, then
// what the locator found.
void Classifier::FindCandidates() {
  const auto add = [&](size_t node) {
    if (result_.candidates.size() < kMaxCandidates && !Contains(result_.candidates, node)) {
      result_.candidates.push_back(node);
    }
  };
  for (const auto& carrier : carriers_) add(carrier.node);
  if (!recorded_.ids.empty()) {
    for (size_t i = 0; i < now_.nodes.size(); ++i) {
      uint32_t count = 0;
      if (CarriesRaw(now_.nodes[i].identity, recorded_.ids.front(), count)) add(i);
    }
  }
  if (recorded_.name_hash != HashBytes64("")) {
    for (size_t i = 0; i < now_.nodes.size(); ++i) {
      const Element& element = now_.nodes[i].element;
      if (element.role.value_or("") != recorded_.role) continue;
      if (HashBytes64(NormalizeText(DisplayedName(element))) == recorded_.name_hash) add(i);
    }
  }
  for (const size_t node : matches_) add(node);
}

void Classifier::Explain() {
  FindCandidates();
  result_.container_present =
      std::any_of(now_.nodes.begin(), now_.nodes.end(), [&](const SnapshotNode& node) {
        return InRecordedScope(recorded_, node.element) &&
               !FirstAncestryDifference(recorded_, LocalIdentity(now_, node));
      });
}

void Classifier::Observe(size_t node) {
  result_.observed = node;
  result_.mismatches = Compare(recorded_, LocalIdentity(now_, now_.nodes[node])).mismatches;
}

// Names why what the locator found is not the target, where one field alone explains it.
std::string Classifier::CauseOfNoCarrier() {
  const Agreement agreement =
      Compare(recorded_, LocalIdentity(now_, now_.nodes[*result_.observed]));
  if (!agreement.row) return "row-gone";
  if (agreement.EqualButForName()) return "label-drift";
  return "";
}

std::optional<size_t> Classifier::AtRecordedPosition() const {
  const auto unique = [&](auto&& at_position) -> std::optional<size_t> {
    std::optional<size_t> found;
    for (const auto& carrier : carriers_) {
      if (!at_position(LocalIdentity(now_, now_.nodes[carrier.node]))) continue;
      if (found) return std::nullopt;
      found = carrier.node;
    }
    return found;
  };
  if (const auto by_sibling = unique([&](const TargetIdentity& observed) {
        return observed.region == recorded_.region && observed.sibling == recorded_.sibling;
      })) {
    return by_sibling;
  }
  return unique([&](const TargetIdentity& observed) {
    return observed.region == recorded_.region && observed.region_order == recorded_.region_order;
  });
}

Classification Classifier::Several() {
  if (recorded_.row_key) {
    return Finish(BindingPath::kSeveral, BindingKind::kIdentityUnverifiable, "row-key-twice");
  }
  // Position means something only among the same number of twins. 0: not yet known, a self-check.
  if (recorded_.identity_count != 0 && recorded_.identity_count != carriers_.size()) {
    return Finish(BindingPath::kSeveral, BindingKind::kIdentityUnverifiable, "twins-changed");
  }
  const auto winner = AtRecordedPosition();
  if (!winner) {
    return Finish(BindingPath::kSeveral, BindingKind::kIdentityUnverifiable, "indistinguishable");
  }
  if (!Contains(matches_, *winner)) {
    Observe(matches_.front());
    return Finish(BindingPath::kElsewhere, BindingKind::kIdentityMismatch, "moved");
  }
  result_.winner = winner;
  return Finish(BindingPath::kSeveral, BindingKind::kPositional, "position");
}

bool Classifier::HasNewTwin() const {
  if (recorded_.matched_count != 1) return false;
  return std::any_of(matches_.begin(), matches_.end(), [&](size_t node) {
    if (node == carriers_.front().node) return false;
    if (!now_.nodes[node].element.interactability.visible) return false;
    const Agreement agreement = Compare(recorded_, LocalIdentity(now_, now_.nodes[node]));
    return agreement.scope && agreement.role && agreement.name == NameAgreement::kEqual &&
           agreement.row && agreement.ancestry;
  });
}

Classification Classifier::Run(const std::vector<size_t>& matches) {
  if (!HasRecord(recorded_)) {
    return Finish(BindingPath::kNoRecord, BindingKind::kUnverified, "no-record");
  }
  if (recorded_.verification == Verification::kUnverifiable) {
    return Finish(BindingPath::kRecordedUnverifiable, BindingKind::kIdentityUnverifiable,
                  recorded_.verification_reason);
  }
  if (auto difference = ScopeDifference()) {
    const std::string cause = difference->field;
    result_.mismatches.push_back(*std::move(difference));
    return Finish(BindingPath::kScope, BindingKind::kScopeMismatch, cause);
  }
  for (const size_t node : matches) {
    if (InRecordedFrame(recorded_, now_.nodes[node].element.frame_path)) matches_.push_back(node);
  }
  result_.match_count = static_cast<uint32_t>(matches_.size());
  FindCarriers();
  if (matches_.empty() && !matches.empty()) {
    Observe(matches.front());
    return Finish(BindingPath::kScope, BindingKind::kScopeMismatch, "framePath");
  }
  if (matches_.empty()) return Finish(BindingPath::kNothingMatched, BindingKind::kSelectorMiss, "");
  if (auto collision = IdCollision()) {
    result_.mismatches.push_back(*std::move(collision));
    return Finish(BindingPath::kIdCollision, BindingKind::kIdentityUnverifiable, "id-collision");
  }
  if (carriers_.empty()) {
    Observe(matches_.front());
    return Finish(BindingPath::kNoCarrier, BindingKind::kIdentityMismatch, CauseOfNoCarrier());
  }
  if (carriers_.size() > 1) return Several();
  // A twin of a positional record is gone: the one that is left may be either of them.
  if (recorded_.identity_count > 1) {
    return Finish(BindingPath::kSeveral, BindingKind::kIdentityUnverifiable, "twins-changed");
  }
  if (!Contains(matches_, carriers_.front().node)) {
    Observe(matches_.front());
    return Finish(BindingPath::kElsewhere, BindingKind::kIdentityMismatch, "moved");
  }
  if (action_ == ActionClass::kMutation && HasNewTwin()) {
    return Finish(BindingPath::kSeveral, BindingKind::kIdentityUnverifiable, "new-twin");
  }
  result_.winner = carriers_.front().node;
  result_.digits_drifted = carriers_.front().digits_drifted;
  Observe(*result_.winner);  // ids and ancestry may differ without blocking: still worth a line
  return Finish(BindingPath::kSame, BindingKind::kVerified,
                result_.digits_drifted ? "label-drift" : "");
}

}  // namespace

ActionClass ActionClassOf(RiskCategory category) {
  switch (category) {
    case RiskCategory::kReadOnly:
    case RiskCategory::kNavigation:
      return ActionClass::kRead;
    case RiskCategory::kUiReveal:
      return ActionClass::kReveal;
    case RiskCategory::kInputEdit:
    case RiskCategory::kFormSubmit:
    case RiskCategory::kDataMutation:
    case RiskCategory::kDestructive:
    case RiskCategory::kAuthSensitive:
    case RiskCategory::kPaymentSensitive:
    case RiskCategory::kUnknown:
      return ActionClass::kMutation;
  }
  return ActionClass::kMutation;
}

std::string_view ToString(BindingKind kind) {
  switch (kind) {
    case BindingKind::kVerified:
      return "verified";
    case BindingKind::kPositional:
      return "positional";
    case BindingKind::kUnverified:
      return "unverified";
    case BindingKind::kSelectorMiss:
      return "selector-miss";
    case BindingKind::kIdentityMismatch:
      return "identity-mismatch";
    case BindingKind::kIdentityUnverifiable:
      return "identity-unverifiable";
    case BindingKind::kScopeMismatch:
      return "scope-mismatch";
  }
  return "unverified";
}

bool HasRecord(const TargetIdentity& recorded) {
  return !recorded.role.empty() || !recorded.name.empty() || !recorded.ids.empty();
}

Classification Classify(const TargetIdentity& recorded, const PageSnapshot& now,
                        const std::vector<size_t>& matches, ActionClass action) {
  return Classifier(recorded, now, action).Run(matches);
}

LandmarkMatch ClassifyLandmark(const TargetIdentity& recorded, const PageSnapshot& now) {
  LandmarkMatch match;
  for (const auto& mark : now.marks) {
    if (!InRecordedFrame(recorded, mark.frame_path)) continue;
    const TargetIdentity observed = LocalIdentity(now, mark);
    const Agreement agreement = Compare(recorded, observed);
    const bool carries = agreement.scope && agreement.role && agreement.ids && agreement.ancestry &&
                         agreement.name == NameAgreement::kEqual;
    if (carries) {
      ++match.carriers;
    } else if (agreement.role && match.mismatches.empty()) {
      match.mismatches = agreement.mismatches;
    }
  }
  match.found = match.carriers > 0;
  if (match.found) match.mismatches.clear();
  return match;
}

}  // namespace topodb
