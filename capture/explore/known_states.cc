#include "capture/explore/known_states.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "schema/fingerprint.h"

namespace topodb::capture {
namespace {

std::string PlaceOf(const PageSnapshot& snapshot) {
  std::string place = snapshot.url_canonical_key;
  for (const std::string& modal : snapshot.modal_stack) place.append(1, '\0').append(modal);
  return place;
}

StateId IdentityOf(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable) {
  return ComputeStateId(ComputeIdentityParts(snapshot, unstable));
}

std::vector<UnstablePart> Union(const std::vector<UnstablePart>& a,
                                const std::vector<UnstablePart>& b) {
  std::vector<UnstablePart> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

// Those of `parts` that `snapshot` has and that its identity rests on.
std::vector<UnstablePart> PartsIn(const PageSnapshot& snapshot,
                                  const std::vector<UnstablePart>& parts) {
  const StateId whole = IdentityOf(snapshot, {});
  std::vector<UnstablePart> present;
  std::ranges::copy_if(parts, std::back_inserter(present), [&](const UnstablePart& part) {
    return IdentityOf(snapshot, {part}) != whole;
  });
  return present;
}

// A volatile part shows a new content on every load, which no list of contents seen so far can
// hold. So another page of the same template is the same state when everything that it lacks is
// known to be volatile and has been replaced, kind by kind.
bool OnlyVolatilePartsReplaced(const KnownState& known, const PageSnapshot& snapshot) {
  if (known.unstable.empty() || !SameTemplate(*known.reference, snapshot)) return false;
  const auto differing = CompareObservations(*known.reference, snapshot);
  const auto missing = PartsIn(*known.reference, differing);
  const auto added = PartsIn(snapshot, differing);
  if (!std::ranges::includes(known.unstable, missing)) return false;
  return std::ranges::equal(missing, added, {}, &UnstablePart::kind, &UnstablePart::kind);
}

}  // namespace

Sameness Compare(const KnownState& known, const PageSnapshot& snapshot) {
  if (IdentityOf(snapshot, known.unstable) == known.match_id ||
      OnlyVolatilePartsReplaced(known, snapshot)) {
    return Sameness::kSame;
  }
  return SameTemplate(*known.reference, snapshot) ? Sameness::kDrifted : Sameness::kOther;
}

size_t KnownStates::Add(KnownState state) {
  by_place_[PlaceOf(*state.reference)].push_back(states_.size());
  state.match_id = IdentityOf(*state.reference, state.unstable);
  states_.push_back(std::make_shared<const KnownState>(std::move(state)));
  return states_.size() - 1;
}

const std::vector<size_t>& KnownStates::SamePlace(const PageSnapshot& snapshot) const {
  static const std::vector<size_t> kNone;
  const auto it = by_place_.find(PlaceOf(snapshot));
  return it == by_place_.end() ? kNone : it->second;
}

std::optional<size_t> KnownStates::Find(const PageSnapshot& snapshot) const {
  const StateId plain = IdentityOf(snapshot, {});
  const auto& candidates = SamePlace(snapshot);
  for (const size_t number : candidates) {
    const KnownState& known = *states_[number];
    if (known.id == plain) return number;
    const StateId id = known.unstable.empty() ? plain : IdentityOf(snapshot, known.unstable);
    if (id == known.match_id) return number;
  }
  const auto it = std::ranges::find_if(candidates, [&](size_t number) {
    return OnlyVolatilePartsReplaced(*states_[number], snapshot);
  });
  return it == candidates.end() ? std::nullopt : std::optional(*it);
}

std::optional<size_t> KnownStates::FindUnconfirmedTwin(const PageSnapshot& snapshot) const {
  std::optional<size_t> twin;
  for (const size_t number : SamePlace(snapshot)) {
    const KnownState& known = *states_[number];
    if (!SameTemplate(*known.reference, snapshot)) continue;
    // One twin that held still when looked at again: the difference is real.
    if (known.confirmed && known.match_id == known.id) return std::nullopt;
    if (!known.confirmed && !twin) twin = number;
  }
  return twin;
}

std::optional<StateObservation> KnownStates::SeeAgain(size_t number, const PageSnapshot& snapshot) {
  const KnownState& known = *states_[number];
  auto unstable = Union(known.unstable, CompareObservations(*known.reference, snapshot));
  if (known.confirmed && unstable == known.unstable) return std::nullopt;
  KnownState learned = known;
  learned.confirmed = true;
  learned.match_id = IdentityOf(*known.reference, unstable);
  learned.unstable = std::move(unstable);
  states_[number] = std::make_shared<const KnownState>(std::move(learned));
  return StateObservation{.state_id = (*this)[number].id,
                          .lifecycle = Lifecycle::kVerified,
                          .unstable_parts = (*this)[number].unstable};
}

}  // namespace topodb::capture
