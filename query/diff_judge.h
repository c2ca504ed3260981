#pragma once

#include <optional>
#include <string>

#include "query/run_graph.h"

namespace topodb::query {

// Says of one run whether it can be believed that something it has not is not there. A run that was
// cut short may just not have looked.
class Witness {
 public:
  // `name`: what to call the run in reasons ("the first run"). `index` must outlive this.
  Witness(const GraphIndex& index, std::string name) : index_(index), name_(std::move(name)) {}

  // Why a state, or an action from the state `source` of this run, may have been missed; nullopt
  // when the run did look. Nothing is known of the way there without `source`.
  std::optional<std::string> WhyNotLooked(const std::optional<StateId>& source) const;
  // The same for what every state found gets, explored or not.
  std::optional<std::string> WhyNotRefused() const;

 private:
  const GraphIndex& index_;
  std::string name_;
};

}  // namespace topodb::query
