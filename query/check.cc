#include "query/check.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "query/check_run.h"
#include "query/violations.h"
#include "store/keys.h"
#include "store/values.h"

namespace topodb::query {
namespace {

using store::Key;
using store::Kind;
using store::RunNumber;

constexpr InvariantText kInvariants[] = {
    {Invariant::kReadable, "readable", "every row can be read"},
    {Invariant::kKeyForm, "key-form", "every key is of a known kind and well formed"},
    {Invariant::kRunKnown, "run-known", "every row belongs to a published run or to a draft"},
    {Invariant::kRunNames, "run-names", "names, ids and fingerprints lead to their runs"},
    {Invariant::kRunNumber, "run-number", "the next run number is above all that were given"},
    {Invariant::kRecordForm, "record-form", "every record's bytes verify"},
    {Invariant::kRecordPlace, "record-place", "a record stands where its fields say"},
    {Invariant::kIndexRows, "index-rows", "index rows are exactly those of the records"},
    {Invariant::kTotals, "totals", "the manifest's totals are those of the rows"},
    {Invariant::kIdUnique, "id-unique", "an id stands once per kind and run"},
    {Invariant::kIdDerived, "id-derived", "an id is the hash of what it is made of"},
    {Invariant::kRunClosed, "run-closed", "a published run has ended"},
    {Invariant::kRunCounts, "run-counts", "a run's counts are those of its records"},
    {Invariant::kScanPassive, "scan-passive", "a scan has no edges and no skips"},
    {Invariant::kRefState, "ref-state", "every state that a record names exists"},
    {Invariant::kRefElement, "ref-element", "every element that a record names exists"},
    {Invariant::kRefEdge, "ref-edge", "every edge that a record names exists"},
    {Invariant::kRefLocator, "ref-locator", "every locator that a record names exists"},
    {Invariant::kOpener, "opener", "the edge that opened a state leads to it"},
    {Invariant::kForeignText, "foreign-text", "every imported id has its text"},
    {Invariant::kEvidence, "evidence", "a record has evidence, and it names its source"},
    {Invariant::kEdgeEnds, "edge-ends", "an edge leads somewhere, and conflicts are marked"},
    {Invariant::kEdgeEffect, "edge-effect", "an edge had an effect"},
    {Invariant::kFailureMessage, "failure-message", "a failure says what happened"},
    {Invariant::kFailureNoEdge, "failure-no-edge", "a failed action is no edge"},
    {Invariant::kSkipReason, "skip-reason", "a skip names its risk category"},
    {Invariant::kSkipNoEdge, "skip-no-edge", "a refused action is no edge"},
    {Invariant::kLandmarkName, "landmark-name", "a landmark has an id or a name"},
    {Invariant::kCompletionText, "completion-text",
     "an observation has a text exactly when it is complete and proven"},
};

constexpr std::string_view kRemoveHint = "left behind by a run that is gone";

std::string ToHexText(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return hex;
}

// The rows that belong to no run in particular, and those of runs that do not exist.
class DatabaseCheck {
 public:
  DatabaseCheck(const store::Kv& kv, CheckReport& report) : kv_(kv), violations_(report, {}) {}

  Status Read() {
    TOPODB_TRY_VOID(ReadManifests());
    TOPODB_TRY_VOID(ReadDrafts());
    TOPODB_TRY_VOID(CheckNames());
    TOPODB_TRY_VOID(CheckInputs());
    TOPODB_TRY_VOID(CheckNextRun());
    TOPODB_TRY_VOID(CheckUnknownKinds());
    return CheckUnknownRuns();
  }

  const std::vector<std::pair<RunNumber, store::Manifest>>& manifests() const { return manifests_; }

 private:
  // Shows every well-formed key of a range to `use`.
  template <class Use>
  Status Walk(const store::KeyRange& range, const Use& use) {
    const auto row = kv_.Scan(range.begin, range.end);
    for (; row->Valid(); row->Next()) {
      const auto key = store::ParseKey(row->key());
      if (key) {
        use(row->key(), *key, row->value());
      } else {
        violations_.Add(Invariant::kKeyForm, row->key(), {}, key.error().message);
      }
    }
    return row->status();
  }

  Status ReadManifests() {
    return Walk(store::RangeOf(Kind::kManifest),
                [&](std::string_view bytes, const Key& key, std::string_view value) {
                  known_.insert(key.run);
                  auto manifest = store::DecodeManifest(value);
                  if (manifest) {
                    manifests_.emplace_back(key.run, *std::move(manifest));
                  } else {
                    violations_.Add(Invariant::kRecordForm, bytes, {}, manifest.error().message);
                  }
                });
  }

  Status ReadDrafts() {
    return Walk(store::RangeOf(Kind::kDraft),
                [&](std::string_view bytes, const Key& key, std::string_view /*value*/) {
                  if (known_.insert(key.run).second) return;
                  violations_.Add(Invariant::kRunKnown, bytes, {},
                                  fmt::format("run number {} is published and a draft", key.run));
                });
  }

  Status CheckNames() {
    std::set<std::pair<std::string, RunNumber>> missing;
    for (const auto& [number, manifest] : manifests_) {
      missing.emplace(manifest.run.id.ToString(), number);
      if (!manifest.run.name.empty()) missing.emplace(manifest.run.name, number);
    }
    TOPODB_TRY_VOID(Walk(store::RangeOf(Kind::kRunName),
                         [&](std::string_view bytes, const Key& key, std::string_view value) {
                           const auto number = store::DecodeRunNumber(value);
                           if (number && missing.erase({key.text, *number}) == 1) return;
                           violations_.Add(Invariant::kRunNames, bytes, key.text,
                                           "the name leads to no run of that name");
                         }));
    for (const auto& [name, number] : missing) {
      violations_.Add(Invariant::kRunNames, {}, name,
                      fmt::format("run number {} is not found by it", number));
    }
    return {};
  }

  Status CheckInputs() {
    std::set<std::pair<IdBytes, RunNumber>> missing;
    for (const auto& [number, manifest] : manifests_) {
      missing.emplace(manifest.run.input_fingerprint.bytes, number);
    }
    TOPODB_TRY_VOID(Walk(store::RangeOf(Kind::kRunByInput),
                         [&](std::string_view bytes, const Key& key, std::string_view /*value*/) {
                           if (missing.erase({key.id, key.run}) == 1) return;
                           violations_.Add(
                               Invariant::kRunNames, bytes, InputFingerprint{key.id}.ToString(),
                               fmt::format("run number {} has another fingerprint", key.run));
                         }));
    for (const auto& [input, number] : missing) {
      violations_.Add(Invariant::kRunNames, {}, InputFingerprint{input}.ToString(),
                      fmt::format("run number {} is not found by its fingerprint", number));
    }
    return {};
  }

  Status CheckNextRun() {
    Key key;
    key.text = store::kNextRunFact;
    const std::string bytes = store::EncodeKey(key);
    TOPODB_TRY(const auto value, kv_.Get(bytes));
    const RunNumber last = known_.empty() ? 0 : *known_.rbegin();
    if (!value && known_.empty()) return {};
    const auto next = store::DecodeRunNumber(value.value_or(""));
    if (next && *next > last) return {};
    violations_.Add(Invariant::kRunNumber, bytes, {},
                    fmt::format("run number {} would be given again", last));
    return {};
  }

  Status CheckUnknownKinds() {
    std::set<int> kinds = {static_cast<int>(Kind::kStore), static_cast<int>(Kind::kManifest),
                           static_cast<int>(Kind::kRunName), static_cast<int>(Kind::kDraft),
                           static_cast<int>(Kind::kRunByInput)};
    for (const Kind kind : store::kRunKinds) kinds.insert(static_cast<int>(kind));
    for (int kind = 0; kind <= 0xFF; ++kind) {
      if (kinds.contains(kind)) continue;
      const std::string begin(1, static_cast<char>(kind));
      const std::string end = kind == 0xFF ? "" : std::string(1, static_cast<char>(kind + 1));
      TOPODB_TRY_VOID(Walk({begin, end}, [](auto&&...) {}));
    }
    return {};
  }

  Status CheckUnknownRuns() {
    for (const Kind kind : store::kRunKinds) {
      TOPODB_TRY_VOID(violations_.TakeDamage(CheckUnknownRuns(kind)));
    }
    return {};
  }

  // One look for each run, not for each row.
  Status CheckUnknownRuns(Kind kind) {
    store::KeyRange range = store::RangeOf(kind);
    while (range.begin < range.end) {
      const auto row = kv_.Scan(range.begin, range.end);
      TOPODB_TRY_VOID(row->status());
      if (!row->Valid()) break;
      const auto key = store::ParseKey(row->key());
      if (!key) {
        violations_.Add(Invariant::kKeyForm, row->key(), {}, key.error().message);
        range.begin = std::string(row->key()) + '\0';
        continue;
      }
      if (!known_.contains(key->run)) {
        violations_.Add(Invariant::kRunKnown, row->key(), {},
                        fmt::format("there is no run number {}: {}", key->run, kRemoveHint));
      }
      range.begin = store::RangeOf(kind, key->run).end;
    }
    return {};
  }

  const store::Kv& kv_;
  Violations violations_;
  std::set<RunNumber> known_;
  std::vector<std::pair<RunNumber, store::Manifest>> manifests_;
};

}  // namespace

std::span<const InvariantText> Invariants() { return kInvariants; }

std::string_view IdOf(Invariant invariant) {
  const auto* const found =
      std::find_if(std::begin(kInvariants), std::end(kInvariants),
                   [&](const InvariantText& text) { return text.invariant == invariant; });
  return found == std::end(kInvariants) ? std::string_view() : found->id;
}

void Violations::Add(Invariant invariant, std::string_view key, std::string record,
                     std::string message) {
  if (report_.found++ >= kMaxViolations) return;
  report_.violations.push_back({.invariant = invariant,
                                .run = run_,
                                .key = ToHexText(key),
                                .record = std::move(record),
                                .message = std::move(message)});
}

Status Violations::TakeDamage(Status status) {
  if (status || status.error().code != ErrorCode::kCorruption) return status;
  Add(Invariant::kReadable, {}, {}, status.error().message);
  return {};
}

Result<CheckReport> Check(const store::GraphReader& reader) {
  CheckReport report;
  DatabaseCheck database(reader.kv(), report);
  TOPODB_TRY_VOID(database.Read());
  for (const auto& [number, manifest] : database.manifests()) {
    TOPODB_TRY_VOID(CheckRun(reader, number, manifest, report));
  }
  return report;
}

Result<CheckReport> CheckRuns(const store::GraphReader& reader,
                              const std::vector<store::StoredRun>& runs) {
  CheckReport report;
  for (const store::StoredRun& run : runs) {
    Key key;
    key.kind = Kind::kManifest;
    key.run = run.number;
    TOPODB_TRY(const auto value, reader.kv().Get(store::EncodeKey(key)));
    TOPODB_TRY(const store::Manifest manifest, store::DecodeManifest(value.value_or("")));
    TOPODB_TRY_VOID(CheckRun(reader, run.number, manifest, report));
  }
  return report;
}

}  // namespace topodb::query
