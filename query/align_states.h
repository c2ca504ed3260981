#pragma once

#include <map>
#include <vector>

#include "query/correspondence.h"
#include "query/row_join.h"
#include "query/run_side.h"
#include "schema/base/result.h"

// Which states of two runs are the same one although their ids differ.
namespace topodb::query {

// The element rows of each state that may differ, by the state's ordinal.
using RowsByState = std::map<store::StateOrdinal, std::vector<store::IdentityRow>>;

struct StatePair {
  store::StateOrdinal before = 0, after = 0;
};

struct StateAlignment {
  std::vector<StatePair> pairs;                    // in the order of `before`
  std::vector<store::IdentityRow> removed, added;  // without a counterpart, in order
};

// By canonical URL, open dialogs and opening edge; by URL, dialogs and template where that is
// unique among what is left; by the share of their elements' anchors, where one is clearly the most
// alike; last where each run has one state of that URL and dialogs. Enters the pairs into `same`.
// Reads the records of the states of `join` that stand alone, and of their openers.
Result<StateAlignment> AlignStates(RunSide& before, RunSide& after, const RowJoin& join,
                                   const RowsByState& elements_before,
                                   const RowsByState& elements_after, Correspondence& same);

}  // namespace topodb::query
