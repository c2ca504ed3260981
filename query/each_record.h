#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "query/record_scan.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

// The records of one run, one at a time.
namespace topodb::query {

template <class Record>
using UseRecord = std::function<Result<Walk>(const Record&)>;

// Shows every record of a kind in stored order until `use` stops it. For State, Element,
// ActionEdge, SkippedAction, FailedObservation, CompletionObservation. Errors of the store and of
// `use`.
template <class Record>
Status EachRecord(const store::GraphReader& reader, store::RunNumber run,
                  const UseRecord<Record>& use);

// What elements are searched by; an empty text is any.
struct ElementSearch {
  std::string role;  // exactly
  std::string name;  // a part of the accessible name, in any case
};

// Where the elements stand that are as searched.
struct ElementPlace {
  store::StateOrdinal state = 0;
  uint32_t ordinal = 0;
  auto operator<=>(const ElementPlace&) const = default;
};

// In stored order. Reads the index of roles and names; a record only where its name is too long to
// stand there whole.
Result<std::vector<ElementPlace>> FindElements(const store::GraphReader& reader,
                                               store::RunNumber run, const ElementSearch& search);

// Whether an accessible name is as searched.
bool NameMatches(const std::string& name, const std::string& part);

// Shows the elements at these places.
Status EachElement(const store::GraphReader& reader, store::RunNumber run,
                   const std::vector<ElementPlace>& places, const UseRecord<Element>& use);

}  // namespace topodb::query
