#include "query/report/graph_forms.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "query/record_scan.h"
#include "query/report/markup.h"
#include "query/report/run_names.h"
#include "schema/base/text.h"
#include "schema/names.h"
#include "store/keys.h"
#include "store/rows.h"

namespace topodb::query {
namespace {

// Longer labels lose their end; ids and addresses stay whole where the form has a place for them.
constexpr size_t kLabelBytes = 80;

struct Node {
  store::StateOrdinal ordinal;
  std::string id, label, url;
};

struct Link {
  store::StateOrdinal from, to;
  std::string id, action, element;
  RiskLevel risk;
};

// A string of DOT in double quotes.
std::string DotString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : NormalizeText(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// A string of Mermaid in double quotes: what means something there as a code.
std::string MermaidString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : NormalizeText(text)) {
    const auto byte = static_cast<uint8_t>(c);
    const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (byte >= 0x80 || letter || c == ' ' || c == '.' || c == ',' || c == '-') {
      quoted += c;
    } else {
      quoted += fmt::format("#{};", byte);
    }
  }
  return quoted + '"';
}

std::string_view DotColor(RiskLevel risk) {
  switch (risk) {
    case RiskLevel::kLow:
      return "gray35";
    case RiskLevel::kMedium:
      return "darkorange";
    case RiskLevel::kHigh:
      return "red";
  }
  return {};
}

std::string Begin(GraphForm form, const Run& run) {
  switch (form) {
    case GraphForm::kDot:
      return fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
                         DotString(run.name.empty() ? run.id.ToString() : run.name));
    case GraphForm::kMermaid:
      return "flowchart LR\n";
    case GraphForm::kGraphml:
      return R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="stateId" for="node" attr.name="stateId" attr.type="string"/>
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="url" for="node" attr.name="url" attr.type="string"/>
  <key id="edgeId" for="edge" attr.name="edgeId" attr.type="string"/>
  <key id="action" for="edge" attr.name="action" attr.type="string"/>
  <key id="element" for="edge" attr.name="element" attr.type="string"/>
  <key id="risk" for="edge" attr.name="risk" attr.type="string"/>
  <graph edgedefault="directed">
)";
  }
  return {};
}

std::string_view End(GraphForm form) {
  switch (form) {
    case GraphForm::kDot:
      return "}\n";
    case GraphForm::kMermaid:
      return "";
    case GraphForm::kGraphml:
      return "  </graph>\n</graphml>\n";
  }
  return {};
}

std::string Data(std::string_view key, std::string_view value) {
  return fmt::format(R"(<data key="{}">{}</data>)", key, EscapeMarkup(value));
}

std::string TextOf(GraphForm form, const Node& node) {
  const std::string label = Shortened(node.label, kLabelBytes);
  switch (form) {
    case GraphForm::kDot:
      return fmt::format("  s{} [label={}, tooltip={}];\n", node.ordinal, DotString(label),
                         DotString(node.url));
    case GraphForm::kMermaid:
      return fmt::format("  s{}[{}]\n", node.ordinal, MermaidString(label));
    case GraphForm::kGraphml:
      return fmt::format("    <node id=\"s{}\">{}{}{}</node>\n", node.ordinal,
                         Data("stateId", node.id), Data("label", node.label),
                         Data("url", node.url));
  }
  return {};
}

std::string TextOf(GraphForm form, const Link& link) {
  const std::string label = Shortened(fmt::format("{} {}", link.action, link.element), kLabelBytes);
  switch (form) {
    case GraphForm::kDot:
      return fmt::format("  s{} -> s{} [label={}, color={}];\n", link.from, link.to,
                         DotString(label), DotColor(link.risk));
    case GraphForm::kMermaid:
      return fmt::format("  s{} -->|{}| s{}\n", link.from, MermaidString(label), link.to);
    case GraphForm::kGraphml:
      return fmt::format("    <edge source=\"s{}\" target=\"s{}\">{}{}{}{}</edge>\n", link.from,
                         link.to, Data("edgeId", link.id), Data("action", link.action),
                         Data("element", link.element), Data("risk", ToString(link.risk)));
  }
  return {};
}

}  // namespace

Status ExportGraph(const store::GraphReader& reader, const store::StoredRun& run, GraphForm form,
                   const TextSink& sink) {
  RunNames names(reader, run);
  TOPODB_TRY_VOID(sink(Begin(form, run.run)));
  TOPODB_TRY_VOID(ForEachRecord<State>(
      reader.kv(), store::RangeOf(store::Kind::kState, run.number),
      [&](const store::Key& key, const State& state) {
        return sink(
            TextOf(form, Node{key.state, names.ids()(state.id), LabelOf(state), state.url}));
      }));
  TOPODB_TRY_VOID(ForEachRecord<ActionEdge>(
      reader.kv(), store::RangeOf(store::Kind::kEdge, run.number),
      [&](const store::Key& key, const ActionEdge& edge) -> Status {
        if (key.state == store::kNoState) return {};  // of an import, from nowhere
        TOPODB_TRY(const std::string element, names.LabelOf(edge.element_id));
        for (const StateId& destination : store::DestinationsOf(edge)) {
          TOPODB_TRY(const auto to, names.OrdinalOf(destination));
          if (!to) continue;
          TOPODB_TRY_VOID(sink(TextOf(
              form, Link{key.state, *to, names.ids()(edge.id),
                         std::string(ToString(edge.action_type)), element, edge.risk_level})));
        }
        return {};
      }));
  TOPODB_TRY_VOID(names.ids().status());
  return sink(End(form));
}

}  // namespace topodb::query
