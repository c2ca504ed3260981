#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/page_driver.h"
#include "schema/graph_sink.h"
#include "schema/model.h"
#include "schema/snapshot.h"

namespace topodb::capture {

// Where an action leads: on in its page, or to a window that it opened.
enum class Landing : uint8_t { kPage, kWindow };

// One action of a recorded path: done in state number `state`.
struct PathStep {
  size_t state = 0;  // index into KnownStates
  ElementId element;
  ActionRequest request;
  Landing landing = Landing::kPage;
};

struct KnownState {
  StateId id;
  std::shared_ptr<const PageSnapshot> reference;  // as first seen; not null
  std::vector<UnstablePart> unstable;             // sorted; only ever grows
  std::vector<PathStep> path;                     // shortest recorded path from the entry page
  bool confirmed = false;                         // seen again, and it held
  StateId match_id = {};  // of the reference, unstable parts left out; KnownStates sees to it
};

enum class Sameness : uint8_t {
  kSame,     // the same identity, unstable parts of both sides left out
  kDrifted,  // URL, modals and template agree, other parts differ
  kOther,
};

Sameness Compare(const KnownState& known, const PageSnapshot& snapshot);

// The states of one run in the order of their discovery, and the rules by which an observation is
// one of them. An id never changes once given; what turns out to be volatile is left out of every
// later comparison instead.
class KnownStates {
 public:
  // `state.id` must be new. Returns its number.
  size_t Add(KnownState state);

  const KnownState& operator[](size_t number) const { return *states_[number]; }
  size_t size() const { return states_.size(); }
  // As it is known now: what is learned later makes a new value. For other threads.
  std::shared_ptr<const KnownState> Share(size_t number) const { return states_[number]; }

  // The state that `snapshot` shows.
  std::optional<size_t> Find(const PageSnapshot& snapshot) const;

  // A state of the same template that could be `snapshot` with other volatile parts, and whose own
  // volatile parts are not known yet because it was seen once only.
  std::optional<size_t> FindUnconfirmedTwin(const PageSnapshot& snapshot) const;

  // `snapshot` was reached by the recorded path of state `number`: what differs from the first
  // sight is unstable from now on. Returns what the graph should learn, nullopt when it knows
  // already.
  std::optional<StateObservation> SeeAgain(size_t number, const PageSnapshot& snapshot);

 private:
  const std::vector<size_t>& SamePlace(const PageSnapshot& snapshot) const;

  std::vector<std::shared_ptr<const KnownState>> states_;
  std::map<std::string, std::vector<size_t>> by_place_;  // canonical URL key and modal stack
};

}  // namespace topodb::capture
