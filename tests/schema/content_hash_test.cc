#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schema/codec.h"
#include "tests/schema/sample_records.h"

namespace topodb {
namespace {

template <class Record>
struct Change {
  std::string what;
  std::function<void(Record&)> apply;
};

template <class Record>
void ExpectCounts(const Record& sample, const std::vector<Change<Record>>& changes) {
  for (const auto& change : changes) {
    SCOPED_TRACE(change.what);
    Record changed = sample;
    change.apply(changed);
    EXPECT_FALSE(changed == sample) << "the case changes nothing";
    EXPECT_NE(ContentHash(changed), ContentHash(sample));
  }
}

template <class Record>
void ExpectIgnored(const Record& sample, const std::vector<Change<Record>>& changes) {
  for (const auto& change : changes) {
    SCOPED_TRACE(change.what);
    Record changed = sample;
    change.apply(changed);
    EXPECT_FALSE(changed == sample) << "the case changes nothing";
    EXPECT_EQ(ContentHash(changed), ContentHash(sample));
  }
}

TEST(ContentHashTest, State) {
  ExpectCounts<State>(SampleState(),
                      {
                          {"title", [](State& s) { s.title = "B"; }},
                          {"url key", [](State& s) { s.url_canonical_key = "@entry/b"; }},
                          {"text", [](State& s) { s.visible_text_hash = "w"; }},
                          {"dom", [](State& s) { s.dom_hash = "w"; }},
                          {"modal", [](State& s) { s.modal_stack.pop_back(); }},
                          {"form", [](State& s) { s.form_state_hash = "w"; }},
                          {"status", [](State& s) { s.http_status.reset(); }},
                          {"language absent, not empty", [](State& s) { s.language = ""; }},
                      });
  ExpectIgnored<State>(SampleState(),
                       {
                           {"id", [](State& s) { s.id = {}; }},
                           {"host", [](State& s) { s.url = "http://other:81/a"; }},
                           {"time", [](State& s) { s.created_at = {1}; }},
                           {"opener", [](State& s) { s.opened_by_edge_id.reset(); }},
                           {"lifecycle", [](State& s) { s.lifecycle = Lifecycle::kVerified; }},
                           {"evidence", [](State& s) { s.evidence.clear(); }},
                           {"unstable parts", [](State& s) { s.unstable_parts.clear(); }},
                       });
}

TEST(ContentHashTest, Element) {
  ExpectCounts<Element>(
      SampleElement(),
      {
          {"name", [](Element& e) { e.accessible_name = "Land"; }},
          {"name absent, not empty", [](Element& e) { e.accessible_name.reset(); }},
          {"enabled", [](Element& e) { e.interactability.enabled = false; }},
          {"attribute", [](Element& e) { e.attributes[0].second = "x"; }},
          {"option", [](Element& e) { e.parameter_surface->options[1].label = "France"; }},
          {"row", [](Element& e) { e.context[1].key = "Beta Co"; }},
          {"locator", [](Element& e) { e.locators[0].expression = "getByRole('button')"; }},
          {"locator verified", [](Element& e) { e.locators[0].verified = false; }},
          {"surface", [](Element& e) { e.parameter_surface.reset(); }},
      });
  ExpectIgnored<Element>(
      SampleElement(),
      {
          {"id", [](Element& e) { e.id = {}; }},
          {"state", [](Element& e) { e.state_id = {}; }},
          {"box", [](Element& e) { e.bbox.x = 7; }},
          {"unstable", [](Element& e) { e.unstable = false; }},
          {"text of a container", [](Element& e) { e.context[0].text = "other"; }},
          {"locator id", [](Element& e) { e.locators[0].id = {}; }},
          {"locator time", [](Element& e) { e.locators[0].last_verified_at.reset(); }},
          {"locator score", [](Element& e) { e.locators[0].score = 0.1; }},
          {"evidence", [](Element& e) { e.evidence.clear(); }},
      });
}

TEST(ContentHashTest, ActionEdge) {
  ExpectCounts<ActionEdge>(
      SampleEdge(),
      {
          {"destination", [](ActionEdge& e) { e.to_state_id = SampleId<StateId>(9); }},
          {"destinations", [](ActionEdge& e) { e.other_to_state_ids.pop_back(); }},
          {"parameter", [](ActionEdge& e) { e.action_params[0].second = "fr"; }},
          {"effect", [](ActionEdge& e) { e.effects.pop_back(); }},
          {"request", [](ActionEdge& e) { e.effects[0].after = "http://h/other"; }},
          {"risk", [](ActionEdge& e) { e.risk_level = RiskLevel::kHigh; }},
      });
  ExpectIgnored<ActionEdge>(SampleEdge(),
                            {
                                {"id", [](ActionEdge& e) { e.id = {}; }},
                                {"time", [](ActionEdge& e) { e.created_at = {2}; }},
                                {"timing", [](ActionEdge& e) { e.settle.elapsed_ms = 13; }},
                                {"page hash", [](ActionEdge& e) { e.effects[1].before = "11"; }},
                            });
}

TEST(ContentHashTest, SkipFailureObservationLandmark) {
  ExpectCounts<SkippedAction>(
      SampleSkip(),
      {
          {"category", [](SkippedAction& s) { s.risk_category = RiskCategory::kUnknown; }},
          {"action", [](SkippedAction& s) { s.action_type = ActionType::kClick; }},
      });
  ExpectIgnored<SkippedAction>(SampleSkip(),
                               {
                                   {"id", [](SkippedAction& s) { s.id = {}; }},
                                   {"time", [](SkippedAction& s) { s.created_at = {}; }},
                               });
  FailedObservation failure = SampleFailure();
  failure.message = "no answer after 8003 ms";
  ExpectCounts<FailedObservation>(
      failure,
      {
          {"reason", [](FailedObservation& f) { f.reason = FailureReason::kNetworkError; }},
          {"message", [](FailedObservation& f) { f.message = "no answer"; }},
          {"action", [](FailedObservation& f) { f.action_type.reset(); }},
      });
  ExpectIgnored<FailedObservation>(
      failure,
      {
          {"duration", [](FailedObservation& f) { f.message = "no answer after 8011 ms"; }},
          {"id", [](FailedObservation& f) { f.id = {}; }},
      });
  ExpectCounts<CompletionObservation>(
      SampleObservation(),
      {
          {"status", [](CompletionObservation& o) { o.status = CompletionStatus::kDeferred; }},
          {"text", [](CompletionObservation& o) { o.text = "another"; }},
          {"no text", [](CompletionObservation& o) { o.text.reset(); }},
      });
  ExpectIgnored<CompletionObservation>(
      SampleObservation(),
      {
          {"duration", [](CompletionObservation& o) { o.elapsed_ms = 1; }},
          {"turn", [](CompletionObservation& o) { o.proof.message_id = "m9"; }},
      });
  ExpectCounts<Landmark>(
      SampleLandmark(),
      {
          {"name", [](Landmark& l) { l.name = "Invoices"; }},
          {"verification", [](Landmark& l) { l.identity.verification = Verification::kVerified; }},
      });
  ExpectIgnored<Landmark>(SampleLandmark(),
                          {
                              {"state", [](Landmark& l) { l.state_id = {}; }},
                              {"position", [](Landmark& l) { l.identity.sibling = 5; }},
                          });
}

// The recipes are on disk: a change here is a change of the format.
TEST(ContentHashTest, GoldenValues) {
  EXPECT_EQ(ContentHash(SampleState()), 0xc5abe0070441efddU);
  EXPECT_EQ(ContentHash(SampleElement()), 0xe1d80925db733371U);
  EXPECT_EQ(ContentHash(SampleEdge()), 0x98bae20e7bee8203U);
  EXPECT_EQ(ContentHash(SampleSkip()), 0x9966ae065a22b1c8U);
  EXPECT_EQ(ContentHash(SampleFailure()), 0xa4c93b399acb54c7U);
  EXPECT_EQ(ContentHash(SampleObservation()), 0x92b24bf50362fb23U);
  EXPECT_EQ(ContentHash(SampleLandmark()), 0xd4b35b26e4cc1c4aU);
}

}  // namespace
}  // namespace topodb
