#include "query/replay/arrival.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "schema/base/text.h"
#include "schema/fingerprint.h"

namespace topodb::replay {
namespace {

bool HasRecordedId(const State& state, const PageSnapshot& page) {
  if (ComputeStateId(ComputeIdentityParts(page, state.unstable_parts)) == state.id) return true;
  // Parts found unstable later were still in the id, which never changes.
  return !state.unstable_parts.empty() &&
         ComputeStateId(ComputeIdentityParts(page, {})) == state.id;
}

bool IsUnstable(const State& state, const Landmark& landmark) {
  const std::string masked = MaskVolatile(NormalizeText(landmark.name.value_or("")));
  return std::any_of(
      state.unstable_parts.begin(), state.unstable_parts.end(),
      [&](const UnstablePart& part) { return part.kind == landmark.role && part.key == masked; });
}

// Only a landmark with an id, or a heading, proves a place: others are on every page of a site.
bool Proves(const State& state, const Landmark& landmark) {
  if (landmark.identity.verification != Verification::kVerified) return false;
  if (landmark.identity.ids.empty() && landmark.role != "heading") return false;
  return !IsUnstable(state, landmark);
}

std::string Joined(const std::vector<std::string>& stack) {
  return stack.empty() ? "none" : fmt::format("{}", fmt::join(stack, " > "));
}

}  // namespace

ArrivalCheck CheckArrival(const State& state, const std::vector<Landmark>& landmarks,
                          const PageSnapshot& page) {
  ArrivalCheck check;
  if (HasRecordedId(state, page)) {
    check.arrival = Arrival::kSameState;
    return check;
  }
  const auto compare = [&](const char* field, const std::string& expected,
                           const std::string& observed) {
    if (expected != observed) check.mismatches.push_back({field, expected, observed});
  };
  compare("url", state.url_canonical_key, page.url_canonical_key);
  compare("modalStack", Joined(state.modal_stack), Joined(page.modal_stack));
  compare("template", state.template_key, page.template_hash);
  for (const auto& landmark : landmarks) {
    if (check.mismatches.size() == kMaxMismatches) break;
    if (!Proves(state, landmark) || ClassifyLandmark(landmark.identity, page).found) continue;
    check.mismatches.push_back(
        {"landmark", fmt::format("{} \"{}\"", landmark.role, landmark.name.value_or("")), "none"});
  }
  if (check.mismatches.empty()) check.arrival = Arrival::kSamePlace;
  return check;
}

}  // namespace topodb::replay
