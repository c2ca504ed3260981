#include "store/graph_writer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schema/base/hash.h"
#include "store/graph_reader.h"
#include "store/publication.h"
#include "store/rocks_kv.h"
#include "store/values.h"
#include "tests/store/run_rows.h"
#include "tests/support/failing_kv.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"
#include "tests/support/temp_directory.h"

namespace topodb::store {
namespace {

using testing::BuildEdge;
using testing::BuildFailure;
using testing::BuildRun;
using testing::BuildSkip;
using testing::BuildState;
using testing::BuildTransition;
using testing::FailingKv;
using testing::MemKv;
using testing::WriteSmallGraph;

const std::vector<testing::ElementSpec> kTwoElements = {{"link", "Docs", "a"},
                                                        {"button", "Save", "button"}};

class GraphWriterTest : public ::testing::Test {
 protected:
  void Begin(const topodb::Run& run) {
    run_ = run;
    ASSERT_TRUE(writer_.BeginRun(run));
  }

  RunNumber End() {
    EXPECT_TRUE(writer_.EndRun(run_));
    return GraphReader(kv_).FindRun(run_.id.ToString()).value().number;
  }

  MemKv kv_;
  GraphWriter writer_{kv_, Durability::kProcess};
  GraphReader reader_{kv_};
  topodb::Run run_;
};

TEST_F(GraphWriterTest, ReadsBackWhatWasWritten) {
  StateBundle home = BuildState("/", kTwoElements);
  home.skips = {BuildSkip(home.elements[1])};
  home.failures = {BuildFailure(home.elements[1])};
  const Transition transition = BuildTransition(home, 0, BuildState("/docs", {{}}));
  Begin(BuildRun("one"));
  ASSERT_TRUE(writer_.AddState(home));
  ASSERT_TRUE(writer_.AddTransition(transition));
  const RunNumber run = End();

  EXPECT_EQ((std::vector{home.state, transition.new_state->state}), reader_.States(run).value());
  EXPECT_EQ(home.elements, reader_.ElementsOf(run, home.state.id).value());
  EXPECT_EQ(3U, reader_.Elements(run).value().size());
  EXPECT_EQ(home.landmarks, reader_.LandmarksOf(run, home.state.id).value());
  EXPECT_EQ(home.skips, reader_.Skips(run).value());
  EXPECT_EQ(home.failures, reader_.Failures(run).value());
  EXPECT_EQ(std::vector{transition.edge}, reader_.Edges(run).value());
  EXPECT_EQ(std::vector{transition.edge}, reader_.EdgesFrom(run, home.state.id).value());
  EXPECT_EQ(std::vector{transition.edge},
            reader_.EdgesTo(run, transition.new_state->state.id).value());
  EXPECT_TRUE(reader_.EdgesTo(run, home.state.id).value().empty());
  EXPECT_EQ(home.state, reader_.GetState(run, home.state.id).value());
  EXPECT_EQ(home.elements[1], reader_.GetElement(run, home.elements[1].id).value());
  EXPECT_EQ(transition.edge, reader_.GetEdge(run, transition.edge.id).value());
}

TEST_F(GraphWriterTest, TheSinkFillsInCountsAndTotals) {
  const topodb::Run run = BuildRun("counted");
  ASSERT_TRUE(WriteSmallGraph(writer_, run));
  const StoredRun stored = reader_.FindRun("counted").value();
  EXPECT_EQ(
      (RunCounts{
          .states = 3, .elements = 5, .edges = 3, .skipped_actions = 1, .failed_observations = 2}),
      stored.run.counts);
  topodb::Run expected = run;
  expected.counts = stored.run.counts;
  EXPECT_EQ(expected, stored.run);
  const RowMap manifests = ReadRows(kv_, RangeOf(Kind::kManifest));
  EXPECT_EQ(CountRows(kv_, stored.number).value(),
            DecodeManifest(manifests.begin()->second).value().totals);
}

TEST_F(GraphWriterTest, EveryIndexRowFollowsFromTheRecords) {
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("indexed")));
  EXPECT_EQ(DerivedRowsOfRun(kv_, 1), RowsOfRun(kv_, 1));
  EXPECT_EQ(5U, ReadRows(kv_, RangeOf(Kind::kElementByName, 1)).size());
  EXPECT_EQ(3U, ReadRows(kv_, RangeOf(Kind::kEdgeByTo, 1)).size());
}

TEST_F(GraphWriterTest, EdgesKeepTheOrderInWhichTheyWerePerformed) {
  const StateBundle home = BuildState("/", kTwoElements);
  Begin(BuildRun("ordered"));
  ASSERT_TRUE(writer_.AddState(home));
  const ActionEdge second = BuildEdge(home, 1, home.state.id);
  const ActionEdge first = BuildEdge(home, 0, home.state.id);
  ASSERT_TRUE(writer_.AddTransition({.edge = second, .new_state = {}}));
  ASSERT_TRUE(writer_.AddTransition({.edge = first, .new_state = {}}));
  EXPECT_EQ((std::vector{second, first}), reader_.EdgesFrom(End(), home.state.id).value());
}

TEST_F(GraphWriterTest, AnEdgeSeenAgainStaysAsItIs) {
  const StateBundle home = BuildState("/", kTwoElements);
  const ActionEdge edge = BuildEdge(home, 0, home.state.id);
  Begin(BuildRun("again"));
  ASSERT_TRUE(writer_.AddState(home));
  ASSERT_TRUE(writer_.AddTransition({.edge = edge, .new_state = {}}));
  ActionEdge again = edge;
  again.created_at.millis += 1000;
  ASSERT_TRUE(writer_.AddTransition({.edge = again, .new_state = {}}));
  EXPECT_EQ(std::vector{edge}, reader_.Edges(End()).value());
}

TEST_F(GraphWriterTest, AnEdgeWithAnotherDestinationIsConflictedAndListsBoth) {
  const StateBundle home = BuildState("/", kTwoElements);
  const StateBundle docs = BuildState("/docs");
  const ActionEdge edge = BuildEdge(home, 0, home.state.id);
  Begin(BuildRun("conflict"));
  ASSERT_TRUE(writer_.AddState(home));
  ASSERT_TRUE(writer_.AddTransition({.edge = edge, .new_state = {}}));
  ASSERT_TRUE(writer_.AddTransition(BuildTransition(home, 0, docs)));
  const RunNumber run = End();

  const ActionEdge stored = reader_.GetEdge(run, edge.id).value();
  EXPECT_EQ(home.state.id, stored.to_state_id);
  EXPECT_EQ(std::vector{docs.state.id}, stored.other_to_state_ids);
  EXPECT_EQ(Lifecycle::kConflicted, stored.lifecycle);
  EXPECT_EQ(std::vector{stored}, reader_.EdgesTo(run, docs.state.id).value());
  EXPECT_EQ(std::vector{stored}, reader_.EdgesTo(run, home.state.id).value());
  EXPECT_EQ(2U, reader_.States(run).value().size());
  EXPECT_EQ(DerivedRowsOfRun(kv_, run), RowsOfRun(kv_, run));
  EXPECT_EQ(CountRows(kv_, run).value(),
            DecodeManifest(ReadRows(kv_, RangeOf(Kind::kManifest)).begin()->second)->totals);
}

TEST_F(GraphWriterTest, AnObservationRewritesItsStateOnly) {
  const StateBundle home = BuildState("/", kTwoElements);
  Begin(BuildRun("observed"));
  ASSERT_TRUE(writer_.AddState(home));
  ASSERT_TRUE(writer_.AddObservation({home.state.id, Lifecycle::kVerified, {{"text", "b"}}}));
  ASSERT_TRUE(writer_.AddObservation(
      {home.state.id, Lifecycle::kVerified, {{"text", "b"}, {"element", "a"}}}));
  const RunNumber run = End();
  State expected = home.state;
  expected.lifecycle = Lifecycle::kVerified;
  expected.unstable_parts = {{"element", "a"}, {"text", "b"}};
  EXPECT_EQ(std::vector{expected}, reader_.States(run).value());
  EXPECT_EQ(DerivedRowsOfRun(kv_, run), RowsOfRun(kv_, run));
  EXPECT_EQ(CountRows(kv_, run).value(),
            DecodeManifest(ReadRows(kv_, RangeOf(Kind::kManifest)).begin()->second)->totals);
}

TEST_F(GraphWriterTest, SkipsAndFailuresSeenTwiceAreOneFact) {
  StateBundle home = BuildState("/", kTwoElements);
  home.skips = {BuildSkip(home.elements[0]), BuildSkip(home.elements[0])};
  FailedObservation failure = BuildFailure(home.elements[0]);
  Begin(BuildRun("twice"));
  ASSERT_TRUE(writer_.AddState(home));
  ASSERT_TRUE(writer_.AddFailure(failure));
  FailedObservation again = failure;
  again.message = "another message";
  ASSERT_TRUE(writer_.AddFailure(again));
  const RunNumber run = End();
  EXPECT_EQ(1U, reader_.Skips(run).value().size());
  EXPECT_EQ(std::vector{failure}, reader_.Failures(run).value());
}

TEST_F(GraphWriterTest, RefusesWhatDoesNotFitTheRunAndStoresNothingOfIt) {
  const StateBundle home = BuildState("/", kTwoElements);
  const StateBundle other = BuildState("/other", {{}});
  StateBundle repeated = BuildState("/repeated", {{}});
  repeated.elements.push_back(repeated.elements.front());
  StateBundle stray = BuildState("/stray");
  stray.skips = {BuildSkip(other.elements[0])};
  Begin(BuildRun("strict"));
  ASSERT_TRUE(writer_.AddState(home));
  const auto before = kv_.Contents();
  struct Case {
    const char* what;
    std::function<Status()> call;
  };
  const Case cases[] = {
      {"state twice", [&] { return writer_.AddState(home); }},
      {"element twice", [&] { return writer_.AddState(repeated); }},
      {"skip of an unknown state", [&] { return writer_.AddState(stray); }},
      {"edge from an unknown state",
       [&] {
         return writer_.AddTransition({BuildEdge(other, 0, home.state.id), {}});
       }},
      {"edge to an unknown state",
       [&] {
         return writer_.AddTransition({BuildEdge(home, 0, other.state.id), {}});
       }},
      {"failure in an unknown state",
       [&] { return writer_.AddFailure(BuildFailure(other.elements[0])); }},
      {"observation of an unknown state",
       [&] {
         return writer_.AddObservation({other.state.id, Lifecycle::kVerified, {}});
       }},
      {"foreign ids",
       [&] {
         return writer_.AddForeignIds({{home.state.id.bytes, "s1"}});
       }},
      {"begin before end", [&] { return writer_.BeginRun(BuildRun("second", 2)); }},
      {"end of another run", [&] { return writer_.EndRun(BuildRun("second", 2)); }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Status status = c.call();
    ASSERT_FALSE(status);
    EXPECT_EQ(ErrorCode::kInvalidArgument, status.error().code);
    EXPECT_EQ(before, kv_.Contents());
  }
  // A refused bundle may be corrected and written.
  repeated.elements.pop_back();
  EXPECT_TRUE(writer_.AddState(repeated));
  EXPECT_EQ(2U, reader_.States(End()).value().size());
}

TEST_F(GraphWriterTest, NothingCanBeWrittenWithoutARun) {
  const StateBundle home = BuildState("/");
  for (const Status& status :
       {writer_.AddState(home), writer_.EndRun(run_), writer_.DiscardRun()}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(ErrorCode::kInvalidArgument, status.error().code);
  }
}

TEST_F(GraphWriterTest, RefusesNamesThatAreTakenOrReserved) {
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("nightly", 1)));
  topodb::Run same_id = BuildRun("other", 1);
  for (const topodb::Run& run : {BuildRun("nightly", 2), same_id, BuildRun("latest", 2),
                                 BuildRun("latest~1", 2), BuildRun(std::string(257, 'x'), 2),
                                 BuildRun("crawl_0123456789abcdef0123456789abcdef", 2)}) {
    SCOPED_TRACE(run.name);
    const Status status = writer_.BeginRun(run);
    ASSERT_FALSE(status);
    EXPECT_EQ(ErrorCode::kInvalidArgument, status.error().code);
  }
  EXPECT_TRUE(WriteSmallGraph(writer_, BuildRun("", 3)));
  EXPECT_TRUE(WriteSmallGraph(writer_, BuildRun("", 4)));
}

TEST_F(GraphWriterTest, ARunIsInvisibleUntilItEnds) {
  const StateBundle home = BuildState("/", kTwoElements);
  Begin(BuildRun("hidden"));
  ASSERT_TRUE(writer_.AddState(home));
  EXPECT_TRUE(reader_.Runs().value().empty());
  for (const ErrorCode code :
       {reader_.FindRun("hidden").error().code, reader_.FindRun(run_.id.ToString()).error().code,
        reader_.FindRun("latest").error().code, reader_.States(1).error().code,
        reader_.GetState(1, home.state.id).error().code}) {
    EXPECT_EQ(ErrorCode::kNotFound, code);
  }
  EXPECT_TRUE(reader_.FindByIdPrefix("", std::nullopt, 100).value().empty());
  End();
  EXPECT_EQ(1U, reader_.Runs().value().size());
  EXPECT_FALSE(reader_.FindByIdPrefix("", std::nullopt, 100).value().empty());
}

TEST_F(GraphWriterTest, ADiscardedRunLeavesOnlyItsNumber) {
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("kept", 1)));
  auto before = kv_.Contents();
  Begin(BuildRun("gone", 2));
  ASSERT_TRUE(writer_.AddState(BuildState("/", kTwoElements)));
  ASSERT_TRUE(writer_.DiscardRun());
  auto after = kv_.Contents();
  EXPECT_TRUE(RowsOfRun(kv_, 2).empty());
  EXPECT_EQ(before.size(), after.size());
  // The number is not given again.
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("gone", 2)));
  EXPECT_EQ(3U, reader_.FindRun("gone").value().number);
}

TEST_F(GraphWriterTest, DeletingARunTakesEveryRowAndNoOther) {
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("first", 1)));
  const auto with_one = kv_.Contents();
  ASSERT_TRUE(WriteSmallGraph(writer_, BuildRun("second", 2)));
  ASSERT_TRUE(DeleteRun(kv_, 2));
  auto left = kv_.Contents();
  EXPECT_EQ(with_one.size(), left.size());
  EXPECT_EQ(RowsOfRun(kv_, 1), DerivedRowsOfRun(kv_, 1));
  EXPECT_EQ(ErrorCode::kNotFound, reader_.FindRun("second").error().code);
  EXPECT_TRUE(writer_.BeginRun(BuildRun("second", 2)));
}

TEST_F(GraphWriterTest, ForeignRunsKeepDanglingReferencesAndTexts) {
  topodb::Run run = BuildRun("imported");
  run.id_scheme = IdScheme::kForeign;
  StateBundle home = BuildState("/", kTwoElements);
  const StateBundle missing = BuildState("/missing", {{}});
  home.skips = {BuildSkip(missing.elements[0])};
  Begin(run);
  const ForeignId text{home.state.id.bytes, "state-one"};
  ASSERT_TRUE(writer_.AddForeignIds({text, text}));
  ASSERT_TRUE(writer_.AddForeignIds({text}));
  EXPECT_FALSE(writer_.AddForeignIds({{home.state.id.bytes, "state-two"}}));
  ASSERT_TRUE(writer_.AddState(home));
  const ActionEdge out = BuildEdge(home, 0, missing.state.id);
  const ActionEdge in = BuildEdge(missing, 0, home.state.id);
  ASSERT_TRUE(writer_.AddTransition({.edge = out, .new_state = {}}));
  ASSERT_TRUE(writer_.AddTransition({.edge = in, .new_state = {}}));
  const RunNumber number = End();

  EXPECT_EQ(2U, reader_.Edges(number).value().size());
  EXPECT_EQ(std::vector{in}, reader_.EdgesTo(number, home.state.id).value());
  EXPECT_EQ(home.skips, reader_.Skips(number).value());
  EXPECT_EQ("state-one", reader_.ForeignId(number, home.state.id.bytes).value());
  EXPECT_EQ(std::nullopt, reader_.ForeignId(number, missing.state.id.bytes).value());
  const auto found = reader_.FindByIdPrefix("state-", std::nullopt, 10).value();
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ(home.state.id.bytes, found.front().id);
  EXPECT_EQ(DerivedRowsOfRun(kv_, number), RowsOfRun(kv_, number));
  EXPECT_EQ(CountRows(kv_, number).value(),
            DecodeManifest(ReadRows(kv_, RangeOf(Kind::kManifest)).begin()->second)->totals);
}

// Fails every write in turn; after each failure the store must hold whole calls only.
void SweepFailures(FailingKv::After after) {
  for (int write = 0;; ++write) {
    SCOPED_TRACE(write);
    ASSERT_LT(write, 100);
    MemKv memory;
    FailingKv kv(memory, write, after);
    GraphWriter writer(kv, Durability::kProcess);
    const Status status = WriteSmallGraph(writer, BuildRun("swept"));
    const GraphReader reader(memory);
    EXPECT_EQ(DerivedRowsOfRun(memory, 1), RowsOfRun(memory, 1));
    const auto published = reader.Runs().value();
    for (const StoredRun& stored : published) {
      EXPECT_EQ(3U, reader.States(stored.number).value().size());
      EXPECT_EQ(5U, stored.run.counts.elements);
      EXPECT_EQ(2U, stored.run.counts.failed_observations);
    }
    const size_t states = ReadRows(memory, RangeOf(Kind::kState, 1)).size();
    const bool was_published = !published.empty();

    ASSERT_TRUE(SettleDrafts(memory));
    EXPECT_TRUE(ReadRows(memory, RangeOf(Kind::kDraft)).empty());
    const auto runs = reader.Runs().value();
    ASSERT_EQ(states > 0 ? 1U : 0U, runs.size());
    if (states > 0) {
      EXPECT_EQ(was_published ? RunStatus::kComplete : RunStatus::kPartial,
                runs.front().run.status);
      EXPECT_EQ(states, runs.front().run.counts.states);
    } else {
      EXPECT_TRUE(RowsOfRun(memory, 1).empty());
    }
    if (status) {
      EXPECT_FALSE(kv.failed());
      break;
    }
    EXPECT_TRUE(kv.failed());
    EXPECT_EQ(ErrorCode::kIo, status.error().code);
  }
}

TEST(GraphWriterFaultTest, AfterOneFailedWriteWholeCallsAreThere) {
  SweepFailures(FailingKv::After::kRecover);
}

TEST(GraphWriterFaultTest, AfterTheDiskBrokeWholeCallsAreThere) {
  SweepFailures(FailingKv::After::kStayBroken);
}

TEST(SettleDraftsTest, PublishesWhatWasCapturedAndDeletesWhatIsEmpty) {
  MemKv kv;
  const StateBundle home = BuildState("/", kTwoElements);
  {
    GraphWriter dead(kv, Durability::kProcess);
    ASSERT_TRUE(dead.BeginRun(BuildRun("cut off", 1)));
    ASSERT_TRUE(dead.AddState(home));
  }
  {
    GraphWriter dead(kv, Durability::kProcess);
    ASSERT_TRUE(dead.BeginRun(BuildRun("empty", 2)));
    ASSERT_TRUE(dead.AddFailure(testing::BuildEarlyFailure(FailureReason::kNetworkError)));
  }
  ASSERT_TRUE(SettleDrafts(kv));
  const auto runs = GraphReader(kv).Runs().value();
  ASSERT_EQ(1U, runs.size());
  EXPECT_EQ("cut off", runs[0].run.name);
  EXPECT_EQ(RunStatus::kPartial, runs[0].run.status);
  EXPECT_EQ("interrupted", runs[0].run.status_reason);
  EXPECT_EQ((RunCounts{.states = 1, .elements = 2}), runs[0].run.counts);
  EXPECT_GE(runs[0].run.ended_at, home.state.created_at);
  EXPECT_TRUE(RowsOfRun(kv, 2).empty());
  const auto settled = kv.Contents();
  ASSERT_TRUE(SettleDrafts(kv));
  EXPECT_EQ(settled, kv.Contents());
}

// The same rows whatever they are stored in.
TEST(GraphWriterRocksTest, WritesTheSameRowsAsIntoMemory) {
  MemKv memory;
  GraphWriter memory_writer(memory, Durability::kProcess);
  ASSERT_TRUE(WriteSmallGraph(memory_writer, BuildRun("same")));
  testing::TempDirectory directory;
  const auto rocks = OpenRocksForWrite(directory.path()).value();
  GraphWriter rocks_writer(*rocks, Durability::kSync);
  ASSERT_TRUE(WriteSmallGraph(rocks_writer, BuildRun("same")));
  EXPECT_EQ(memory.Contents(), ReadRows(*rocks, {}));
}

}  // namespace
}  // namespace topodb::store
