#pragma once

#include <string>
#include <vector>

#include "query/check.h"
#include "schema/model.h"

// What a record must say by itself, whatever stands around it.
namespace topodb::query {

struct RecordProblem {
  Invariant invariant = Invariant::kEvidence;
  std::string message;
};

// `scheme`: that of the run; imported records are not measured by our own recipes.
std::vector<RecordProblem> ProblemsOf(const State& state, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const Element& element, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const ActionEdge& edge, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const SkippedAction& skip, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const FailedObservation& failure, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const CompletionObservation& observation, IdScheme scheme);
std::vector<RecordProblem> ProblemsOf(const Landmark& landmark, IdScheme scheme);

}  // namespace topodb::query
