#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schema/graph_sink.h"
#include "schema/model.h"

namespace topodb::testing {

// A GraphSink that keeps everything in the order it came and holds its callers to the contract: a
// call that breaks it is refused, stored nowhere and named in `violations`.
class RecordingSink final : public GraphSink {
 public:
  Status BeginRun(const Run& run) override;
  Status AddState(const StateBundle& bundle) override;
  Status AddTransition(const Transition& transition) override;
  Status AddFailure(const FailedObservation& failure) override;
  Status AddCompletion(const CompletionObservation& observation) override;
  Status AddObservation(const StateObservation& observation) override;
  Status AddForeignIds(const std::vector<ForeignId>& ids) override;
  Status EndRun(const Run& run) override;
  Status DiscardRun() override;

  // The n-th adding call (1-based) fails with kIo and stores nothing.
  void FailCall(uint64_t n) { fail_call_ = n; }
  uint64_t calls() const { return calls_; }

  // Everything stored, as one text: equal for equal graphs.
  std::string Dump() const;

  const State* FindState(const StateId& id) const;
  const Element* FindElement(const ElementId& id) const;

  std::vector<State> states;
  std::vector<Element> elements;
  std::vector<Landmark> landmarks;
  std::vector<ActionEdge> edges;
  std::vector<SkippedAction> skips;
  std::vector<FailedObservation> failures;
  std::vector<CompletionObservation> completions;
  std::vector<StateObservation> observations;
  std::vector<std::string> violations;
  std::optional<Run> run, ended;

 private:
  Status Count();
  Status Refuse(std::string why);
  Status CheckBundle(const StateBundle& bundle);
  Status CheckFailure(const FailedObservation& failure, const StateBundle* with) const;
  void Keep(const StateBundle& bundle);
  bool IsOpen() const { return run && !ended; }

  uint64_t calls_ = 0, fail_call_ = 0;
};

}  // namespace topodb::testing
