#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/run_graph.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

// What changed between two runs of one input.
//
// States are aligned by id; then by canonical URL, open dialogs and the edge that opened them;
// then, where that is unique, by canonical URL, dialogs and template. Elements of aligned states
// are aligned by anchor key. Never compared: ids, ordinals, boxes, times, and what either run
// marked unstable. What lies in a state that only one run has is part of that state's difference,
// not one of its own.
namespace topodb::query {

enum class DiffSection : uint8_t { kStates, kElements, kEdges, kSkips, kFailures };

enum class Change : uint8_t {
  kAdded,
  kRemoved,
  kChanged,
  kRenamed,      // an element with the same test id, DOM id or link target in the same container
  kMoved,        // an element with the same test id or DOM id in another container
  kNotObserved,  // missing in a run that may just not have looked: no difference by itself
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
  std::string before_id, after_id;        // of the record; empty in the run that lacks it
  std::string before_state, after_state;  // that it belongs to, or is
  std::string role;                       // of the element; "page" of states
  std::string name;    // accessible name or text of the element; title of the state
  std::string where;   // its containers: 'row "Acme", dialog "Edit"'; the URL of states
  std::string page;    // title of the state that it belongs to
  std::string action;  // edges, skips, failures: "click"
  std::vector<FieldChange> fields;
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

// kInvalidArgument, naming what differs, when the runs have different input fingerprints.
Result<Diff> DiffRuns(const store::GraphReader& before_reader, const store::StoredRun& before,
                      const store::GraphReader& after_reader, const store::StoredRun& after,
                      const DiffOptions& options);

// The same on loaded runs. Pure.
Result<Diff> DiffGraphs(const RunGraph& before, const RunGraph& after, const DiffOptions& options);

}  // namespace topodb::query
