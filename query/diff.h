#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "store/graph_reader.h"

// What changed between two runs of one input.
//
// The identity rows of both runs are joined in the order of their ids: what has the same id and the
// same content is never read, and what is held is what differs. States without a counterpart of
// their id are aligned as align_states.h says, elements of aligned states as align_elements.h says,
// actions by the states and elements they are about. Never compared: ids, ordinals, boxes, times,
// and what either run marked unstable. What lies in a state that only one run has is part of that
// state's difference, not one of its own.
namespace topodb::query {

enum class DiffSection : uint8_t { kStates, kElements, kEdges, kSkips, kFailures };

enum class Change : uint8_t {
  kAdded,
  kRemoved,
  kChanged,
  kRenamed,       // an element, in the same containers
  kMoved,         // an element, to other containers
  kAmbiguous,     // an element that its locators no longer find as well: alone, in its container
  kUnique,        // the reverse
  kRedirected,    // an edge that leads elsewhere
  kRiskChanged,   // an edge of another risk
  kNewlySkipped,  // an action that the first run did and the second refused
  kNewlyFailing,  // … or could not do
  kNotObserved,   // missing in a run that may just not have looked: no difference by itself
};

std::string_view ToString(DiffSection section);
std::string_view ToString(Change change);

struct FieldChange {
  std::string field;  // as in the JSON form: "accessibleName", "parameterSurface.required"
  std::optional<std::string> before, after;
  bool operator==(const FieldChange&) const = default;
};

struct Difference {
  DiffSection section = DiffSection::kStates;
  Change change = Change::kChanged;
  std::string before_id, after_id;  // of the record; empty in the run that lacks it
  // The state that it belongs to, or is, in each run; of a record that one run lacks, where it
  // would be. Empty: that run has no such state.
  std::string before_state, after_state;
  std::string role;    // of the element; "page" of states
  std::string name;    // accessible name or text of the element; title of the state
  std::string where;   // its containers: 'row "Acme", dialog "Edit"'; the URL of states
  std::string page;    // title of the state that it belongs to
  std::string action;  // edges, skips, failures: "click"
  std::vector<FieldChange> fields;
  std::optional<double> similarity;  // of elements that were aligned by it alone
  std::string cause;  // kNotObserved: which run lacks it and why it may not have looked
  bool operator==(const Difference&) const = default;
};

struct Diff {
  std::string before_run, after_run;  // ids
  std::vector<std::string> warnings;
  uint64_t aligned_states = 0;
  std::vector<Difference> differences;  // section by section, in the order of the runs
};

// How many of a section; kNotObserved only when asked for.
uint64_t CountOf(const Diff& diff, DiffSection section, Change change);
// Whether anything but kNotObserved was found.
bool HasDifferences(const Diff& diff);

enum class Comparability {
  kRequired,  // runs of different input are refused
  kForced,    // … are compared with a warning
};

struct DiffOptions {
  Comparability comparability = Comparability::kRequired;
  std::vector<DiffSection> only = {};  // empty: all
};

// kInvalidArgument, naming what differs, when the runs have different input fingerprints; errors of
// the store.
Result<Diff> DiffRuns(const store::GraphReader& before_reader, const store::StoredRun& before,
                      const store::GraphReader& after_reader, const store::StoredRun& after,
                      const DiffOptions& options);

}  // namespace topodb::query
