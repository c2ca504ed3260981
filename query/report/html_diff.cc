#include "query/report/html_diff.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "query/diff_text.h"
#include "query/exchange/iso_time.h"
#include "query/report/html_page.h"
#include "query/report/markup.h"
#include "query/report/run_names.h"
#include "query/report/state_map.h"

namespace topodb::query {
namespace {

constexpr size_t kMappedStates = 150;
constexpr size_t kShownBytes = 240;
// A page with fewer differences than this is unfolded.
constexpr size_t kOpenDifferences = 40;

std::string Shown(std::string_view text) { return EscapeMarkup(Shortened(text, kShownBytes)); }

std::string RunLine(std::string_view which, const Run& run) {
  return Paragraph("soft", fmt::format("{}: {} · {} · {}", which,
                                       run.name.empty() ? run.id.ToString() : run.name,
                                       ToIsoTime(run.generated_at), run.input_url));
}

std::string_view StyleOf(Change change) {
  switch (change) {
    case Change::kAdded:
      return "added";
    case Change::kRemoved:
      return "removed";
    case Change::kNewlySkipped:
      return "newly-skipped";
    case Change::kNewlyFailing:
      return "newly-failing";
    case Change::kNotObserved:
      return "";
    default:
      return "changed";
  }
}

std::string SideText(std::string_view element, const std::optional<std::string>& text) {
  if (!text) return "<span class=\"soft\">none</span>";
  return fmt::format("<{0}>{1}</{0}>", element, Shown(*text));
}

std::string FieldLine(const FieldChange& field) {
  return fmt::format("<div><span class=\"soft\">{}</span> {} → {}</div>", EscapeMarkup(field.field),
                     SideText("del", field.before), SideText("ins", field.after));
}

std::string RowOf(const Difference& difference, uint64_t times) {
  std::string what = difference.action.empty() ? "" : difference.action + " ";
  what += difference.role;
  if (!difference.name.empty()) what += fmt::format(" “{}”", difference.name);
  std::string text = fmt::format(
      "<tr><td class=\"word\">{}</td><td class=\"word\">{}</td><td>{}<div "
      "class=\"soft\">{}</div></td><td>",
      Tag(StyleOf(difference.change), ToString(difference.change)),
      EscapeMarkup(ToString(difference.section)), Shown(what), Shown(difference.where));
  if (times > 1) text += Paragraph("soft", fmt::format("in {} states", times));
  for (const FieldChange& field : difference.fields) text += FieldLine(field);
  return text + Shown(difference.cause) + "</td></tr>\n";
}

constexpr std::string_view kTableHead =
    "<table><thead><tr><th>change</th><th>of</th><th>what</th><th>before → after</th></tr></thead>"
    "<tbody>\n";

class DiffReport {
 public:
  DiffReport(const store::GraphReader& reader, const store::StoredRun& before,
             const store::StoredRun& after, const Diff& diff, const TextSink& sink)
      : reader_(reader), before_(before), after_(after), diff_(diff), sink_(sink) {}

  Status Write() {
    TOPODB_TRY_VOID(sink_(Head()));
    TOPODB_TRY_VOID(Map());
    GroupByPage();
    size_t number = 0;
    for (const auto& [page, differences] : pages_) {
      TOPODB_TRY_VOID(Page(number++, page, differences));
    }
    TOPODB_TRY_VOID(NotObserved());
    return sink_(EndPage(after_.run.engine_version));
  }

 private:
  std::string Head() const {
    std::map<Change, uint64_t> counts;
    for (const Difference& difference : diff_.differences) ++counts[difference.change];
    std::string text = BeginPage("What changed");
    text +=
        "<h1>What changed</h1>\n" + RunLine("before", before_.run) + RunLine("after", after_.run);
    text += "<div class=\"cards\">\n" + Card(diff_.aligned_states, "states in both");
    for (const auto& [change, count] : counts) text += Card(count, ToString(change));
    text += "</div>\n" + Warnings(diff_.warnings);
    if (!HasDifferences(diff_)) text += Paragraph("", "No differences.");
    return text;
  }

  static std::string PageOf(const Difference& difference) {
    if (difference.section != DiffSection::kStates) return difference.page;
    return difference.name.empty() ? difference.where : difference.name;
  }

  void GroupByPage() {
    std::map<std::string, size_t> places;
    for (const DiffGroup& group : GroupDifferences(diff_)) {
      if (group.first->change == Change::kNotObserved) {
        not_observed_.push_back(group);
        continue;
      }
      const auto [place, is_new] = places.emplace(PageOf(*group.first), pages_.size());
      if (is_new) pages_.emplace_back(place->first, std::vector<DiffGroup>());
      pages_[place->second].second.push_back(group);
    }
  }

  Status Map() {
    RunNames names(reader_, after_);
    TOPODB_TRY(StateMap map, MapOf(reader_, after_, names, kMappedStates));
    TOPODB_TRY_VOID(names.ids().status());
    std::map<std::string, std::map<Change, uint64_t>> by_state;
    uint32_t last = 0;
    for (const Difference& difference : diff_.differences) {
      if (difference.change == Change::kNotObserved) continue;
      if (!difference.after_state.empty()) ++by_state[difference.after_state][difference.change];
    }
    for (MapNode& node : map.nodes) {
      last = std::max(last, node.column);
      node.link.clear();
      const auto found = by_state.find(node.id);
      if (found == by_state.end()) continue;
      node.style = IsNew(node.id) ? "added" : "changed";
      node.note.clear();
      for (const auto& [change, count] : found->second) {
        node.note += fmt::format("{}{} {}", node.note.empty() ? "" : ", ", count, ToString(change));
      }
    }
    for (const Difference& difference : diff_.differences) {
      const bool removed_state =
          difference.section == DiffSection::kStates && difference.change == Change::kRemoved;
      if (!removed_state || map.nodes.size() >= 2 * kMappedStates) continue;
      map.nodes.push_back({.id = difference.before_id,
                           .label = PageOf(difference),
                           .note = "removed",
                           .link = {},
                           .style = "removed",
                           .column = last + 1});
    }
    return sink_(
        fmt::format("<h2>Map of the second run</h2>\n<div class=\"map\">{}</div>\n", DrawMap(map)));
  }

  bool IsNew(const std::string& state) const {
    return std::ranges::any_of(diff_.differences, [&](const Difference& difference) {
      return difference.section == DiffSection::kStates && difference.change == Change::kAdded &&
             difference.after_id == state;
    });
  }

  Status Page(size_t number, const std::string& page, const std::vector<DiffGroup>& differences) {
    if (number == 0) TOPODB_TRY_VOID(sink_("<h2>By page</h2>\n"));
    std::string text = fmt::format(
        "<details{}><summary><b>{}</b><span class=\"soft\">{} {}</span></summary><div "
        "class=\"inside\">{}",
        differences.size() <= kOpenDifferences ? " open" : "",
        page.empty() ? "No page" : Shown(page), differences.size(),
        differences.size() == 1 ? "difference" : "differences", kTableHead);
    for (const auto& [first, times] : differences) text += RowOf(*first, times);
    return sink_(text + "</tbody></table></div></details>\n");
  }

  Status NotObserved() {
    if (not_observed_.empty()) return {};
    std::string text = fmt::format(
        "<h2>Not observed</h2>\n<details><summary>{} that one run may just not have "
        "looked for</summary><div class=\"inside\">{}",
        not_observed_.size(), kTableHead);
    for (const auto& [first, times] : not_observed_) text += RowOf(*first, times);
    return sink_(text + "</tbody></table></div></details>\n");
  }

  const store::GraphReader& reader_;
  const store::StoredRun& before_;
  const store::StoredRun& after_;
  const Diff& diff_;
  const TextSink& sink_;
  std::vector<std::pair<std::string, std::vector<DiffGroup>>> pages_;
  std::vector<DiffGroup> not_observed_;
};

}  // namespace

Status ExportDiffHtml(const store::GraphReader& reader, const store::StoredRun& before,
                      const store::StoredRun& after, const Diff& diff, const TextSink& sink) {
  return DiffReport(reader, before, after, diff, sink).Write();
}

}  // namespace topodb::query
