#pragma once

#include <string>

#include "query/diff.h"
#include "query/run_side.h"
#include "schema/model.h"

// What a difference calls the records it is about.
namespace topodb::query {

// The title of a state, or where it is.
std::string PageOf(const State& state);
// 'row "Acme", dialog "Edit"': the containers that people would name.
std::string WhereText(const Element& element);
// The same with the landmark, where nothing nearer has a name.
std::string PlaceText(const Element& element);

// `side` has the record; fills in the ids of its side.
void SetIds(Difference& difference, const RunSide& side, std::string id, std::string state);

// A difference about a state or an element of `side`, to be completed.
Difference DifferenceOf(const State& state, RunSide& side);
// `state`: the one that the element belongs to; may be null.
Difference DifferenceOf(const Element& element, const State* state, RunSide& side,
                        DiffSection section);

}  // namespace topodb::query
