#include "query/report/html_run.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "query/exchange/iso_time.h"
#include "query/record_scan.h"
#include "query/report/html_page.h"
#include "query/report/markup.h"
#include "query/report/run_names.h"
#include "query/report/state_map.h"
#include "schema/names.h"
#include "store/keys.h"
#include "store/rows.h"

namespace topodb::query {
namespace {

using store::Kind;
using store::StateOrdinal;

constexpr size_t kMappedStates = 150;   // more are no map any more
constexpr size_t kListedStates = 2000;  // more make a file that browsers do not open
constexpr size_t kListedRecords = 1000;
constexpr size_t kOpenStates = 3;  // of so few states all are unfolded
constexpr size_t kShownBytes = 160;

std::string Shown(std::string_view text) { return EscapeMarkup(Shortened(text, kShownBytes)); }

// 'row Acme › form Search': the named containers.
std::string PlaceOf(const Element& element) {
  std::string place;
  for (const ContextAnchor& anchor : element.context) {
    const std::string name = anchor.key.value_or(anchor.name.value_or(""));
    if (name.empty() || name == element.accessible_name) continue;
    place += fmt::format("{}{} “{}”", place.empty() ? "" : " › ", ToString(anchor.kind), name);
  }
  return place;
}

std::string ConditionOf(const Element& element) {
  std::string text;
  const Interactability& state = element.interactability;
  if (!state.visible) text += Tag("", "hidden");
  if (!state.enabled) text += Tag("", "disabled");
  if (state.visible && !state.receives_events) text += Tag("", "covered");
  if (element.unstable) text += Tag("", "unstable");
  return text;
}

std::string LocatorCell(const Element& element) {
  if (element.locators.empty()) return "<span class=\"soft\">none</span>";
  const Locator& best = element.locators.front();
  return fmt::format("<code>{}</code>{}", Shown(best.expression),
                     best.verified ? "" : " " + Tag("failed", "not verified"));
}

class RunReport {
 public:
  RunReport(const store::GraphReader& reader, const store::StoredRun& run, const TextSink& sink)
      : reader_(reader), run_(run), sink_(sink), names_(reader, run) {}

  Status Write() {
    TOPODB_TRY_VOID(Head());
    TOPODB_TRY_VOID(Map());
    TOPODB_TRY_VOID(States());
    TOPODB_TRY_VOID(Refused());
    TOPODB_TRY_VOID(Failed());
    TOPODB_TRY_VOID(names_.ids().status());
    return sink_(EndPage(run_.run.engine_version));
  }

 private:
  Status Head() {
    const Run& run = run_.run;
    const RunCounts& counts = run.counts;
    const std::string title = run.name.empty() ? run.input_url : run.name;
    std::string text = BeginPage(title);
    text +=
        fmt::format("<h1>{}</h1>\n<p class=\"url\">{}</p>\n", Shown(title), Shown(run.input_url));
    const std::string reason = run.status_reason.empty() ? "" : " (" + run.status_reason + ")";
    text += Paragraph(
        "soft", fmt::format("{} · {}{} · {} · {} {}", ToString(run.mode), ToString(run.status),
                            reason, ToIsoTime(run.generated_at), run.runtime_context.browser_name,
                            run.runtime_context.browser_version));
    text += fmt::format("<p class=\"id\">{}</p>\n<div class=\"cards\">\n",
                        EscapeMarkup(names_.ids()(run.id)));
    text += Card(counts.states, "states") + Card(counts.elements, "elements");
    text += Card(counts.edges, "actions") + Card(counts.skipped_actions, "refused");
    text += Card(counts.failed_observations, "failed");
    text += "</div>\n";
    std::vector<std::string> warnings = run.warnings;
    for (const Budget& budget : run.budgets) {
      if (budget.hit)
        warnings.push_back(fmt::format("{} {} was reached", budget.name, budget.limit));
    }
    return sink_(text + Warnings(warnings));
  }

  Status Map() {
    TOPODB_TRY(const StateMap map, MapOf(reader_, run_, names_, kMappedStates));
    std::string text = fmt::format("<h2>Map</h2>\n<div class=\"map\">{}</div>\n", DrawMap(map));
    if (map.left_out > 0) {
      text += Paragraph("soft", fmt::format("{} more states are not on the map", map.left_out));
    }
    return sink_(text);
  }

  // What became of each element: actions, refusals, failures.
  using Outcomes = std::multimap<ElementId, std::string>;

  Result<Outcomes> OutcomesIn(StateOrdinal state) {
    Outcomes outcomes;
    TOPODB_TRY(const auto edges, RecordsOf<ActionEdge>(reader_.kv(), run_.number, state));
    for (const ActionEdge& edge : edges) {
      std::string text = fmt::format("{} → ", ToString(edge.action_type));
      for (const StateId& destination : store::DestinationsOf(edge)) {
        TOPODB_TRY(const auto to, names_.OrdinalOf(destination));
        if (!to) continue;
        TOPODB_TRY(const std::string label, names_.LabelOf(*to));
        text += fmt::format("<a href=\"#s{}\">{}</a> ", *to, Shown(label));
      }
      if (edge.risk_level != RiskLevel::kLow) {
        text += Tag(ToString(edge.risk_level), ToString(edge.risk_category));
      }
      outcomes.emplace(edge.element_id, std::move(text));
    }
    TOPODB_TRY(const auto skips, RecordsOf<SkippedAction>(reader_.kv(), run_.number, state));
    for (const SkippedAction& skip : skips) {
      outcomes.emplace(skip.element_id,
                       fmt::format("{} {}", ToString(skip.action_type), Tag("high", skip.reason)));
    }
    TOPODB_TRY(const auto failures, RecordsOf<FailedObservation>(reader_.kv(), run_.number, state));
    for (const FailedObservation& failure : failures) {
      if (!failure.element_id) continue;
      outcomes.emplace(*failure.element_id, fmt::format("{} <span class=\"soft\">{}</span>",
                                                        Tag("failed", ToString(failure.reason)),
                                                        Shown(failure.message)));
    }
    return outcomes;
  }

  Result<std::string> ElementTable(StateOrdinal state) {
    TOPODB_TRY(const auto elements, RecordsOf<Element>(reader_.kv(), run_.number, state));
    if (elements.empty()) return std::string("<p class=\"soft\">no elements</p>");
    TOPODB_TRY(const Outcomes outcomes, OutcomesIn(state));
    std::string text =
        "<table><thead><tr><th>element</th><th>in</th><th>locator</th><th>what happened</th></tr>"
        "</thead><tbody>\n";
    for (const Element& element : elements) {
      text += fmt::format("<tr><td>{} {}</td><td class=\"soft\">{}</td><td>{}</td><td>",
                          Shown(LabelOf(element)), ConditionOf(element), Shown(PlaceOf(element)),
                          LocatorCell(element));
      const auto [first, last] = outcomes.equal_range(element.id);
      for (auto outcome = first; outcome != last; ++outcome) {
        text += fmt::format("<div>{}</div>", outcome->second);
      }
      text += "</td></tr>\n";
    }
    return text + "</tbody></table>";
  }

  Status States() {
    TOPODB_TRY_VOID(sink_("<h2>States</h2>\n"));
    const bool unfolded = run_.run.counts.states <= kOpenStates;
    size_t listed = 0;
    TOPODB_TRY_VOID(ForEachRecord<State>(
        reader_.kv(), store::RangeOf(Kind::kState, run_.number),
        [&](const store::Key& key, const State& state) -> Status {
          if (listed++ >= kListedStates) return {};
          TOPODB_TRY(const std::string table, ElementTable(key.state));
          TOPODB_TRY(const std::string opener, names_.OpenerOf(state));
          // The target lies inside, so that following a link unfolds it.
          return sink_(fmt::format(
              "<details{}><summary><b>{}</b><span class=\"url\">{} {}</span></summary>"
              "<div class=\"inside\" id=\"s{}\"><p class=\"id\">{}</p>{}{}</div></details>\n",
              unfolded ? " open" : "", Shown(LabelOf(state)), Shown(state.url),
              opener.empty() ? "" : "· " + Shown(opener), key.state,
              EscapeMarkup(names_.ids()(state.id)),
              state.http_status && *state.http_status >= 400
                  ? "<p>" + Tag("failed", fmt::format("HTTP {}", *state.http_status)) + "</p>"
                  : std::string(),
              table));
        }));
    if (listed <= kListedStates) return {};
    return sink_(Paragraph(
        "soft", fmt::format("{} more states are in the database", listed - kListedStates)));
  }

  Result<std::string> PlaceLink(StateOrdinal state) {
    if (state == store::kNoState) return std::string("<span class=\"soft\">no page</span>");
    TOPODB_TRY(const std::string label, names_.LabelOf(state));
    return fmt::format("<a href=\"#s{}\">{}</a>", state, Shown(label));
  }

  Status Refused() {
    return Listed<SkippedAction>(
        "Refused actions", Kind::kSkip, [&](const SkippedAction& skip) -> Result<std::string> {
          TOPODB_TRY(const std::string element, names_.LabelOf(skip.element_id));
          return fmt::format("<td>{}</td><td>{}</td><td>{}</td>", Tag("high", skip.reason),
                             EscapeMarkup(ToString(skip.action_type)), Shown(element));
        });
  }

  Status Failed() {
    return Listed<FailedObservation>("What failed", Kind::kFailure,
                                     [&](const FailedObservation& failure) -> Result<std::string> {
                                       std::string element;
                                       if (failure.element_id) {
                                         TOPODB_TRY(element, names_.LabelOf(*failure.element_id));
                                       }
                                       return fmt::format("<td>{}</td><td>{}</td><td>{}</td>",
                                                          Tag("failed", ToString(failure.reason)),
                                                          Shown(element), Shown(failure.message));
                                     });
  }

  // A table of one kind of records with the state of each; nothing when there are none.
  template <class Record, class CellsOf>
  Status Listed(std::string_view title, Kind kind, const CellsOf& cells_of) {
    size_t listed = 0;
    TOPODB_TRY_VOID(ForEachRecord<Record>(
        reader_.kv(), store::RangeOf(kind, run_.number),
        [&](const store::Key& key, const Record& record) -> Status {
          if (listed == 0) {
            TOPODB_TRY_VOID(
                sink_(fmt::format("<h2>{}</h2>\n<details open><summary>by state</summary><div "
                                  "class=\"inside\"><table>"
                                  "<tbody>\n",
                                  title)));
          }
          if (listed++ >= kListedRecords) return {};
          TOPODB_TRY(const std::string cells, cells_of(record));
          TOPODB_TRY(const std::string place, PlaceLink(key.state));
          return sink_(fmt::format("<tr>{}<td>{}</td></tr>\n", cells, place));
        }));
    if (listed == 0) return {};
    TOPODB_TRY_VOID(sink_("</tbody></table></div></details>\n"));
    if (listed <= kListedRecords) return {};
    return sink_(Paragraph("soft", fmt::format("{} more", listed - kListedRecords)));
  }

  const store::GraphReader& reader_;
  const store::StoredRun& run_;
  const TextSink& sink_;
  RunNames names_;
};

}  // namespace

Status ExportHtml(const store::GraphReader& reader, const store::StoredRun& run,
                  const TextSink& sink) {
  return RunReport(reader, run, sink).Write();
}

}  // namespace topodb::query
