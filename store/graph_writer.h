#pragma once

#include <optional>

#include "schema/graph_sink.h"
#include "store/kv.h"
#include "store/run_change.h"

namespace topodb::store {

// Writes one run into a Kv, of which it is the only writer; each call is one batch
// (docs/format.md, "Publish protocol"). Does not own `kv`, which must outlive it. A run neither
// ended nor discarded stays a draft, which the next OpenForWrite settles.
class GraphWriter : public GraphSink {
 public:
  // `per_call`: how durable each call is when it returns; beginning and end are always synced.
  GraphWriter(Kv& kv, Durability per_call) : kv_(kv), per_call_(per_call) {}

  Status BeginRun(const Run& run) override;
  Status AddState(const StateBundle& bundle) override;
  Status AddTransition(const Transition& transition) override;
  Status AddFailure(const FailedObservation& failure) override;
  Status AddCompletion(const CompletionObservation& observation) override;
  Status AddObservation(const StateObservation& observation) override;
  Status AddForeignIds(const std::vector<ForeignId>& ids) override;
  Status EndRun(const Run& run) override;
  Status DiscardRun() override;

 private:
  template <class Part>
  Status Record(const Part& part);

  Kv& kv_;
  Durability per_call_;
  std::optional<RunId> run_id_;  // of the run that is open
  RunProgress progress_;
};

}  // namespace topodb::store
