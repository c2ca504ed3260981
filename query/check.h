#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "store/graph_reader.h"

// Integrity: what must hold in every stored run, proved from the rows themselves.
namespace topodb::query {

enum class Invariant : uint8_t {
  // of the database
  kReadable,   // every row can be read
  kKeyForm,    // every key is of a known kind and well formed
  kRunKnown,   // every row belongs to a published run or to a draft
  kRunNames,   // name, id and fingerprint rows lead to their run, and every run has them
  kRunNumber,  // the next run number is above all that were given
  // of rows
  kRecordForm,   // every record's bytes verify
  kRecordPlace,  // a record stands under the key that its fields say
  kIndexRows,    // index rows are exactly those that follow from the records
  kTotals,       // the manifest's totals are those of the rows
  kIdUnique,     // an id stands once per kind and run
  kIdDerived,    // our own ids are the hash of what they are made of
  // of a run
  kRunClosed,    // a published run has ended, and says why unless it is complete
  kRunCounts,    // its counts are those of its records
  kScanPassive,  // a scan acts on nothing: no edges, no skips
  // of references
  kRefState,
  kRefElement,
  kRefEdge,
  kRefLocator,
  kOpener,       // the edge that opened a state leads to it
  kForeignText,  // every id of an imported record has its text
  // of meaning
  kEvidence,        // there is some, and every piece names its source
  kEdgeEnds,        // an edge leads somewhere, and conflicts are marked
  kEdgeEffect,      // an edge had an effect
  kFailureMessage,  // a failure says what happened
  kFailureNoEdge,   // a failed action is no edge
  kSkipReason,      // a skip names its risk category
  kSkipNoEdge,      // a refused action is no edge
  kLandmarkName,    // a landmark has an id or a name
  kCompletionText,  // an observation has a text exactly when it is complete, and then a proof
};

struct InvariantText {
  Invariant invariant;
  std::string_view id;  // stable, as printed: "index-rows"
  std::string_view statement;
};

// All of them, in the order of the enumerators.
std::span<const InvariantText> Invariants();
std::string_view IdOf(Invariant invariant);

struct Violation {
  Invariant invariant = Invariant::kKeyForm;
  std::string run;      // the run's id, or "run number 7" where it has none; empty: the database
  std::string key;      // of the row, in hex; empty where no single row is to blame
  std::string record;   // the id of the record; may be empty
  std::string message;  // what was found instead
  bool operator==(const Violation&) const = default;
};

// Violations beyond this many are counted only.
inline constexpr size_t kMaxViolations = 1000;

struct CheckReport {
  uint64_t runs = 0;
  uint64_t records = 0;
  uint64_t found = 0;                 // violations, listed or not
  std::vector<Violation> violations;  // the database first, then run by run
};

// Checks the whole database, or only these runs. Recomputes nothing for imported ids but their
// references. Whatever is wrong is a violation, rows that are damaged on disk among them: then the
// rest is checked as far as it does not depend on these. Errors: what runs there are cannot be
// read.
Result<CheckReport> Check(const store::GraphReader& reader);
Result<CheckReport> CheckRuns(const store::GraphReader& reader,
                              const std::vector<store::StoredRun>& runs);

// What makes the index rows of a run follow from its records again: rows to put and to delete.
// Empty when they do. Records that do not verify are left alone, and with them the rows that only
// they could explain.
Result<store::Batch> PlanIndexRepair(const store::GraphReader& reader, store::RunNumber run);

}  // namespace topodb::query
