#include "query/check.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/exchange/import_json.h"
#include "schema/codec.h"
#include "schema/fingerprint.h"
#include "store/graph_writer.h"
#include "store/lookup.h"
#include "store/rows.h"
#include "store/values.h"
#include "tests/support/full_graph.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::query {
namespace {

using store::Kind;
using ::testing::IsEmpty;
using testing::MemKv;

constexpr store::RunNumber kRun = 1;

// ---- ways to break a graph ---------------------------------------------------------------------

std::string KeyAt(Kind kind, store::StateOrdinal state, uint32_t ordinal,
                  store::RunNumber run = kRun) {
  store::Key key;
  key.kind = kind;
  key.run = run;
  key.state = state;
  key.ordinal = ordinal;
  return store::EncodeKey(key);
}

void Put(MemKv& kv, std::string key, std::string value) {
  store::Batch batch;
  batch.Put(std::move(key), std::move(value));
  ASSERT_TRUE(kv.Apply(batch, store::Durability::kProcess));
}

void Delete(MemKv& kv, std::string key) {
  store::Batch batch;
  batch.Delete(std::move(key));
  ASSERT_TRUE(kv.Apply(batch, store::Durability::kProcess));
}

std::string FirstKey(const MemKv& kv, Kind kind) {
  const auto row = kv.Scan(store::RangeOf(kind).begin, store::RangeOf(kind).end);
  return std::string(row->key());
}

void EditManifest(MemKv& kv, const std::function<void(store::Manifest&)>& edit) {
  const std::string key = FirstKey(kv, Kind::kManifest);
  auto manifest = store::DecodeManifest(**kv.Get(key));
  edit(*manifest);
  Put(kv, key, store::Encode(*manifest));
}

// Lets the manifest agree with whatever rows there are.
void FixTotals(MemKv& kv) {
  EditManifest(kv, [&](store::Manifest& manifest) {
    manifest.totals = *store::CountRows(kv, kRun);
    manifest.run.counts = manifest.totals.Counts();
  });
}

std::vector<store::Row> RowsAt(const MemKv& kv, const ActionEdge& edge, const store::Place& place) {
  std::vector<store::StateOrdinal> to;
  for (const StateId& state : store::DestinationsOf(edge)) {
    const auto row = store::FindIdentity(kv, kRun, store::RecordKind::kState, state.bytes);
    if (*row) to.push_back((*row)->state);
  }
  return store::RowsOf(edge, place, to);
}

template <class Record>
std::vector<store::Row> RowsAt(const MemKv& /*kv*/, const Record& record,
                               const store::Place& place) {
  return store::RowsOf(record, place);
}

// Changes a record as a faulty writer would: its index rows and the totals agree with the change.
template <class Record>
std::function<void(MemKv&)> Edit(Kind kind, store::StateOrdinal state, uint32_t ordinal,
                                 std::function<void(Record&)> edit) {
  return [=](MemKv& kv) {
    const store::Place place{.run = kRun, .state = state, .ordinal = ordinal};
    Record record = *Decode<Record>(**kv.Get(KeyAt(kind, state, ordinal)));
    for (const store::Row& row : RowsAt(kv, record, place)) Delete(kv, row.key);
    edit(record);
    for (const store::Row& row : RowsAt(kv, record, place)) Put(kv, row.key, row.value);
    FixTotals(kv);
  };
}

std::function<void(MemKv&)> EditState(std::function<void(State&)> edit) {
  return Edit<State>(Kind::kState, 1, 0, std::move(edit));
}
std::function<void(MemKv&)> EditElement(std::function<void(Element&)> edit) {
  return Edit<Element>(Kind::kElement, 1, 1, std::move(edit));
}
// The edge from the last state back to the first.
std::function<void(MemKv&)> EditEdge(std::function<void(ActionEdge&)> edit) {
  return Edit<ActionEdge>(Kind::kEdge, 2, 2, std::move(edit));
}
std::function<void(MemKv&)> EditSkip(std::function<void(SkippedAction&)> edit) {
  return Edit<SkippedAction>(Kind::kSkip, 0, 0, std::move(edit));
}
std::function<void(MemKv&)> EditFailure(std::function<void(FailedObservation&)> edit) {
  return Edit<FailedObservation>(Kind::kFailure, 1, 0, std::move(edit));
}
// Stores one more observation, of a page that was only waited for.
void WriteObservation(MemKv& kv, const std::function<void(CompletionObservation&)>& edit) {
  CompletionObservation observation;
  observation.profile = "chatgpt";
  observation.id = ComputeObservationId({}, {}, {}, observation.profile);
  observation.evidence = {{EvidenceLevel::kObserved, "completion", "nothing was proven"}};
  edit(observation);
  const store::Place place{.run = kRun, .state = store::kNoState, .ordinal = 0};
  for (const store::Row& row : store::RowsOf(observation, place)) Put(kv, row.key, row.value);
  FixTotals(kv);
}

std::function<void(MemKv&)> EditLandmark(std::function<void(Landmark&)> edit) {
  return Edit<Landmark>(Kind::kLandmark, 0, 0, std::move(edit));
}

void GiveNewId(FailedObservation& failure) {
  failure.id =
      ComputeFailureId(failure.state_id, failure.element_id, failure.action_type, failure.reason);
}

// The element of the small graph's first edge.
Element FirstElement(const MemKv& kv) {
  return *Decode<Element>(**kv.Get(KeyAt(Kind::kElement, 0, 0)));
}

struct Case {
  std::string name;
  Invariant invariant;
  std::function<void(MemKv&)> damage;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"unknown_kind", Invariant::kKeyForm, [](MemKv& kv) { Put(kv, "\xEE", ""); }},
      {"cut_key", Invariant::kKeyForm,
       [](MemKv& kv) { Put(kv, KeyAt(Kind::kElement, 0, 7).substr(0, 11), ""); }},
      {"row_of_no_run", Invariant::kRunKnown,
       [](MemKv& kv) { Put(kv, KeyAt(Kind::kSkip, 0, 0, 77), "x"); }},
      {"published_draft", Invariant::kRunKnown,
       [](MemKv& kv) { Put(kv, KeyAt(Kind::kDraft, 0, 0), "x"); }},
      {"name_missing", Invariant::kRunNames,
       [](MemKv& kv) { Delete(kv, FirstKey(kv, Kind::kRunName)); }},
      {"name_of_another", Invariant::kRunNames,
       [](MemKv& kv) {
         store::Key key;
         key.kind = Kind::kRunName;
         key.text = "stranger";
         Put(kv, store::EncodeKey(key), store::EncodeRunNumber(kRun));
       }},
      {"fingerprint_missing", Invariant::kRunNames,
       [](MemKv& kv) { Delete(kv, FirstKey(kv, Kind::kRunByInput)); }},
      {"number_again", Invariant::kRunNumber,
       [](MemKv& kv) {
         store::Key key;
         key.text = store::kNextRunFact;
         Put(kv, store::EncodeKey(key), store::EncodeRunNumber(kRun));
       }},
      {"bytes_of_a_state", Invariant::kRecordForm,
       [](MemKv& kv) {
         Put(kv, KeyAt(Kind::kState, 1, 0), "garbage");
         FixTotals(kv);
       }},
      {"bytes_of_an_element", Invariant::kRecordForm,
       [](MemKv& kv) {
         Put(kv, KeyAt(Kind::kElement, 0, 0), "");
         FixTotals(kv);
       }},
      {"bytes_of_an_edge", Invariant::kRecordForm,
       [](MemKv& kv) {
         Put(kv, KeyAt(Kind::kEdge, 0, 0), std::string(100, '\xFF'));
         FixTotals(kv);
       }},
      {"wrong_state", Invariant::kRecordPlace,
       [](MemKv& kv) {
         const Element element = FirstElement(kv);
         for (const auto& row : store::RowsOf(element, {kRun, 0, 0})) Delete(kv, row.key);
         for (const auto& row : store::RowsOf(element, {kRun, 1, 9})) Put(kv, row.key, row.value);
         FixTotals(kv);
       }},
      {"index_row_missing", Invariant::kIndexRows,
       [](MemKv& kv) { Delete(kv, FirstKey(kv, Kind::kEdgeByTo)); }},
      {"index_row_superfluous", Invariant::kIndexRows,
       [](MemKv& kv) {
         store::Key key;
         key.kind = Kind::kStateByRoute;
         key.run = kRun;
         key.text = "/nowhere";
         Put(kv, store::EncodeKey(key), "");
       }},
      {"index_row_different", Invariant::kIndexRows,
       [](MemKv& kv) { Put(kv, FirstKey(kv, Kind::kAdjacency), "\x03"); }},
      {"identity_row_different", Invariant::kIndexRows,
       [](MemKv& kv) { Put(kv, FirstKey(kv, Kind::kIdentity), "short"); }},
      {"record_missing", Invariant::kTotals,
       [](MemKv& kv) {
         const std::string key = KeyAt(Kind::kSkip, 0, 0);
         const auto skip = *Decode<SkippedAction>(**kv.Get(key));
         for (const auto& row : store::RowsOf(skip, {kRun, 0, 0})) Delete(kv, row.key);
       }},
      {"record_altered", Invariant::kTotals,
       [](MemKv& kv) {
         const std::string key = KeyAt(Kind::kSkip, 0, 0);
         auto skip = *Decode<SkippedAction>(**kv.Get(key));
         skip.created_at.millis += 1;
         Put(kv, key, Encode(skip));
       }},
      {"id_twice", Invariant::kIdUnique,
       [](MemKv& kv) {
         const std::string key = KeyAt(Kind::kSkip, 0, 0);
         Put(kv, KeyAt(Kind::kSkip, 0, 1), **kv.Get(key));
         FixTotals(kv);
       }},
      {"state_id", Invariant::kIdDerived,
       EditState([](State& state) { state.identity_parts[0].value = "other"; })},
      {"anchor_key", Invariant::kIdDerived,
       EditElement([](Element& element) { element.accessible_name = "other"; })},
      {"element_id", Invariant::kIdDerived,
       [](MemKv& kv) {
         Element element = FirstElement(kv);
         element.accessible_name = "New";
         element.anchor_key = ComputeAnchorKey(element);
         element.id = {};
         element.locators.clear();
         for (const auto& row : store::RowsOf(element, {kRun, 0, 2})) Put(kv, row.key, row.value);
         FixTotals(kv);
       }},
      {"locator_id", Invariant::kIdDerived,
       EditElement([](Element& element) { element.locators[0].expression += "x"; })},
      {"edge_id", Invariant::kIdDerived, EditEdge([](ActionEdge& edge) {
         edge.action_params = {{"key", "Enter"}};
       })},
      {"skip_id", Invariant::kIdDerived,
       EditSkip([](SkippedAction& skip) { skip.action_type = ActionType::kHover; })},
      {"failure_id", Invariant::kIdDerived,
       EditFailure([](auto& failure) { failure.reason = FailureReason::kElementHidden; })},
      {"landmark_id", Invariant::kIdDerived,
       EditLandmark([](Landmark& landmark) { landmark.role = "alert"; })},
      {"running", Invariant::kRunClosed,
       [](MemKv& kv) {
         EditManifest(kv, [](auto& manifest) { manifest.run.status = RunStatus::kRunning; });
       }},
      {"partial_for_no_reason", Invariant::kRunClosed,
       [](MemKv& kv) {
         EditManifest(kv, [](auto& manifest) { manifest.run.status = RunStatus::kPartial; });
       }},
      {"counts", Invariant::kRunCounts,
       [](MemKv& kv) { EditManifest(kv, [](auto& manifest) { ++manifest.run.counts.edges; }); }},
      {"acting_scan", Invariant::kScanPassive,
       [](MemKv& kv) {
         EditManifest(kv, [](auto& manifest) { manifest.run.mode = RunMode::kScan; });
       }},
      {"edge_to_no_state", Invariant::kRefState,
       EditEdge([](ActionEdge& edge) { edge.to_state_id = StateId{}; })},
      {"failure_of_no_element", Invariant::kRefElement, EditFailure([](FailedObservation& failure) {
         failure.element_id = ElementId{};
         GiveNewId(failure);
       })},
      {"opened_by_no_edge", Invariant::kRefEdge,
       EditState([](State& state) { state.opened_by_edge_id = EdgeId{}; })},
      {"edge_by_no_locator", Invariant::kRefLocator,
       EditEdge([](ActionEdge& edge) { edge.locator_id = LocatorId{}; })},
      {"opened_by_another_edge", Invariant::kOpener,
       [](MemKv& kv) {
         const auto edge = *Decode<ActionEdge>(**kv.Get(KeyAt(Kind::kEdge, 2, 2)));
         EditState([&](State& state) { state.opened_by_edge_id = edge.id; })(kv);
       }},
      {"no_evidence", Invariant::kEvidence,
       EditElement([](Element& element) { element.evidence.clear(); })},
      {"evidence_without_source", Invariant::kEvidence,
       EditEdge([](ActionEdge& edge) { edge.evidence[0].source.clear(); })},
      {"locator_without_evidence", Invariant::kEvidence,
       EditElement([](Element& element) { element.locators[0].evidence.clear(); })},
      {"edge_to_nowhere", Invariant::kEdgeEnds,
       EditEdge([](ActionEdge& edge) { edge.to_state_id.reset(); })},
      {"unmarked_conflict", Invariant::kEdgeEnds,
       EditEdge([](ActionEdge& edge) { edge.other_to_state_ids = {edge.from_state_id}; })},
      {"no_effect", Invariant::kEdgeEffect,
       EditEdge([](ActionEdge& edge) { edge.effects.clear(); })},
      {"no_message", Invariant::kFailureMessage,
       EditFailure([](FailedObservation& failure) { failure.message.clear(); })},
      {"failure_and_edge", Invariant::kFailureNoEdge,
       [](MemKv& kv) {
         const auto edge = *Decode<ActionEdge>(**kv.Get(KeyAt(Kind::kEdge, 1, 1)));
         EditFailure([&](FailedObservation& failure) {
           failure.element_id = edge.element_id;
           GiveNewId(failure);
         })(kv);
       }},
      {"text_without_proof", Invariant::kCompletionText,
       [](MemKv& kv) {
         WriteObservation(kv, [](CompletionObservation& one) { one.text = "an answer"; });
       }},
      {"skip_reason", Invariant::kSkipReason,
       EditSkip([](SkippedAction& skip) { skip.risk_category = RiskCategory::kUnknown; })},
      {"skip_and_edge", Invariant::kSkipNoEdge,
       [](MemKv& kv) {
         const Element element = FirstElement(kv);
         EditSkip([&](SkippedAction& skip) {
           skip.element_id = element.id;
           skip.id = ComputeSkipId(skip.state_id, skip.element_id, skip.action_type, skip.reason);
         })(kv);
       }},
      {"nameless_landmark", Invariant::kLandmarkName,
       EditLandmark([](Landmark& landmark) { landmark.identity.name.clear(); })},
  };
  return cases;
}

CheckReport CheckAll(const store::Kv& kv) {
  auto report = Check(store::GraphReader(kv));
  EXPECT_TRUE(report) << report.error().message;
  return *std::move(report);
}

void WriteSmall(MemKv& kv) {
  store::GraphWriter writer(kv, store::Durability::kProcess);
  ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("small")));
}

class CheckFinds : public ::testing::TestWithParam<Case> {};

TEST_P(CheckFinds, ThatAndNothingElse) {
  MemKv kv;
  WriteSmall(kv);
  GetParam().damage(kv);
  const CheckReport report = CheckAll(kv);
  EXPECT_GT(report.found, 0U);
  EXPECT_EQ(report.found, report.violations.size());
  for (const Violation& violation : report.violations) {
    EXPECT_EQ(GetParam().invariant, violation.invariant)
        << IdOf(violation.invariant) << ": " << violation.message << " " << violation.key;
    EXPECT_FALSE(violation.message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Damage, CheckFinds, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Check, EveryInvariantHasADamageThatBreaksIt) {
  std::set<Invariant> broken = {Invariant::kForeignText, Invariant::kReadable};  // tests are below
  for (const Case& c : Cases()) broken.insert(c.invariant);
  std::set<std::string_view> ids;
  for (const InvariantText& text : Invariants()) {
    EXPECT_TRUE(broken.contains(text.invariant)) << text.id;
    EXPECT_TRUE(ids.insert(text.id).second) << text.id;
    EXPECT_EQ(text.id, IdOf(text.invariant));
  }
  EXPECT_EQ(broken.size(), Invariants().size());
}

TEST(Check, SoundGraphsHaveNoViolations) {
  MemKv kv;
  EXPECT_THAT(CheckAll(kv).violations, IsEmpty());
  WriteSmall(kv);
  store::GraphWriter writer(kv, store::Durability::kProcess);
  ASSERT_TRUE(testing::WriteFullGraph(writer, 7));
  const CheckReport report = CheckAll(kv);
  for (const Violation& violation : report.violations) {
    ADD_FAILURE() << IdOf(violation.invariant) << ": " << violation.record << " "
                  << violation.message;
  }
  EXPECT_EQ(2U, report.runs);
  EXPECT_EQ(32U, report.records);
}

TEST(Check, ADraftIsNoViolation) {
  MemKv kv;
  store::GraphWriter writer(kv, store::Durability::kProcess);
  ASSERT_TRUE(writer.BeginRun(testing::BuildRun("draft")));
  ASSERT_TRUE(writer.AddState(testing::BuildState("/", {{}})));
  EXPECT_THAT(CheckAll(kv).violations, IsEmpty());
}

TEST(Check, ImportsKeepTheirIdsAndTheirDanglingReferencesAreFound) {
  MemKv kv;
  store::GraphWriter writer(kv, store::Durability::kProcess);
  auto source =
      FromFile(std::filesystem::path(TOPODB_SOURCE_DIR) / "tests/golden/topology_graph_v02.json");
  ASSERT_TRUE(source);
  ASSERT_TRUE(ImportJson(**source, {}, writer));
  const CheckReport report = CheckAll(kv);
  ASSERT_EQ(1U, report.violations.size());
  EXPECT_EQ(Invariant::kRefState, report.violations[0].invariant);

  // The text of one id lost.
  const Element element = FirstElement(kv);
  store::Key text;
  text.kind = Kind::kForeignId;
  text.run = kRun;
  text.id = element.id.bytes;
  Delete(kv, store::EncodeKey(text));
  FixTotals(kv);
  const CheckReport again = CheckAll(kv);
  ASSERT_EQ(2U, again.violations.size());
  EXPECT_TRUE(again.violations[0].invariant == Invariant::kForeignText ||
              again.violations[1].invariant == Invariant::kForeignText);
}

TEST(Check, OneRunIsCheckedAlone) {
  MemKv kv;
  WriteSmall(kv);
  store::GraphWriter writer(kv, store::Durability::kProcess);
  ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("second", 2)));
  EditSkip([](SkippedAction& skip) { skip.risk_category = RiskCategory::kUnknown; })(kv);
  const store::GraphReader reader(kv);
  const auto sound = CheckRuns(reader, {*reader.FindRun("second")});
  ASSERT_TRUE(sound);
  EXPECT_THAT(sound->violations, IsEmpty());
  const auto damaged = CheckRuns(reader, {*reader.FindRun("small")});
  ASSERT_TRUE(damaged);
  ASSERT_EQ(1U, damaged->violations.size());
  EXPECT_EQ(reader.FindRun("small")->run.id.ToString(), damaged->violations[0].run);
}

// Rows of one kind of one run are damaged on disk: a scan ends there.
class DamagedKv : public MemKv {
 public:
  void Damage(Kind kind, store::RunNumber run) { damaged_ = store::RangeOf(kind, run).begin; }

  std::unique_ptr<store::Iterator> Scan(std::string_view begin,
                                        std::string_view end) const override {
    return std::make_unique<Rows>(MemKv::Scan(begin, end), damaged_);
  }

 private:
  class Rows : public store::Iterator {
   public:
    Rows(std::unique_ptr<store::Iterator> rows, const std::string& damaged)
        : rows_(std::move(rows)), damaged_(damaged) {}
    bool Valid() const override { return rows_->Valid() && !AtDamage(); }
    void Next() override { rows_->Next(); }
    std::string_view key() const override { return rows_->key(); }
    std::string_view value() const override { return rows_->value(); }
    Status status() const override {
      if (!AtDamage()) return rows_->status();
      return Error{ErrorCode::kCorruption, "block checksum mismatch", {}};
    }

   private:
    bool AtDamage() const {
      return rows_->Valid() && !damaged_.empty() && rows_->key().starts_with(damaged_);
    }
    std::unique_ptr<store::Iterator> rows_;
    const std::string& damaged_;
  };

  std::string damaged_;
};

TEST(Check, WhatCannotBeReadKeepsNothingElseFromBeingChecked) {
  for (const Kind kind : {Kind::kState, Kind::kElement, Kind::kEdge, Kind::kLandmark,
                          Kind::kIdentity, Kind::kElementByName}) {
    SCOPED_TRACE(static_cast<int>(kind));
    DamagedKv kv;
    WriteSmall(kv);
    store::GraphWriter writer(kv, store::Durability::kProcess);
    ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("second", 2)));
    Delete(kv, KeyAt(Kind::kFailure, store::kNoState, 0, 2));
    kv.Damage(kind, kRun);
    const CheckReport report = CheckAll(kv);
    EXPECT_EQ(2U, report.runs);
    std::set<std::pair<std::string, Invariant>> found;
    for (const Violation& violation : report.violations) {
      if (!violation.run.empty()) found.emplace(violation.run, violation.invariant);
    }
    const store::GraphReader reader(kv);
    EXPECT_TRUE(found.contains({reader.FindRun("small")->run.id.ToString(), Invariant::kReadable}));
    EXPECT_TRUE(found.contains({reader.FindRun("second")->run.id.ToString(), Invariant::kTotals}));
    EXPECT_EQ(1, std::ranges::count_if(found, [&](const auto& violation) {
                return violation.first == reader.FindRun("small")->run.id.ToString();
              }));
  }
}

TEST(Check, ManyViolationsAreCountedNotKept) {
  MemKv kv;
  WriteSmall(kv);
  for (uint32_t i = 0; i < kMaxViolations + 5; ++i) {
    store::Key key;
    key.kind = Kind::kStateByRoute;
    key.run = kRun;
    key.text = std::to_string(i);
    Put(kv, store::EncodeKey(key), "");
  }
  const CheckReport report = CheckAll(kv);
  EXPECT_EQ(kMaxViolations + 5, report.found);
  EXPECT_EQ(kMaxViolations, report.violations.size());
}

TEST(IndexRepair, BringsBackTheRowsThatFollowFromTheRecords) {
  MemKv kv;
  WriteSmall(kv);
  const auto sound = kv.Contents();
  const auto plan_sound = PlanIndexRepair(store::GraphReader(kv), kRun);
  ASSERT_TRUE(plan_sound);
  EXPECT_TRUE(plan_sound->empty());
  for (const Kind kind : {Kind::kEdgeByTo, Kind::kElementByName, Kind::kEdgeByRisk}) {
    Delete(kv, FirstKey(kv, kind));
  }
  Put(kv, FirstKey(kv, Kind::kIdentity), "short");
  Put(kv, KeyAt(Kind::kAdjacency, 9, 9), "\x01");
  const auto plan = PlanIndexRepair(store::GraphReader(kv), kRun);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(5U, plan->operations().size());
  ASSERT_TRUE(kv.Apply(*plan, store::Durability::kSync));
  EXPECT_EQ(sound, kv.Contents());
}

TEST(IndexRepair, LeavesAloneWhatOnlyAnUnreadableRecordExplains) {
  MemKv kv;
  WriteSmall(kv);
  Put(kv, KeyAt(Kind::kElement, 0, 0), "garbage");
  Put(kv, KeyAt(Kind::kEdge, 0, 0), "garbage");
  const auto plan = PlanIndexRepair(store::GraphReader(kv), kRun);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->empty());
}

}  // namespace
}  // namespace topodb::query
