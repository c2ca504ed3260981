#include "query/diff_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace topodb::query {
namespace {

constexpr std::array kSections = {DiffSection::kStates, DiffSection::kElements, DiffSection::kEdges,
                                  DiffSection::kSkips, DiffSection::kFailures};
constexpr std::array kChanges = {
    Change::kAdded,       Change::kRemoved,      Change::kChanged,      Change::kRenamed,
    Change::kMoved,       Change::kAmbiguous,    Change::kUnique,       Change::kRedirected,
    Change::kRiskChanged, Change::kNewlySkipped, Change::kNewlyFailing, Change::kNotObserved};

// Texts longer than this lose their end in a line; JSON has them whole.
constexpr size_t kMaxShown = 80;

std::string_view MarkOf(Change change) {
  switch (change) {
    case Change::kAdded:
      return "+";
    case Change::kRemoved:
      return "-";
    case Change::kNotObserved:
      return "?";
    case Change::kNewlySkipped:
    case Change::kNewlyFailing:
      return "!";
    default:
      return "~";
  }
}

// What happened, where the mark does not say it.
std::string_view VerbOf(const Difference& difference) {
  switch (difference.change) {
    case Change::kRenamed:
      return "renamed";
    case Change::kMoved:
      return "moved";
    case Change::kAmbiguous:
      return "became ambiguous:";
    case Change::kUnique:
      return "became unique:";
    case Change::kRedirected:
      return "leads elsewhere:";
    case Change::kRiskChanged:
      return "other risk:";
    case Change::kNewlySkipped:
      return "newly skipped:";
    case Change::kNewlyFailing:
      return "newly failing:";
    case Change::kNotObserved:
      return "not observed:";
    default:
      return "";
  }
}

std::string Quoted(std::string_view text) {
  if (text.size() <= kMaxShown) return fmt::format("\"{}\"", text);
  size_t end = kMaxShown;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("\"{}…\"", text.substr(0, end));
}

std::string Side(const std::optional<std::string>& text) { return text ? Quoted(*text) : "none"; }

// "edge", "skip", "failure"; nothing where role or verb say enough.
std::string_view NounOf(const Difference& difference) {
  if (difference.change == Change::kNewlySkipped || difference.change == Change::kNewlyFailing) {
    return "";
  }
  switch (difference.section) {
    case DiffSection::kEdges:
      return "edge";
    case DiffSection::kSkips:
      return "skip";
    case DiffSection::kFailures:
      return "failure";
    default:
      return "";
  }
}

// Whether only one run has the record.
bool IsOfOneRun(Change change) {
  switch (change) {
    case Change::kAdded:
    case Change::kRemoved:
    case Change::kNewlySkipped:
    case Change::kNewlyFailing:
    case Change::kNotObserved:
      return true;
    default:
      return false;
  }
}

std::string FieldsText(const Difference& difference) {
  std::string text;
  for (const FieldChange& field : difference.fields) {
    const std::string_view separator = text.empty() ? ": " : ", ";
    if (IsOfOneRun(difference.change)) {
      text += fmt::format("{}{}", separator, field.before.value_or(field.after.value_or("")));
    } else {
      text += fmt::format("{}{} {} -> {}", separator, field.field, Side(field.before),
                          Side(field.after));
    }
  }
  return text;
}

std::string PlaceText(const Difference& difference, uint64_t times) {
  std::string place = difference.where;
  const auto add = [&](const std::string& text) { place += (place.empty() ? "" : ", ") + text; };
  if (times > 1) {
    add(fmt::format("in {} states", times));
  } else if (!difference.page.empty()) {
    add("page " + Quoted(difference.page));
  }
  return place.empty() ? place : fmt::format(" ({})", place);
}

std::string LineText(const Difference& difference, uint64_t times) {
  std::string text(MarkOf(difference.change));
  const auto add = [&](std::string_view word) {
    if (!word.empty()) text += fmt::format(" {}", word);
  };
  add(VerbOf(difference));
  add(NounOf(difference));
  add(difference.action);
  if (!difference.role.empty()) {
    add(difference.role);
    add(Quoted(difference.name));
  }
  text += PlaceText(difference, times) + FieldsText(difference);
  if (!difference.cause.empty()) text += fmt::format("; {}", difference.cause);
  return text;
}

// What two differences of several states must share to be said once.
auto LikeOf(const Difference& difference) {
  std::string fields;
  for (const FieldChange& field : difference.fields) {
    fields += fmt::format("{}\n{}\n{}\n", field.field, Side(field.before), Side(field.after));
  }
  const bool state = difference.section == DiffSection::kStates;
  return std::tuple(difference.section, difference.change, difference.role, difference.name,
                    difference.where, difference.action, std::move(fields), difference.cause,
                    state ? difference.before_id + difference.after_id : std::string());
}

}  // namespace

std::vector<DiffGroup> GroupDifferences(const Diff& diff) {
  std::vector<DiffGroup> groups;
  using Like = decltype(LikeOf(diff.differences.front()));
  std::map<std::tuple<Like, std::string, std::string>, uint64_t> in_state;
  std::map<std::pair<Like, uint64_t>, size_t> known;
  for (const Difference& difference : diff.differences) {
    Like like = LikeOf(difference);
    const uint64_t nth = in_state[{like, difference.before_state, difference.after_state}]++;
    const auto [group, added] = known.emplace(std::pair(std::move(like), nth), groups.size());
    if (added) groups.push_back({.first = &difference});
    ++groups[group->second].times;
  }
  return groups;
}

std::vector<DiffLine> DescribeDiff(const Diff& diff) {
  std::vector<DiffLine> lines;
  for (const auto& [first, times] : GroupDifferences(diff)) {
    lines.push_back({.change = first->change, .times = times, .text = LineText(*first, times)});
  }
  return lines;
}

std::vector<std::string> SummarizeDiff(const Diff& diff) {
  std::vector<std::string> lines;
  for (const DiffSection section : kSections) {
    std::string counts;
    for (const Change change : kChanges) {
      const uint64_t count = CountOf(diff, section, change);
      if (count == 0) continue;
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, ToString(change));
    }
    if (!counts.empty()) lines.push_back(fmt::format("{}: {}", ToString(section), counts));
  }
  return lines;
}

std::vector<std::string> SummarizePages(const Diff& diff, size_t most) {
  using Counts = std::map<Change, uint64_t>;
  std::vector<std::pair<std::string, Counts>> pages;
  std::map<std::string, size_t> known;
  for (const Difference& difference : diff.differences) {
    if (difference.change == Change::kNotObserved) continue;
    const bool state = difference.section == DiffSection::kStates;
    const std::string& title = state ? difference.name : difference.page;
    const std::string& page = title.empty() && state ? difference.where : title;
    if (page.empty()) continue;
    const auto [found, is_new] = known.emplace(page, pages.size());
    if (is_new) pages.emplace_back(page, Counts());
    ++pages[found->second].second[difference.change];
  }
  const auto total = [](const auto& page) {
    uint64_t sum = 0;
    for (const auto& [change, count] : page.second) sum += count;
    return sum;
  };
  std::ranges::stable_sort(pages, std::ranges::greater(), total);
  std::vector<std::string> lines;
  for (const auto& [page, counts] : pages) {
    if (lines.size() == most) {
      lines.push_back(fmt::format("and {} more pages", pages.size() - most));
      break;
    }
    std::string text;
    for (const auto& [change, count] : counts) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, ToString(change));
    }
    lines.push_back(fmt::format("page {}: {}", Quoted(page), text));
  }
  return lines;
}

void WriteJson(JsonWriter& json, const Difference& difference) {
  const auto text = [&](std::string_view key, std::string_view value) {
    json.Key(key);
    json.String(value);
  };
  const auto text_or_null = [&](std::string_view key, const std::optional<std::string>& value) {
    json.Key(key);
    value ? json.String(*value) : json.Null();
  };
  const auto id = [&](std::string_view key, const std::string& value) {
    text_or_null(key, value.empty() ? std::nullopt : std::optional(value));
  };
  json.BeginObject();
  text("section", ToString(difference.section));
  text("change", ToString(difference.change));
  id("beforeId", difference.before_id);
  id("afterId", difference.after_id);
  id("beforeStateId", difference.before_state);
  id("afterStateId", difference.after_state);
  text("role", difference.role);
  text("name", difference.name);
  text("where", difference.where);
  text("page", difference.page);
  id("actionType", difference.action);
  json.Key("fields");
  json.BeginArray();
  for (const FieldChange& field : difference.fields) {
    json.BeginObject();
    text("field", field.field);
    text_or_null("before", field.before);
    text_or_null("after", field.after);
    json.EndObject();
  }
  json.EndArray();
  json.Key("similarity");
  difference.similarity ? json.Number(*difference.similarity) : json.Null();
  id("cause", difference.cause);
  json.EndObject();
}

void WriteJson(JsonWriter& json, const Diff& diff) {
  json.BeginObject();
  json.Key("beforeRun");
  json.String(diff.before_run);
  json.Key("afterRun");
  json.String(diff.after_run);
  json.Key("warnings");
  json.BeginArray();
  for (const std::string& warning : diff.warnings) json.String(warning);
  json.EndArray();
  json.Key("alignedStates");
  json.Number(diff.aligned_states);
  json.Key("summary");
  json.BeginObject();
  for (const DiffSection section : kSections) {
    json.Key(ToString(section));
    json.BeginObject();
    for (const Change change : kChanges) {
      json.Key(ToString(change));
      json.Number(CountOf(diff, section, change));
    }
    json.EndObject();
  }
  json.EndObject();
  json.Key("differences");
  json.BeginArray();
  for (const Difference& difference : diff.differences) WriteJson(json, difference);
  json.EndArray();
  json.EndObject();
}

}  // namespace topodb::query
