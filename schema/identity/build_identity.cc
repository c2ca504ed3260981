#include "schema/identity/build_identity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "schema/base/hash.h"
#include "schema/base/text.h"
#include "schema/fingerprint.h"
#include "schema/identity/agreement.h"
#include "schema/identity/classify.h"

namespace topodb {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsHexLetter(char c) { return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Libraries that number their ids in the order in which components happen to mount.
constexpr std::array<std::string_view, 17> kCounterPrefixes = {
    "radix-",     "ember",   "headlessui-", "mui-", "react-select-", "ng-",
    "cdk-",       "mat-",    "ext-gen",     "yui_", "gwt-uid-",      "el-id-",
    "downshift-", "chakra-", "mantine-",    "rc_",  "__BVID__"};

bool HasCounterPrefix(std::string_view id) {
  if (std::none_of(id.begin(), id.end(), IsDigit)) return false;
  return std::any_of(kCounterPrefixes.begin(), kCounterPrefixes.end(),
                     [&](std::string_view prefix) { return id.starts_with(prefix); });
}

constexpr size_t kTimestampDigits = 9;  // shorter numbers are the site's own keys

// One run of letters and digits: a hash or token rather than a word or a plain number.
bool IsRandomToken(std::string_view token) {
  size_t digits = 0;
  size_t hex_letters = 0;
  size_t changes = 0;
  size_t run = 0;
  for (size_t i = 0; i < token.size(); ++i) {
    run = IsDigit(token[i]) ? run + 1 : 0;
    if (run >= kTimestampDigits) return true;
    if (IsDigit(token[i])) ++digits;
    if (IsHexLetter(token[i])) ++hex_letters;
    if (i > 0 && IsDigit(token[i]) != IsDigit(token[i - 1])) ++changes;
  }
  if (digits == 0 || digits == token.size()) return false;
  if (token.size() >= 8 && digits + hex_letters == token.size()) return true;
  return token.size() >= 6 && changes >= 3;
}

std::string Bounded(std::string_view text) { return BoundText(NormalizeText(text)); }

std::vector<std::string> BoundPath(const std::vector<std::string>& path) {
  std::vector<std::string> bounded;
  bounded.reserve(path.size());
  for (const auto& step : path) bounded.push_back(Bounded(step));
  return bounded;
}

void SetName(TargetIdentity& identity, std::string_view raw) {
  const std::string name = NormalizeText(raw);
  identity.name = std::string(TruncateUtf8(name, kMaxIdentityString));
  identity.name_hash = HashBytes64(name);
  identity.masked_hash = HashBytes64(MaskDigits(name));
}

void SetScope(TargetIdentity& identity, const PageSnapshot& page,
              const std::vector<std::string>& frame_path,
              const std::vector<std::string>& shadow_path) {
  identity.scope = {.origin = Bounded(page.origin),
                    .path_template = PathTemplateOfKey(page.url_canonical_key),
                    .frame_path = BoundPath(frame_path),
                    .shadow_path = BoundPath(shadow_path),
                    .top_layer = TopLayerOf(page)};
}

void SetFacts(TargetIdentity& identity, const IdentityFacts& facts) {
  for (const auto& id : facts.ids) {
    identity.ids.push_back({.kind = id.kind,
                            .attribute = BoundText(id.attribute),
                            .value = BoundText(id.value),
                            .count = id.count});
  }
  std::stable_sort(identity.ids.begin(), identity.ids.end(),
                   [](const IdValue& a, const IdValue& b) { return a.kind < b.kind; });
  const size_t kept = std::min(facts.ancestry.size(), kMaxAncestry);
  for (size_t i = 0; i < kept; ++i) {
    AncestryStep step{.role = BoundText(facts.ancestry[i].role), .name = std::nullopt};
    if (facts.ancestry[i].name) step.name = Bounded(*facts.ancestry[i].name);
    identity.ancestry.push_back(std::move(step));
  }
  if (facts.row_key) identity.row_key = Bounded(*facts.row_key);
  identity.sibling = facts.sibling;
  identity.region_order = facts.region_order;
  identity.region = Bounded(facts.region);
  identity.state = facts.state;
  identity.state.input_type = BoundText(facts.state.input_type);
}

// Matches of the strongest locator: known from the element's own ones, else from the page's counts.
uint32_t MatchedCount(const SnapshotNode& node) {
  if (!node.element.locators.empty()) return node.element.locators.front().match_count;
  const LocatorCounts& counts = node.counts;
  const std::array<uint32_t, 9> ranked = {counts.role,        counts.label, counts.test_id,
                                          counts.placeholder, counts.text,  counts.alt,
                                          counts.title,       counts.id,    counts.name};
  if (std::find(ranked.begin(), ranked.end(), 1U) != ranked.end()) return 1;
  for (const uint32_t count : ranked) {
    if (count > 0) return count;
  }
  return 0;
}

// Drops what is farthest from the target until the record fits. False when even that is too large.
bool FitBound(TargetIdentity& identity) {
  while (RecordSize(identity) > kMaxIdentityRecord && !identity.ancestry.empty()) {
    identity.ancestry.pop_back();
  }
  while (RecordSize(identity) > kMaxIdentityRecord && identity.ids.size() > 1) {
    identity.ids.pop_back();
  }
  return RecordSize(identity) <= kMaxIdentityRecord;
}

void MarkUnverifiable(TargetIdentity& identity, std::string reason) {
  identity.verification = Verification::kUnverifiable;
  identity.verification_reason = std::move(reason);
}

// The record-time self-check: the record must denote exactly the node that it was written from.
void CheckItself(TargetIdentity& identity, const PageSnapshot& page, size_t self) {
  identity.verification = Verification::kVerified;  // not yet known; the classifier refuses others
  const Classification outcome = Classify(identity, page, {self}, ActionClass::kMutation);
  identity.identity_count = outcome.identity_count;
  if (outcome.kind == BindingKind::kVerified && outcome.winner == self) return;
  if (outcome.kind == BindingKind::kPositional && outcome.winner == self) {
    identity.verification = Verification::kPositional;
    identity.verification_reason = "told from its twins by position alone";
    return;
  }
  MarkUnverifiable(identity,
                   outcome.cause.empty() ? std::string(ToString(outcome.kind)) : outcome.cause);
}

}  // namespace

bool LooksGenerated(std::string_view id) {
  // React's useId: ":r3:" or "«r3»", alone or inside a longer id.
  if (id.find(":r") != std::string_view::npos && id.ends_with(':')) return true;
  if (id.find("\xC2\xABr") != std::string_view::npos) return true;
  if (HasCounterPrefix(id)) return true;
  for (size_t i = 0; i < id.size();) {
    if (!IsDigit(id[i]) && !IsLetter(id[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < id.size() && (IsDigit(id[end]) || IsLetter(id[end]))) ++end;
    if (IsRandomToken(id.substr(i, end - i))) return true;
    i = end;
  }
  return false;
}

bool IsDemoted(const IdValue& id) {
  if (id.count > 1 || id.value.empty()) return true;
  // Test ids are the author's promise and an href is where the link leads: both are taken as they
  // are.
  const bool may_be_generated = id.kind == IdKind::kDomId || id.kind == IdKind::kControlName;
  return may_be_generated && LooksGenerated(id.value);
}

std::string PathTemplateOfKey(std::string_view url_canonical_key) {
  std::string path;
  bool in_query = false;
  for (const char c : url_canonical_key) {
    if (c == '?') in_query = true;
    if (c == '#') in_query = false;
    if (!in_query) path.push_back(c);
  }
  std::string masked;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    masked += MaskDigits(std::string_view(path).substr(begin, end - begin));
    if (end < path.size()) masked.push_back('/');
    begin = end + 1;
  }
  return BoundText(masked);
}

TargetIdentity LocalIdentity(const PageSnapshot& page, const SnapshotNode& node) {
  TargetIdentity identity;
  const Element& element = node.element;
  SetScope(identity, page, element.frame_path, element.shadow_path);
  identity.role = BoundText(element.role.value_or(""));
  // A script-made control often has no accessible name; what it shows is then what names it.
  const bool named = element.accessible_name && !element.accessible_name->empty();
  SetName(identity, named ? *element.accessible_name : element.text.value_or(""));
  SetFacts(identity, node.identity);
  return identity;
}

TargetIdentity LocalIdentity(const PageSnapshot& page, const SnapshotMark& mark) {
  TargetIdentity identity;
  SetScope(identity, page, mark.frame_path, mark.shadow_path);
  identity.role = BoundText(mark.role);
  SetName(identity, mark.name.value_or(""));
  SetFacts(identity, mark.identity);
  return identity;
}

size_t RecordSize(const TargetIdentity& identity) {
  constexpr size_t kFixed = 96;  // numbers, flags and the reason of the verification
  constexpr size_t kEach = 8;    // a string's own length and offset
  size_t size = kFixed;
  const auto add = [&size](std::string_view text) { size += text.size() + kEach; };
  for (const auto& step : identity.scope.frame_path) add(step);
  for (const auto& step : identity.scope.shadow_path) add(step);
  for (const auto& id : identity.ids) {
    add(id.attribute);
    add(id.value);
  }
  for (const auto& step : identity.ancestry) {
    add(step.role);
    if (step.name) add(*step.name);
  }
  for (const std::string* text :
       {&identity.scope.origin, &identity.scope.path_template, &identity.scope.top_layer,
        &identity.role, &identity.name, &identity.region, &identity.state.input_type}) {
    add(*text);
  }
  if (identity.row_key) add(*identity.row_key);
  return size;
}

TargetIdentity BuildTargetIdentity(const PageSnapshot& page, const SnapshotNode& node) {
  TargetIdentity identity = LocalIdentity(page, node);
  std::erase_if(identity.ids, IsDemoted);
  identity.matched_count = MatchedCount(node);
  const auto found = std::find_if(page.nodes.begin(), page.nodes.end(),
                                  [&](const SnapshotNode& other) { return other.ref == node.ref; });
  if (found == page.nodes.end()) {
    MarkUnverifiable(identity, "not-on-the-page");
    return identity;
  }
  const auto self = static_cast<size_t>(found - page.nodes.begin());
  if (!FitBound(identity)) {
    // Only a path of very many long frames gets here; a record that cannot name its scope is none.
    identity.scope.frame_path.clear();
    identity.scope.shadow_path.clear();
    MarkUnverifiable(identity, "too-large");
    return identity;
  }
  if (identity.name.empty() && identity.ids.empty()) {
    MarkUnverifiable(identity, "no-id-and-no-name");
    return identity;
  }
  if (HasDigitTwin(identity, page, self)) identity.masked_hash = 0;
  CheckItself(identity, page, self);
  return identity;
}

std::optional<TargetIdentity> BuildLandmarkIdentity(const PageSnapshot& page,
                                                    const SnapshotMark& mark) {
  TargetIdentity identity = LocalIdentity(page, mark);
  std::erase_if(identity.ids, IsDemoted);
  if (identity.name.empty() && identity.ids.empty()) return std::nullopt;
  if (!FitBound(identity)) return std::nullopt;
  identity.verification = Verification::kVerified;
  const LandmarkMatch match = ClassifyLandmark(identity, page);
  identity.identity_count = match.carriers;
  identity.matched_count = match.carriers;
  if (!match.found) MarkUnverifiable(identity, "not-found-again");
  return identity;
}

}  // namespace topodb
