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

bool IsAt(const State& state, const PageSnapshot& page) {
  return state.url_canonical_key == page.url_canonical_key && state.modal_stack == page.modal_stack;
}

}  // namespace

ArrivalCheck CheckArrival(const RecordedPlace& place, const PageSnapshot& page) {
  const State& state = place.state;
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
  const auto& unstable = state.unstable_parts;
  const bool same_parts = Stable(place.contents, unstable) == Stable(ContentsOf(page), unstable);
  if (!same_parts) compare("template", state.template_key, page.template_hash);
  for (const auto& landmark : place.landmarks) {
    if (check.mismatches.size() == kMaxMismatches) break;
    if (!Proves(state, landmark) || ClassifyLandmark(landmark.identity, page).found) continue;
    check.mismatches.push_back(
        {"landmark", fmt::format("{} \"{}\"", landmark.role, landmark.name.value_or("")), "none"});
  }
  if (!check.mismatches.empty()) return check;
  check.arrival =
      state.template_key == page.template_hash ? Arrival::kSamePlace : Arrival::kSameParts;
  return check;
}

bool IsDriftedFrom(const RecordedPlace& place, const PageSnapshot& page) {
  if (!IsAt(place.state, page)) return false;
  size_t proving = 0;
  size_t found = 0;
  for (const auto& landmark : place.landmarks) {
    if (!Proves(place.state, landmark)) continue;
    ++proving;
    if (ClassifyLandmark(landmark.identity, page).found) ++found;
  }
  const auto& unstable = place.state.unstable_parts;
  return found > 0 && found * 2 >= proving &&
         MostlyThere(Stable(place.contents, unstable), Stable(ContentsOf(page), unstable));
}

bool IsRecordedChange(const Transition& transition) {
  const auto& [from, to, before, after] = transition;
  if (!IsAt(to.state, after)) return false;
  std::vector<UnstablePart> unstable = from.state.unstable_parts;
  unstable.insert(unstable.end(), to.state.unstable_parts.begin(), to.state.unstable_parts.end());
  const Change recorded =
      ChangeBetween(Stable(from.contents, unstable), Stable(to.contents, unstable));
  return !recorded.empty() && recorded == ChangeBetween(Stable(ContentsOf(before), unstable),
                                                        Stable(ContentsOf(after), unstable));
}

}  // namespace topodb::replay
