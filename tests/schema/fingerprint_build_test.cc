#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/fingerprint.h"
#include "tests/schema/sample_page.h"
#include "tests/schema/sample_records.h"

namespace topodb {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(BuildStateTest, TakesWhatThePageSays) {
  PageSnapshot page = OrdersPage();
  page.frames.push_back({{"shop", "cart"}, "http://shop.test/cart", true, ""});
  page.modal_stack = {"Confirm"};
  const State state = BuildState(page, {});
  EXPECT_EQ(state.url, page.url);
  EXPECT_EQ(state.route, "/orders");
  EXPECT_EQ(state.url_canonical_key, "@entry/orders");
  EXPECT_EQ(state.title, "Orders");
  EXPECT_EQ(state.language, "en");
  EXPECT_EQ(state.http_status, 200U);
  EXPECT_THAT(state.frame_context, ElementsAre("shop > cart"));
  EXPECT_THAT(state.modal_stack, ElementsAre("Confirm"));
  EXPECT_EQ(state.dom_hash, "d0");
  EXPECT_EQ(state.visible_text_hash, "v0");
  EXPECT_EQ(state.form_state_hash, "f0");
  EXPECT_EQ(state.template_key, "t0");
  EXPECT_EQ(state.identity_parts, ComputeIdentityParts(page, {}));
  EXPECT_EQ(state.id, ComputeStateId(state.identity_parts));
  EXPECT_EQ(state.lifecycle, Lifecycle::kObserved);
  EXPECT_FALSE(state.opened_by_edge_id);
  EXPECT_EQ(state.created_at, Timestamp{});
}

TEST(BuildStateTest, UnstablePartsAreSortedAndHaveEvidence) {
  const State plain = BuildState(OrdersPage(), {});
  EXPECT_EQ(plain.evidence.size(), 2U);
  const State state = BuildState(OrdersPage(), {{"title", ""}, {"heading", "Orders"}});
  EXPECT_EQ(state.unstable_parts,
            (std::vector<UnstablePart>{{"heading", "Orders"}, {"title", ""}}));
  EXPECT_EQ(state.identity_parts[1].value, "# open orders");
  EXPECT_NE(state.id, plain.id);
  EXPECT_THAT(state.evidence,
              Contains(Evidence{EvidenceLevel::kDerived, "unstable-node",
                                "differed between two observations: 1 heading, 1 title"}));
}

// Each of the exact hashes flips with its own kind of change only; the whole with any of them.
TEST(BuildStateTest, ContentHashesFlipOnTheirOwn) {
  struct Case {
    std::string what;
    std::function<void(PageSnapshot&)> apply;
    bool actionable, dom, text, whole;
  };
  const Case cases[] = {
      {"nothing", [](auto&) {}, false, false, false, false},
      {"text", [](auto& p) { p.visible_text_hash = "v1"; }, false, false, true, true},
      {"dom", [](auto& p) { p.dom_hash = "d1"; }, false, true, false, true},
      {"modal", [](auto& p) { p.modal_stack = {"M"}; }, false, false, false, true},
      {"name digits", [](auto& p) { p.nodes[1].element.accessible_name = "Inbox (4)"; }, true,
       false, false, true},
      {"href query", [](auto& p) { SetAttribute(p.nodes[1].element, "href", "/inbox?t=1"); }, true,
       false, false, true},
      {"enabled", [](auto& p) { p.nodes[1].element.interactability.enabled = false; }, true, false,
       false, true},
      {"order", [](auto& p) { std::swap(p.nodes[0], p.nodes[1]); }, true, false, false, true},
      {"another attribute", [](auto& p) { SetAttribute(p.nodes[1].element, "id", "x"); }, false,
       false, false, false},
      {"layout", [](auto& p) { p.nodes[1].element.bbox.x = 99; }, false, false, false, false},
  };
  const State base = BuildState(OrdersPage(), {});
  EXPECT_EQ(base.state_hash.size(), 32U);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    PageSnapshot page = OrdersPage();
    c.apply(page);
    const State state = BuildState(page, {});
    EXPECT_EQ(state.actionable_signature_hash != base.actionable_signature_hash, c.actionable);
    EXPECT_EQ(state.dom_hash != base.dom_hash, c.dom);
    EXPECT_EQ(state.visible_text_hash != base.visible_text_hash, c.text);
    EXPECT_EQ(state.state_hash != base.state_hash, c.whole);
  }
}

TEST(BuildElementsTest, AssignsIdsInDocumentOrder) {
  PageSnapshot page = OrdersPage();
  page.nodes.push_back(page.nodes[4]);  // a second Edit in the same row
  page.nodes[4].element.locators = {SampleLocator()};
  const State state = BuildState(page, {});
  const auto elements = BuildElements(page, state);
  ASSERT_EQ(elements.size(), page.nodes.size());
  std::set<ElementId> ids;
  for (size_t i = 0; i < elements.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(elements[i].accessible_name, page.nodes[i].element.accessible_name);
    EXPECT_EQ(elements[i].state_id, state.id);
    EXPECT_EQ(elements[i].anchor_key, ComputeAnchorKey(elements[i]));
    EXPECT_TRUE(ids.insert(elements[i].id).second);
    EXPECT_FALSE(elements[i].unstable);
    const uint32_t ordinal = i == 7 ? 1 : 0;
    EXPECT_EQ(elements[i].id, ComputeElementId(state.id, elements[i], ordinal));
  }
  EXPECT_EQ(elements[4].anchor_key, elements[7].anchor_key);
  EXPECT_EQ(elements[4].locators[0].id, ComputeLocatorId(elements[4].id, "getByTestId('save')"));
}

// An element belongs to its state: the same button in two states is two elements with one anchor.
TEST(BuildElementsTest, IdsBelongToTheState) {
  PageSnapshot dialog = OrdersPage();
  dialog.modal_stack = {"Confirm"};
  const auto before = BuildElements(OrdersPage(), BuildState(OrdersPage(), {}));
  const auto after = BuildElements(dialog, BuildState(dialog, {}));
  EXPECT_EQ(before[0].anchor_key, after[0].anchor_key);
  EXPECT_NE(before[0].id, after[0].id);
}

TEST(BuildElementsTest, UnstableElementsAreMarked) {
  PageSnapshot second = OrdersPage();
  second.nodes[0].element.accessible_name = "Sale";
  second.nodes[1].element.accessible_name = "Inbox (4)";
  const auto unstable = CompareObservations(OrdersPage(), second);
  const auto elements = BuildElements(OrdersPage(), BuildState(OrdersPage(), unstable));
  const Evidence evidence{EvidenceLevel::kDerived, "unstable-node",
                          "differed between two observations"};
  for (size_t i = 0; i < elements.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(elements[i].unstable, i < 2);
    if (i < 2) {
      EXPECT_THAT(elements[i].evidence, Contains(evidence));
    } else {
      EXPECT_THAT(elements[i].evidence, Not(Contains(evidence)));
    }
  }
}

TEST(BuildElementsTest, EvidenceSaysWhoKnows) {
  const Evidence unseen{EvidenceLevel::kHeuristic, "viewport", "outside it, not hit-tested"};
  PageSnapshot page = OrdersPage();
  page.nodes[1].element.name_source = NameSource::kInPage;
  page.nodes[2].element.bbox = {10, 5000, 80, 20};
  page.nodes[3].element.bbox = {10, 5000, 80, 20};
  page.nodes[3].element.interactability.receives_events = false;
  page.nodes[4].element.evidence = {{EvidenceLevel::kObserved, "listener", "click"}};
  const auto elements = BuildElements(page, BuildState(page, {}));
  EXPECT_THAT(elements[0].evidence,
              ElementsAre(Evidence{EvidenceLevel::kObserved, "dom", "captured in the page"},
                          Evidence{EvidenceLevel::kObserved, "browser", "role and name"}));
  EXPECT_THAT(elements[1].evidence,
              Contains(Evidence{EvidenceLevel::kDerived, "in-page", "role and name"}));
  EXPECT_THAT(elements[2].evidence, Contains(unseen));
  EXPECT_THAT(elements[3].evidence, Not(Contains(unseen)));
  EXPECT_EQ(elements[4].evidence.front(),
            (Evidence{EvidenceLevel::kObserved, "listener", "click"}));
}

// ---- recipes -----------------------------------------------------------------------------------

// Every ingredient of an id counts.
TEST(RecipesTest, IngredientsCount) {
  const auto state = SampleId<StateId>(1), other_state = SampleId<StateId>(9);
  const auto element = SampleId<ElementId>(2), other_element = SampleId<ElementId>(9);
  const std::set<EdgeId> edges = {
      ComputeEdgeId(state, element, ActionType::kFill, {{"value", "a"}}),
      ComputeEdgeId(other_state, element, ActionType::kFill, {{"value", "a"}}),
      ComputeEdgeId(state, other_element, ActionType::kFill, {{"value", "a"}}),
      ComputeEdgeId(state, element, ActionType::kSelect, {{"value", "a"}}),
      ComputeEdgeId(state, element, ActionType::kFill, {{"value", "b"}}),
      ComputeEdgeId(state, element, ActionType::kFill, {{"text", "a"}}),
      ComputeEdgeId(state, element, ActionType::kFill, {})};
  EXPECT_EQ(edges.size(), 7U);
  EXPECT_EQ(ComputeEdgeId(state, element, ActionType::kFill, {{"a", "1"}, {"b", "2"}}),
            ComputeEdgeId(state, element, ActionType::kFill, {{"b", "2"}, {"a", "1"}}));

  const std::set<SkipId> skips = {
      ComputeSkipId(state, element, ActionType::kClick, "blocked:destructive"),
      ComputeSkipId(other_state, element, ActionType::kClick, "blocked:destructive"),
      ComputeSkipId(state, other_element, ActionType::kClick, "blocked:destructive"),
      ComputeSkipId(state, element, ActionType::kPress, "blocked:destructive"),
      ComputeSkipId(state, element, ActionType::kClick, "blocked:unknown")};
  EXPECT_EQ(skips.size(), 5U);

  const auto reason = FailureReason::kNetworkError;
  const std::set<FailureId> failures = {
      ComputeFailureId(state, element, ActionType::kClick, reason),
      ComputeFailureId({}, element, ActionType::kClick, reason),
      ComputeFailureId(state, {}, ActionType::kClick, reason),
      ComputeFailureId(state, element, {}, reason),
      ComputeFailureId(StateId{}, element, ActionType::kClick, reason),
      ComputeFailureId(state, element, ActionType::kClick, FailureReason::kElementHidden)};
  EXPECT_EQ(failures.size(), 6U);

  const std::set<ObservationId> observations = {
      ComputeObservationId(state, element, ActionType::kClick, "p"),
      ComputeObservationId({}, element, ActionType::kClick, "p"),
      ComputeObservationId(state, {}, ActionType::kClick, "p"),
      ComputeObservationId(state, element, {}, "p"),
      ComputeObservationId(state, element, ActionType::kClick, "q")};
  EXPECT_EQ(observations.size(), 5U);

  Element placed;
  Element framed;
  framed.frame_path = {"f"};
  Element shadowed;
  shadowed.shadow_path = {"f"};
  Element anchored;
  anchored.anchor_key = SampleId<AnchorKey>(1);
  const std::set<ElementId> elements = {
      ComputeElementId(state, placed, 0),   ComputeElementId(other_state, placed, 0),
      ComputeElementId(state, placed, 1),   ComputeElementId(state, framed, 0),
      ComputeElementId(state, shadowed, 0), ComputeElementId(state, anchored, 0)};
  EXPECT_EQ(elements.size(), 6U);

  Landmark named = SampleLandmark();
  Landmark nameless = named;
  nameless.name.reset();
  Landmark empty = named;
  empty.name = "";
  Landmark alert = named;
  alert.role = "alert";
  Landmark elsewhere = named;
  elsewhere.identity.scope.frame_path.pop_back();
  const std::set<LandmarkId> marks = {
      ComputeLandmarkId(state, named, 0),    ComputeLandmarkId(other_state, named, 0),
      ComputeLandmarkId(state, named, 1),    ComputeLandmarkId(state, nameless, 0),
      ComputeLandmarkId(state, empty, 0),    ComputeLandmarkId(state, alert, 0),
      ComputeLandmarkId(state, elsewhere, 0)};
  EXPECT_EQ(marks.size(), 7U);

  const std::set<InputFingerprint> inputs = {
      ComputeInputFingerprint("s", RunMode::kScan, "r", "h", "n", "l"),
      ComputeInputFingerprint("S", RunMode::kScan, "r", "h", "n", "l"),
      ComputeInputFingerprint("s", RunMode::kExplore, "r", "h", "n", "l"),
      ComputeInputFingerprint("s", RunMode::kScan, "R", "h", "n", "l"),
      ComputeInputFingerprint("s", RunMode::kScan, "r", "H", "n", "l"),
      ComputeInputFingerprint("s", RunMode::kScan, "r", "h", "N", "l"),
      ComputeInputFingerprint("s", RunMode::kScan, "r", "h", "n", "L")};
  EXPECT_EQ(inputs.size(), 7U);
}

// Recipes are on disk: a change here is a change of the id scheme.
TEST(RecipesTest, GoldenIds) {
  const auto state = SampleId<StateId>(1);
  const auto element = SampleId<ElementId>(2);
  const PageSnapshot page = OrdersPage();
  const State orders = BuildState(page, {});
  const auto elements = BuildElements(page, orders);
  EXPECT_EQ(
      ComputeStateId({{"url", "@entry/"}, {"heading", "Orders"}, {"structure", "00"}}).ToString(),
      "state_77b4db2c2dd60c8a5aaec512a75e542c");
  EXPECT_EQ(orders.identity_parts.back().value, "83f9f46fb2ffbac89ef017d6d6aaa919");
  EXPECT_EQ(orders.actionable_signature_hash, "b8eaac3ccba5319c406fe90dc44ede2b");
  EXPECT_EQ(orders.state_hash, "38bd0b3a84c2a8156287fa6df41611c1");
  EXPECT_EQ(elements[4].anchor_key.ToString(), "anchor_2b24ef7f9f940010e68abf5201df40d7");
  EXPECT_EQ(ComputeAnchorKey(Link("", "http://a.test/save?x=1#top").element).ToString(),
            "anchor_347b5eb941c35c4335a1f8deb10d3c9e");
  EXPECT_EQ(elements[4].id.ToString(), "el_21bd5cf3d6c033e73ef26fd20f61ca80");
  EXPECT_EQ(ComputeLocatorId(element, "getByRole('button')").ToString(),
            "loc_faedd080fc3feeca637fdf4ca1c07e8e");
  EXPECT_EQ(ComputeEdgeId(state, element, ActionType::kFill, {{"value", "a"}}).ToString(),
            "edge_bed6737966bea8f1316054316a8468e8");
  EXPECT_EQ(ComputeSkipId(state, element, ActionType::kClick, "blocked:destructive").ToString(),
            "skip_514ef6c85ffea3b7eda4c7b85c857676");
  EXPECT_EQ(ComputeFailureId(state, {}, {}, FailureReason::kNetworkError).ToString(),
            "fail_4952c7a0d951821573da1c6dee1d7493");
  EXPECT_EQ(ComputeObservationId(state, {}, {}, "chatgpt").ToString(),
            "obs_8362dc94d023d0f508a053b5dc9132f3");
  EXPECT_EQ(ComputeLandmarkId(state, SampleLandmark(), 0).ToString(),
            "mark_921a59c591fe2f62eeb4224680cca365");
  EXPECT_EQ(ComputeInputFingerprint("http://h/", RunMode::kScan, "topodb-risk-1", "ab",
                                    "topodb-normalization-1", "topodb-locators-1")
                .ToString(),
            "input_5f1731eb5a5bb96903ec32a8bdf5d9c6");
}

}  // namespace
}  // namespace topodb
