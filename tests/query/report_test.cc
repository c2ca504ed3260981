#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/report/graph_forms.h"
#include "query/report/html_diff.h"
#include "query/report/html_run.h"
#include "query/report/markup.h"
#include "store/graph_writer.h"
#include "tests/query/shop_graph.h"
#include "tests/support/full_graph.h"
#include "tests/support/mem_kv.h"
#include "tests/support/run_graph.h"
#include "tests/support/text_of.h"

namespace topodb::query {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TextOf;

class RunReportTest : public ::testing::Test {
 protected:
  store::StoredRun Stored(const RunGraph& graph) {
    store::GraphWriter writer(kv_, store::Durability::kProcess);
    const Status written = WriteRunGraph(writer, graph);
    EXPECT_TRUE(written) << written.error().message;
    return reader_.FindRun("latest").value();
  }

  std::string Graph(const store::StoredRun& run, GraphForm form) const {
    return TextOf([&](const TextSink& sink) { return ExportGraph(reader_, run, form, sink); });
  }

  testing::MemKv kv_;
  store::GraphReader reader_{kv_};
};

// The shop, with a title and a name that would end strings and begin others.
RunGraph HostileShop() {
  RunGraph graph = Shop();
  graph.states[1].title = "\"]; evil[label=\"x\\\n</title><script>alert(1)</script>\x01\u202E";
  Element& docs = Find(graph, "Docs");
  docs.accessible_name = docs.text = "D|ocs\"--><img src=x onerror=alert(2)>";
  Reidentify(graph);
  return graph;
}

TEST_F(RunReportTest, DotNamesStatesAndActions) {
  const std::string text = Graph(Stored(Shop()), GraphForm::kDot);
  EXPECT_THAT(text, HasSubstr("digraph \"shop\" {"));
  EXPECT_THAT(text, HasSubstr("s1 [label=\"Page /docs\", tooltip=\"https://shop.test/docs\"];"));
  EXPECT_THAT(text, HasSubstr(R"(s0 -> s1 [label="click link \"Docs\"", color=gray35];)"));
}

TEST_F(RunReportTest, DotStringsEndWhereTheyShould) {
  const std::string text = Graph(Stored(HostileShop()), GraphForm::kDot);
  EXPECT_THAT(text, HasSubstr(R"(s1 [label="\"]; evil[label=\"x\\ </title>)"));
  EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  EXPECT_EQ(3 + 3 + 2 + 1, std::ranges::count(text, '\n'));
}

TEST_F(RunReportTest, MermaidKeepsMarkupOutOfItsGrammar) {
  const std::string text = Graph(Stored(HostileShop()), GraphForm::kMermaid);
  EXPECT_THAT(text, HasSubstr("flowchart LR\n  s0[\"Page #47;\"]\n"));
  EXPECT_THAT(text, HasSubstr("s0 -->|\"click link #34;D#124;ocs#34;"));
  EXPECT_THAT(text, Not(HasSubstr("<")));
}

TEST_F(RunReportTest, GraphmlIsXmlThatSaysTheSame) {
  std::istringstream in(Graph(Stored(HostileShop()), GraphForm::kGraphml));
  boost::property_tree::ptree xml;
  boost::property_tree::read_xml(in, xml);
  std::vector<std::string> nodes, edges;
  for (const auto& [name, child] : xml.get_child("graphml.graph")) {
    if (name == "node") nodes.push_back(child.get<std::string>("<xmlattr>.id"));
    if (name == "edge") edges.push_back(child.get<std::string>("<xmlattr>.target"));
  }
  EXPECT_EQ((std::vector<std::string>{"s0", "s1", "s2"}), nodes);
  EXPECT_EQ((std::vector<std::string>{"s1", "s2"}), edges);
}

TEST_F(RunReportTest, HtmlShowsWhatARunFound) {
  const store::StoredRun run = Stored(Shop());
  const std::string text =
      TextOf([&](const TextSink& sink) { return ExportHtml(reader_, run, sink); });
  for (const char* part : {"default-src 'none'", "<svg", "Page /docs", "button &quot;Edit&quot;",
                           "blocked:destructive", "element_disabled", "row “Acme Co”",
                           "click → <a href=\"#s1\">", "max-depth 1 was reached", "id=\"s2\""}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(RunReportTest, HtmlHoldsNoMarkupOfPages) {
  const store::StoredRun run = Stored(HostileShop());
  const std::string text =
      TextOf([&](const TextSink& sink) { return ExportHtml(reader_, run, sink); });
  for (const char* part : {"<script", "<img", "\u202E", "\x01", "src=\"", "url(h"}) {
    EXPECT_THAT(text, Not(HasSubstr(part))) << part;
  }
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(text, HasSubstr("\\u202e"));
}

TEST_F(RunReportTest, HtmlOfADiffMarksWhatChanged) {
  RunGraph changed = HostileShop();
  changed.run = testing::BuildRun("after", 2);
  Remove(changed, Find(changed, "Search"));
  Add(changed, testing::BuildState("/new", {{"button", "X", "button"}}));
  std::erase_if(changed.elements,
                [&](const Element& e) { return e.state_id == changed.states[2].id; });
  std::erase_if(changed.edges,
                [&](const ActionEdge& e) { return e.to_state_id == changed.states[2].id; });
  changed.states.erase(changed.states.begin() + 2);
  RunGraph shop = Shop();
  shop.run.budgets.clear();  // both runs looked at everything
  const store::StoredRun before = Stored(shop);
  const store::StoredRun after = Stored(changed);
  const auto diff = DiffRuns(reader_, before, reader_, after, {});
  ASSERT_TRUE(diff) << diff.error().message;
  const std::string text = TextOf(
      [&](const TextSink& sink) { return ExportDiffHtml(reader_, before, after, *diff, sink); });
  EXPECT_THAT(text, HasSubstr("node added"));
  EXPECT_THAT(text, HasSubstr("node removed"));
  EXPECT_THAT(text, HasSubstr("node changed"));
  EXPECT_THAT(text, HasSubstr("textbox “Search”"));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
}

TEST_F(RunReportTest, EveryFormTakesTheFullestRecords) {
  store::GraphWriter writer(kv_, store::Durability::kProcess);
  ASSERT_TRUE(testing::WriteFullGraph(writer));
  const store::StoredRun run = reader_.FindRun("latest").value();
  for (const GraphForm form : {GraphForm::kDot, GraphForm::kMermaid, GraphForm::kGraphml}) {
    EXPECT_FALSE(Graph(run, form).empty());
  }
  EXPECT_FALSE(
      TextOf([&](const TextSink& sink) { return ExportHtml(reader_, run, sink); }).empty());
}

TEST(EscapeMarkup, LeavesNothingThatActsOrHides) {
  EXPECT_EQ("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;",
            EscapeMarkup("<a href=\"x\" b='y'>&amp;"));
  EXPECT_EQ("\\u0000\\u000a\\u202e\\u200b", EscapeMarkup(std::string_view("\0\n\u202E\u200B", 8)));
  EXPECT_EQ("Zoë 日本 🙂", EscapeMarkup("Zoë 日本 🙂"));
  EXPECT_EQ("a\uFFFDb", EscapeMarkup("a\xFF"
                                     "b"));
}

}  // namespace
}  // namespace topodb::query
