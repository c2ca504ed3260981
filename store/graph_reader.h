#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "store/kv.h"

namespace topodb::store {

using RunNumber = uint32_t;
using StateOrdinal = uint32_t;

struct StoredRun {
  RunNumber number = 0;
  Run run;
};

// One row of the identity index, without touching the record.
struct IdentityRow {
  IdBytes id{};               // the record's id
  StateOrdinal state = 0;     // its state's ordinal
  uint32_t ordinal = 0;       // in that state
  uint64_t content_hash = 0;  // of the record, ids and times left out
  AnchorKey anchor_key;       // elements only
  std::string name;           // elements: role, tab, accessible name
};

enum class RecordKind : uint8_t {
  kState = 1,
  kElement = 2,
  kEdge = 3,
  kSkip = 4,
  kFailure = 5,
  kLandmark = 6,
  kObservation = 7
};

struct FoundRecord {
  RunNumber run = 0;
  RecordKind kind = RecordKind::kState;
  IdBytes id{};
};

// Read-only view of the published runs of one database, as of its open. Does not own `kv`, which
// must outlive it. Safe to use from several threads. Every record is verified when decoded:
// kCorruption names the key. Scans are in stored order: states and elements as captured (document
// order inside a state), edges by source state and then as performed.
class GraphReader {
 public:
  explicit GraphReader(const Kv& kv) : kv_(kv) {}

  // Newest first.
  Result<std::vector<StoredRun>> Runs() const;
  // By unique id prefix, exact name, "latest" or "latest~N". kNotFound, kAmbiguous (candidates in
  // the message).
  Result<StoredRun> FindRun(std::string_view reference) const;

  Result<std::vector<State>> States(RunNumber run) const;
  Result<std::vector<Element>> Elements(RunNumber run) const;
  Result<std::vector<Element>> ElementsOf(RunNumber run, const StateId& state) const;
  Result<std::vector<ActionEdge>> Edges(RunNumber run) const;
  Result<std::vector<ActionEdge>> EdgesFrom(RunNumber run, const StateId& state) const;
  Result<std::vector<ActionEdge>> EdgesTo(RunNumber run, const StateId& state) const;
  Result<std::vector<SkippedAction>> Skips(RunNumber run) const;
  Result<std::vector<FailedObservation>> Failures(RunNumber run) const;
  Result<std::vector<CompletionObservation>> Observations(RunNumber run) const;
  Result<std::vector<Landmark>> LandmarksOf(RunNumber run, const StateId& state) const;

  // kNotFound when the run has no such record.
  Result<State> GetState(RunNumber run, const StateId& id) const;
  Result<Element> GetElement(RunNumber run, const ElementId& id) const;
  Result<ActionEdge> GetEdge(RunNumber run, const EdgeId& id) const;

  // Every record of any kind whose text id starts with `prefix` ("state_ab12", or bare hex), over
  // all runs or one; at most `limit`.
  Result<std::vector<FoundRecord>> FindByIdPrefix(std::string_view prefix,
                                                  std::optional<RunNumber> run, size_t limit) const;

  // The identity index of one kind, ordered by id.
  Result<std::vector<IdentityRow>> IdentityRows(RunNumber run, RecordKind kind) const;

  // The text of an imported (foreign) id; nullopt for our own.
  Result<std::optional<std::string>> ForeignId(RunNumber run, const IdBytes& id) const;

  const Kv& kv() const { return kv_; }

 private:
  const Kv& kv_;
};

}  // namespace topodb::store
