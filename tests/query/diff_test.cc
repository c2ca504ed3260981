#include "query/diff.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/diff_text.h"
#include "tests/query/shop_graph.h"
#include "tests/support/graph_builder.h"

namespace topodb::query {
namespace {

using testing::BuildState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Case {
  std::string name;
  std::function<void(RunGraph&)> change;
  std::vector<std::string> lines;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class DiffFinds : public ::testing::TestWithParam<Case> {};

TEST_P(DiffFinds, ExactlyThat) {
  const RunGraph before = Shop();
  RunGraph after = Shop();
  GetParam().change(after);
  Reidentify(after);
  EXPECT_EQ(GetParam().lines, Lines(before, after));
}

INSTANTIATE_TEST_SUITE_P(
    Changes, DiffFinds,
    ::testing::Values(
        Case{"nothing", [](RunGraph&) {}, {}},
        Case{"times_boxes_and_order_say_nothing",
             [](RunGraph& graph) {
               for (Element& element : graph.elements) element.bbox.y += 100;
               for (State& state : graph.states) state.created_at.millis += 1;
               std::swap(graph.elements[1], graph.elements[2]);
             },
             {}},
        Case{"added",
             [](RunGraph& graph) {
               Element element = Find(graph, "Edit");
               element.accessible_name = element.text = "Help";
               element.attributes.clear();
               element.context.clear();
               graph.elements.push_back(element);
             },
             {R"(+ button "Help" (page "Page /"))"}},
        Case{"removed",
             [](RunGraph& graph) { Remove(graph, Find(graph, "Search")); },
             {R"(- textbox "Search" (page "Page /"))"}},
        Case{"removed_with_its_action",
             [](RunGraph& graph) { Remove(graph, Find(graph, "Docs")); },
             {R"(- link "Docs" (page "Page /"))", R"(- edge click link "Docs" (page "Page /"))"}},
        Case{"renamed_by_test_id",
             [](RunGraph& graph) {
               Element& edit = Find(graph, "Edit");
               edit.accessible_name = edit.text = "Change";
             },
             {R"(~ renamed button "Change" (row "Acme Co", page "Page /"): )"
              R"(accessibleName "Edit" -> "Change")"}},
        Case{"renamed_by_link",
             [](RunGraph& graph) {
               Element& docs = Find(graph, "Docs");
               docs.accessible_name = docs.text = "Manual";
             },
             {R"(~ renamed link "Manual" (page "Page /"): accessibleName "Docs" -> "Manual")"}},
        Case{"renamed_by_likeness",
             [](RunGraph& graph) {
               Element& search = Find(graph, "Search");
               search.accessible_name = search.label = "Find";
             },
             {R"(~ renamed textbox "Find" (page "Page /"): accessibleName "Search" -> "Find", )"
              R"(label none -> "Find")"}},
        Case{"another_control_is_no_new_name",
             [](RunGraph& graph) {
               Element& later = Find(graph, "Later");
               later.accessible_name = later.text = "Print";
             },
             {R"(- button "Later" (page "Page /"))", R"(+ button "Print" (page "Page /"))",
              R"(- failure click button "Later" (page "Page /"): element_disabled)",
              R"(+ failure click button "Print" (page "Page /"): element_disabled)"}},
        Case{"became_ambiguous",
             [](RunGraph& graph) {
               Locator& locator = Find(graph, "Edit").locators[0];
               locator.descriptor.within = {{ContextKind::kRow, "row", "Acme Co", std::nullopt}};
               locator.expression = "getByRole('row', { name: 'Acme Co' }).getByRole('button')";
             },
             {R"(~ became ambiguous: button "Edit" (row "Acme Co", page "Page /"): locator )"
              R"x("getByRole('button', { name: 'Edit' })" -> )x"
              R"x("getByRole('row', { name: 'Acme Co' }).getByRole('button')")x"}},
        Case{"no_locator_is_left",
             [](RunGraph& graph) { Find(graph, "Edit").locators[0].verified = false; },
             {R"(~ became ambiguous: button "Edit" (row "Acme Co", page "Page /"): locator )"
              R"x("getByRole('button', { name: 'Edit' })" -> none)x"}},
        Case{"newly_refused",
             [](RunGraph& graph) {
               graph.edges.erase(graph.edges.begin());
               graph.skips.push_back(testing::BuildSkip(Find(graph, "Docs")));
             },
             {R"(! newly skipped: click link "Docs" (page "Page /"): blocked:destructive)"}},
        Case{"newly_failing",
             [](RunGraph& graph) {
               graph.edges.erase(graph.edges.begin());
               graph.failures.push_back(testing::BuildFailure(Find(graph, "Docs")));
             },
             {R"(! newly failing: click link "Docs" (page "Page /"): element_disabled)"}},
        Case{"moved_row",
             [](RunGraph& graph) { Find(graph, "Edit").context[0].key = "Bolt Ltd"; },
             {R"(~ moved button "Edit" (row "Bolt Ltd", page "Page /"): )"
              R"(context "row "Acme Co"" -> "row "Bolt Ltd"")"}},
        Case{"disabled",
             [](RunGraph& graph) { Find(graph, "Search").interactability.enabled = false; },
             {R"(~ textbox "Search" (page "Page /"): interactability.enabled "true" -> "false")"}},
        Case{
            "parameter",
            [](RunGraph& graph) { Find(graph, "Search").parameter_surface->required = true; },
            {R"(~ textbox "Search" (page "Page /"): parameterSurface.required "false" -> "true")"}},
        Case{"option",
             [](RunGraph& graph) {
               Find(graph, "Search").parameter_surface->options = {{"One", "1", false, true}};
             },
             {R"(~ textbox "Search" (page "Page /"): parameterSurface.options none -> "1=One")"}},
        Case{"retargeted_link",
             [](RunGraph& graph) {
               SetAttribute(Find(graph, "Cart"), "href", "/docs");
               graph.edges[1].to_state_id = graph.states[1].id;
             },
             {R"(~ link "Cart" (page "Page /"): href "@entry/cart" -> "/docs")",
              R"(~ leads elsewhere: edge click link "Cart" (page "Page /"): toStateId )"
              R"("Page /cart https://shop.test/cart" -> "Page /docs https://shop.test/docs")"}},
        Case{
            "risk",
            [](RunGraph& graph) { graph.edges[0].risk_level = RiskLevel::kMedium; },
            {R"(~ other risk: edge click link "Docs" (page "Page /"): riskLevel "low" -> "medium")"}},
        Case{"effects",
             [](RunGraph& graph) {
               graph.edges[0].effects.push_back({.type = EffectType::kDownload});
             },
             {R"(~ edge click link "Docs" (page "Page /"): effects "dom" -> "dom, download")"}},
        Case{"no_longer_refused",
             [](RunGraph& graph) { graph.skips.clear(); },
             {R"(- skip click button "Delete account" (page "Page /"): blocked:destructive)"}},
        Case{"refused_for_another_reason",
             [](RunGraph& graph) {
               graph.skips[0].risk_category = RiskCategory::kUnknown;
               graph.skips[0].reason = "blocked:unknown";
             },
             {R"(~ skip click button "Delete account" (page "Page /"): riskCategory "destructive" )"
              R"(-> "unknown", reason "blocked:destructive" -> "blocked:unknown")"}},
        Case{"new_failure",
             [](RunGraph& graph) {
               graph.failures[0].reason = FailureReason::kElementHidden;
               std::erase_if(graph.failures, [](const auto& f) { return !f.state_id; });
             },
             {R"(- failure click button "Later" (page "Page /"): element_disabled)",
              R"(- failure: network_error)",
              R"(+ failure click button "Later" (page "Page /"): element_hidden)"}},
        Case{"new_page",
             [](RunGraph& graph) {
               Add(graph, BuildState("/new", {{"button", "X", "button"}}));
               graph.states.back().opened_by_edge_id = graph.edges[0].id;
             },
             {R"(+ page "Page /new" (https://shop.test/new))"}},
        Case{"shared_by_states",
             [](RunGraph& graph) {
               Remove(graph, Find(graph, "Cart", 1));
               Remove(graph, Find(graph, "Cart", 0));
             },
             {R"(- link "Cart" (in 2 states))", R"(- edge click link "Cart" (page "Page /"))"}},
        Case{"page_texts",
             [](RunGraph& graph) {
               State& state = graph.states[1];
               state.title = "Manual";
               state.identity_parts[1].value = "Manual";
             },
             {R"(~ page "Manual" (https://shop.test/docs): title "Page /docs" -> "Manual", )"
              R"(heading "Page /docs" -> "Manual")"}}),
    [](const auto& test) { return test.param.name; });

TEST(DiffText, NamesThePagesThatDifferMost) {
  RunGraph after = Shop();
  Remove(after, Find(after, "Search"));
  Remove(after, Find(after, "Edit"));
  Remove(after, Find(after, "Cart", 1));
  Find(after, "Later", 2).interactability.enabled = false;
  const auto diff = DiffGraphs(Shop(), after, {});
  ASSERT_TRUE(diff);
  EXPECT_THAT(SummarizePages(*diff, 9),
              ElementsAre(R"(page "Page /": 2 removed)", R"(page "Page /docs": 1 removed)",
                          R"(page "Page /cart": 1 changed)"));
  EXPECT_THAT(SummarizePages(*diff, 1),
              ElementsAre(R"(page "Page /": 2 removed)", "and 2 more pages"));
  EXPECT_TRUE(SummarizePages(*DiffGraphs(Shop(), Shop(), {}), 9).empty());
}

TEST(DiffText, SummaryAndJsonCountTheSame) {
  RunGraph after = Shop();
  Remove(after, Find(after, "Docs"));
  const auto diff = DiffGraphs(Shop(), after, {});
  ASSERT_TRUE(diff);
  EXPECT_THAT(SummarizeDiff(*diff), ElementsAre("elements: 1 removed", "edges: 1 removed"));
  std::string text;
  JsonWriter json(text);
  WriteJson(json, *diff);
  EXPECT_THAT(text, HasSubstr(R"("elements":{"added":0,"removed":1,)"));
  EXPECT_THAT(text, HasSubstr(R"("beforeId":"el_)"));
  EXPECT_THAT(text, HasSubstr(R"("afterId":null)"));
}

}  // namespace
}  // namespace topodb::query
