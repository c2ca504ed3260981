#include "query/check_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "query/check_index.h"
#include "query/check_record.h"
#include "query/record_walk.h"
#include "query/violations.h"
#include "schema/fingerprint.h"
#include "schema/names.h"

namespace topodb::query {
namespace {

using store::Key;
using store::Kind;

// An action tried on an element of a state.
using Attempt = std::tuple<StateId, ElementId, ActionType>;

// A reference to be looked up once everything has been seen.
struct Reference {
  std::string key;     // of the row that refers
  std::string record;  // its id
  std::string what;    // that it refers to
};

// Sees every record of a run once, in the order of WalkRecords.
class RunCheck {
 public:
  RunCheck(const Run& run, Violations& violations)
      : run_(run), scheme_(run.id_scheme), violations_(violations) {}

  void Row(std::string_view key, std::string_view value) {
    ++records_;
    totals_.Add(key, value);
  }

  void BadKey(std::string_view key, const Error& error) {
    violations_.Add(Invariant::kKeyForm, key, {}, error.message);
  }

  void BadRecord(std::string_view bytes, const Key& key, const Error& error) {
    violations_.Add(Invariant::kRecordForm, bytes, {}, error.message);
    // It may be what others refer to.
    if (key.kind == Kind::kState) unreadable_states_ = true;
    if (key.kind == Kind::kElement) unreadable_elements_ = true;
    if (key.kind == Kind::kEdge) unreadable_edges_ = true;
  }

  // Rows that cannot be read may be what others refer to, and what index rows follow from.
  Status Ended(Kind kind, const Status& status) {
    if (status) return {};
    unreadable_.insert(kind);
    if (kind == Kind::kState) unreadable_states_ = true;
    if (kind == Kind::kElement) unreadable_elements_ = true;
    if (kind == Kind::kEdge) unreadable_edges_ = true;
    return violations_.TakeDamage(status);
  }

  void Use(std::string_view bytes, const Key& key, const State& state) {
    if (!states_.emplace(state.id, key.state).second) SeenTwice(bytes, state.id);
    if (state.opened_by_edge_id) {
      openers_.push_back({std::string(bytes), state.id, *state.opened_by_edge_id});
    }
    Common(bytes, key, state);
  }

  void Use(std::string_view bytes, const Key& key, const ActionEdge& edge) {
    if (!edges_.emplace(edge.id, store::DestinationsOf(edge)).second) SeenTwice(bytes, edge.id);
    RequirePlace(bytes, key, edge.id.ToString(), edge.from_state_id);
    for (const StateId& to : store::DestinationsOf(edge)) {
      RequireState(bytes, edge.id.ToString(), to);
    }
    Refer(wanted_elements_[edge.element_id], bytes, edge.id, edge.element_id);
    if (edge.locator_id)
      Refer(wanted_locators_[*edge.locator_id], bytes, edge.id, *edge.locator_id);
    attempts_.insert({edge.from_state_id, edge.element_id, edge.action_type});
    if (run_.mode == RunMode::kScan && scheme_ == IdScheme::kTopodb1) {
      violations_.Add(Invariant::kScanPassive, bytes, edge.id.ToString(), "a scan has an edge");
    }
    Common(bytes, key, edge);
  }

  void Use(std::string_view bytes, const Key& key, const Element& element) {
    if (!elements_.insert(element.id).second) SeenTwice(bytes, element.id);
    RequirePlace(bytes, key, element.id.ToString(), element.state_id);
    wanted_elements_.erase(element.id);
    for (const Locator& locator : element.locators) wanted_locators_.erase(locator.id);
    CheckElementId(bytes, key, element);
    Common(bytes, key, element);
  }

  void Use(std::string_view bytes, const Key& key, const SkippedAction& skip) {
    if (!skips_.insert(skip.id).second) SeenTwice(bytes, skip.id);
    RequirePlace(bytes, key, skip.id.ToString(), skip.state_id);
    RequireElement(bytes, skip.id.ToString(), skip.element_id);
    if (attempts_.contains({skip.state_id, skip.element_id, skip.action_type})) {
      violations_.Add(Invariant::kSkipNoEdge, bytes, skip.id.ToString(),
                      "the refused action has an edge");
    }
    if (run_.mode == RunMode::kScan && scheme_ == IdScheme::kTopodb1) {
      violations_.Add(Invariant::kScanPassive, bytes, skip.id.ToString(), "a scan has a skip");
    }
    Common(bytes, key, skip);
  }

  void Use(std::string_view bytes, const Key& key, const FailedObservation& failure) {
    const std::string id = failure.id.ToString();
    if (!failures_.insert(failure.id).second) SeenTwice(bytes, failure.id);
    RequireOptionalPlace(bytes, key, id, failure.state_id);
    if (failure.element_id) RequireElement(bytes, id, *failure.element_id);
    const bool acted = failure.state_id && failure.element_id && failure.action_type;
    if (acted &&
        attempts_.contains({*failure.state_id, *failure.element_id, *failure.action_type})) {
      violations_.Add(Invariant::kFailureNoEdge, bytes, id, "the failed action has an edge");
    }
    Common(bytes, key, failure);
  }

  void Use(std::string_view bytes, const Key& key, const CompletionObservation& observation) {
    const std::string id = observation.id.ToString();
    if (!observations_.insert(observation.id).second) SeenTwice(bytes, observation.id);
    RequireOptionalPlace(bytes, key, id, observation.state_id);
    if (observation.element_id) RequireElement(bytes, id, *observation.element_id);
    Common(bytes, key, observation);
  }

  void Use(std::string_view bytes, const Key& key, const Landmark& landmark) {
    const std::string id = landmark.id.ToString();
    if (!landmarks_.insert(landmark.id).second) SeenTwice(bytes, landmark.id);
    RequirePlace(bytes, key, id, landmark.state_id);
    if (scheme_ == IdScheme::kTopodb1) {
      const uint32_t twins = landmark_twins_[{key.state, landmark.role, landmark.name}]++;
      if (ComputeLandmarkId(landmark.state_id, landmark, twins) != landmark.id) {
        violations_.Add(Invariant::kIdDerived, bytes, id, "the landmark is made of something else");
      }
    }
    Common(bytes, key, landmark);
  }

  // Before the first record.
  void AddForeignText(std::string_view key, std::string_view value, const IdBytes& id) {
    totals_.Add(key, value);
    foreign_texts_.insert(id);
  }

  // After the last record.
  void Finish() {
    if (!unreadable_elements_) {
      ReportUnmet(Invariant::kRefElement, wanted_elements_);
      ReportUnmet(Invariant::kRefLocator, wanted_locators_);
    }
    if (!unreadable_edges_) CheckOpeners();
  }

  const store::Totals& totals() const { return totals_; }
  const IndexSums& sums() const { return sums_; }
  uint64_t records() const { return records_; }
  // Kinds of which not every row could be read.
  const std::set<Kind>& unreadable() const { return unreadable_; }

 private:
  struct Opener {
    std::string key;
    StateId state;
    EdgeId edge;
  };

  template <class RecordId>
  void SeenTwice(std::string_view key, const RecordId& id) {
    violations_.Add(Invariant::kIdUnique, key, id.ToString(), "the id stands twice in this run");
  }

  template <class RecordId, class TargetId>
  static void Refer(std::vector<Reference>& references, std::string_view key, const RecordId& from,
                    const TargetId& to) {
    references.push_back({std::string(key), from.ToString(), to.ToString()});
  }

  // A record belongs to a state that exists, and stands under that state's ordinal.
  void RequirePlace(std::string_view key_bytes, const Key& key, const std::string& record,
                    const StateId& state) {
    const auto found = states_.find(state);
    if (found == states_.end()) return RequireState(key_bytes, record, state);
    if (found->second == key.state) return;
    violations_.Add(
        Invariant::kRecordPlace, key_bytes, record,
        fmt::format("it belongs to {}, which stands at {:08x}", state.ToString(), found->second));
  }

  void RequireOptionalPlace(std::string_view key_bytes, const Key& key, const std::string& record,
                            const std::optional<StateId>& state) {
    if (state) return RequirePlace(key_bytes, key, record, *state);
    if (key.state == store::kNoState) return;
    violations_.Add(Invariant::kRecordPlace, key_bytes, record, "it names no state");
  }

  void RequireState(std::string_view key, const std::string& record, const StateId& state) {
    if (states_.contains(state) || unreadable_states_) return;
    violations_.Add(Invariant::kRefState, key, record,
                    fmt::format("there is no {}", state.ToString()));
  }

  void RequireElement(std::string_view key, const std::string& record, const ElementId& element) {
    if (elements_.contains(element) || unreadable_elements_) return;
    violations_.Add(Invariant::kRefElement, key, record,
                    fmt::format("there is no {}", element.ToString()));
  }

  void CheckElementId(std::string_view bytes, const Key& key, const Element& element) {
    if (scheme_ != IdScheme::kTopodb1) return;
    const uint32_t ordinal = anchor_ordinals_[{key.state, element.anchor_key}]++;
    if (ComputeElementId(element.state_id, element, ordinal) == element.id) return;
    violations_.Add(Invariant::kIdDerived, bytes, element.id.ToString(),
                    "the element is made of something else");
  }

  // What holds for every record.
  template <class Record>
  void Common(std::string_view bytes, const Key& key, const Record& record) {
    for (RecordProblem& problem : ProblemsOf(record, scheme_)) {
      violations_.Add(problem.invariant, bytes, record.id.ToString(), std::move(problem.message));
    }
    const bool has_texts = scheme_ == IdScheme::kForeign && !unreadable_.contains(Kind::kForeignId);
    if (has_texts && !foreign_texts_.contains(record.id.bytes)) {
      violations_.Add(Invariant::kForeignText, bytes, record.id.ToString(),
                      "the imported id has no text");
    }
    const store::Place place{.run = key.run, .state = key.state, .ordinal = key.ordinal};
    AddToSums(RowsFollowing(record, place, states_), sums_);
  }

  template <class TargetId>
  void ReportUnmet(Invariant invariant, const std::map<TargetId, std::vector<Reference>>& unmet) {
    for (const auto& [target, references] : unmet) {
      for (const Reference& reference : references) {
        violations_.Add(invariant, reference.key, reference.record,
                        fmt::format("there is no {}", reference.what));
      }
    }
  }

  void CheckOpeners() {
    for (const Opener& opener : openers_) {
      const auto edge = edges_.find(opener.edge);
      if (edge == edges_.end()) {
        violations_.Add(Invariant::kRefEdge, opener.key, opener.state.ToString(),
                        fmt::format("there is no {}", opener.edge.ToString()));
        continue;
      }
      const std::vector<StateId>& to = edge->second;
      if (std::find(to.begin(), to.end(), opener.state) != to.end()) continue;
      violations_.Add(Invariant::kOpener, opener.key, opener.state.ToString(),
                      fmt::format("{} does not lead to it", opener.edge.ToString()));
    }
  }

  const Run& run_;
  IdScheme scheme_;
  Violations& violations_;
  uint64_t records_ = 0;
  store::Totals totals_;
  IndexSums sums_;
  StateOrdinals states_;
  std::unordered_map<EdgeId, std::vector<StateId>> edges_;
  std::unordered_set<ElementId> elements_;
  std::unordered_set<SkipId> skips_;
  std::unordered_set<FailureId> failures_;
  std::unordered_set<LandmarkId> landmarks_;
  std::unordered_set<ObservationId> observations_;
  std::set<Attempt> attempts_;
  std::vector<Opener> openers_;
  std::map<ElementId, std::vector<Reference>> wanted_elements_;  // not yet seen
  std::map<LocatorId, std::vector<Reference>> wanted_locators_;
  std::map<std::pair<store::StateOrdinal, AnchorKey>, uint32_t> anchor_ordinals_;
  std::map<std::tuple<store::StateOrdinal, std::string, std::optional<std::string>>, uint32_t>
      landmark_twins_;
  std::set<IdBytes> foreign_texts_;
  std::set<Kind> unreadable_;
  bool unreadable_states_ = false, unreadable_elements_ = false, unreadable_edges_ = false;
};

void CheckManifest(const store::Manifest& manifest, const RunCheck& found, Violations& violations) {
  const Run& run = manifest.run;
  const std::string id = run.id.ToString();
  for (const Kind kind : store::kFactKinds) {
    if (found.unreadable().contains(kind)) continue;
    const store::KindTotal& want = manifest.totals.Of(kind);
    const store::KindTotal& have = found.totals().Of(kind);
    if (want == have) continue;
    violations.Add(Invariant::kTotals, {}, id,
                   want.rows != have.rows
                       ? fmt::format("{} rows of kind {:02x}, {} in the manifest", have.rows,
                                     static_cast<int>(kind), want.rows)
                       : fmt::format("rows of kind {:02x} were altered", static_cast<int>(kind)));
  }
  if (run.counts != manifest.totals.Counts()) {
    violations.Add(Invariant::kRunCounts, {}, id, "the counts are not those of the records");
  }
  if (run.status == RunStatus::kRunning) {
    violations.Add(Invariant::kRunClosed, {}, id, "the run is published and has not ended");
  }
  const bool needs_reason = run.status == RunStatus::kPartial || run.status == RunStatus::kFailed;
  if (needs_reason && run.status_reason.empty() && run.id_scheme == IdScheme::kTopodb1) {
    violations.Add(Invariant::kRunClosed, {}, id,
                   fmt::format("the run is {} for no reason", ToString(run.status)));
  }
}

// The texts of imported ids: facts too, and no records.
Status WalkForeignTexts(const store::Kv& kv, store::RunNumber run, RunCheck& check) {
  const store::KeyRange range = store::RangeOf(Kind::kForeignId, run);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    const auto key = store::ParseKey(row->key());
    if (key) {
      check.AddForeignText(row->key(), row->value(), key->id);
    } else {
      check.BadKey(row->key(), key.error());
    }
  }
  return row->status();
}

}  // namespace

Status CheckRun(const store::GraphReader& reader, store::RunNumber number,
                const store::Manifest& manifest, CheckReport& report) {
  Violations violations(report, manifest.run.id.ToString());
  RunCheck check(manifest.run, violations);
  TOPODB_TRY_VOID(check.Ended(Kind::kForeignId, WalkForeignTexts(reader.kv(), number, check)));
  TOPODB_TRY_VOID(WalkRecords(reader.kv(), number, check));
  check.Finish();
  CheckManifest(manifest, check, violations);
  if (check.unreadable().empty()) {
    TOPODB_TRY_VOID(CheckIndexRows(reader.kv(), number, check.sums(), violations));
  }
  ++report.runs;
  report.records += check.records();
  return {};
}

}  // namespace topodb::query
