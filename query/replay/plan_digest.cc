#include "query/replay/plan_digest.h"

#include <algorithm>
#include <string_view>

#include "schema/base/hash.h"
#include "schema/base/sha256.h"
#include "schema/names.h"

namespace topodb::replay {
namespace {

void AddTexts(const std::vector<std::string>& texts, Canonical& canonical) {
  canonical.AddNumber(texts.size());
  for (const auto& text : texts) canonical.Add(text);
}

void AddOptional(const std::optional<std::string>& text, Canonical& canonical) {
  if (text) {
    canonical.Add(*text);
  } else {
    canonical.AddAbsent();
  }
}

void AddIdentity(const TargetIdentity& identity, Canonical& canonical) {
  canonical.Add(identity.scope.origin).Add(identity.scope.path_template);
  AddTexts(identity.scope.frame_path, canonical);
  AddTexts(identity.scope.shadow_path, canonical);
  canonical.Add(identity.scope.top_layer).AddNumber(identity.ids.size());
  for (const auto& id : identity.ids) {
    canonical.AddNumber(static_cast<uint64_t>(id.kind)).Add(id.attribute).Add(id.value);
  }
  canonical.Add(identity.role).AddNumber(identity.name_hash).AddNumber(identity.masked_hash);
  canonical.AddNumber(identity.ancestry.size());
  for (const auto& step : identity.ancestry) {
    canonical.Add(step.role);
    AddOptional(step.name, canonical);
  }
  AddOptional(identity.row_key, canonical);
  canonical.AddNumber(identity.sibling).AddNumber(identity.region_order).Add(identity.region);
  canonical.AddNumber(identity.identity_count).AddNumber(identity.matched_count);
  canonical.AddNumber(static_cast<uint64_t>(identity.verification));
}

void AddStep(const PlannedStep& step, Canonical& canonical) {
  const ActionEdge& edge = step.edge;
  canonical.AddId(edge.from_state_id.bytes).Add(ToString(edge.action_type));
  canonical.AddNumber(step.element.locators.size());
  for (const auto& locator : step.element.locators) canonical.Add(locator.expression);
  AddIdentity(edge.target, canonical);
  if (edge.to_state_id) {
    canonical.AddId(edge.to_state_id->bytes);
  } else {
    canonical.AddAbsent();
  }
  canonical.AddNumber(edge.action_params.size());
  for (const auto& [name, value] : edge.action_params) canonical.Add(name);
}

}  // namespace

std::string PlanDigest(const std::string& entry_url, const ReplayOptions& options,
                       const std::vector<PlannedStep>& steps) {
  Canonical canonical("plan");
  canonical.Add(entry_url).AddNumber(static_cast<uint64_t>(options.positional));
  std::vector<RiskCategory> allowed = options.allowed;
  std::ranges::sort(allowed);
  const auto repeated = std::ranges::unique(allowed);
  allowed.erase(repeated.begin(), repeated.end());
  canonical.AddNumber(allowed.size());
  for (const RiskCategory category : allowed) canonical.Add(ToString(category));
  canonical.AddNumber(steps.size());
  for (const PlannedStep& step : steps) AddStep(step, canonical);
  return Sha256Hex(canonical.bytes());
}

}  // namespace topodb::replay
