#include "cli/command_diff.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/junit.h"
#include "cli/option_types.h"
#include "cli/output.h"
#include "cli/references.h"
#include "cli/run_view.h"
#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

using query::Change;
using query::Diff;
using query::Difference;
using query::DiffSection;

constexpr std::array kSections = {DiffSection::kStates, DiffSection::kElements, DiffSection::kEdges,
                                  DiffSection::kSkips, DiffSection::kFailures};
constexpr std::array kChanges = {Change::kAdded,   Change::kRemoved, Change::kChanged,
                                 Change::kRenamed, Change::kMoved,   Change::kNotObserved};

// click button "Save" in dialog "Edit", page "Customers".
std::string What(const Difference& difference) {
  std::string text = difference.action.empty() ? "" : difference.action + " ";
  text += RoleAndName(difference.role, difference.name);
  if (!difference.where.empty()) text += " in " + difference.where;
  return text;
}

std::string FieldText(const std::optional<std::string>& value) {
  return value ? fmt::format("\"{}\"", *value) : "nothing";
}

CellStyle StyleOf(Change change) {
  switch (change) {
    case Change::kAdded:
      return CellStyle::kGood;
    case Change::kRemoved:
      return CellStyle::kDanger;
    case Change::kNotObserved:
      return CellStyle::kDim;
    case Change::kChanged:
    case Change::kRenamed:
    case Change::kMoved:
      return CellStyle::kCaution;
  }
  return CellStyle::kPlain;
}

// "states: 1 added, 2 changed".
std::vector<std::string> SummaryLines(const Diff& diff) {
  std::vector<std::string> lines;
  for (const DiffSection section : kSections) {
    std::string line;
    for (const Change change : kChanges) {
      const uint64_t count = query::CountOf(diff, section, change);
      if (count == 0) continue;
      line += fmt::format("{} {} {}", line.empty() ? fmt::format("{}:", ToString(section)) : ",",
                          count, ToString(change));
    }
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void PrintTable(const Diff& diff, Console& console) {
  Table table({{"RECORDS"}, {"CHANGE"}, {"WHAT", 96}, {"DETAIL", 96}, {"ID"}});
  for (const Difference& difference : diff.differences) {
    const std::string& id =
        difference.after_id.empty() ? difference.before_id : difference.after_id;
    table.Add({{std::string(ToString(difference.section))},
               {std::string(ToString(difference.change)), StyleOf(difference.change)},
               {What(difference)},
               {difference.cause},
               {ShortId(id), CellStyle::kDim}});
    for (const query::FieldChange& field : difference.fields) {
      table.Add({{""},
                 {""},
                 {"  " + field.field},
                 {fmt::format("{} → {}", FieldText(field.before), FieldText(field.after))},
                 {""}});
    }
  }
  if (!table.empty()) table.Print(console);
}

std::string JsonOf(const Diff& diff) {
  std::string text;
  query::JsonWriter json(text);
  const auto member = [&](std::string_view key, std::string_view value) {
    json.Key(key);
    json.String(value);
  };
  const auto optional = [&](std::string_view key, const std::optional<std::string>& value) {
    json.Key(key);
    value ? json.String(*value) : json.Null();
  };
  json.BeginObject();
  member("beforeRun", diff.before_run);
  member("afterRun", diff.after_run);
  json.Key("warnings");
  json.BeginArray();
  for (const std::string& warning : diff.warnings) json.String(warning);
  json.EndArray();
  json.Key("alignedStates");
  json.Number(diff.aligned_states);
  json.Key("differences");
  json.BeginArray();
  for (const Difference& difference : diff.differences) {
    json.BeginObject();
    member("records", ToString(difference.section));
    member("change", ToString(difference.change));
    member("beforeId", difference.before_id);
    member("afterId", difference.after_id);
    member("beforeState", difference.before_state);
    member("afterState", difference.after_state);
    member("role", difference.role);
    member("name", difference.name);
    member("where", difference.where);
    member("action", difference.action);
    json.Key("fields");
    json.BeginArray();
    for (const query::FieldChange& field : difference.fields) {
      json.BeginObject();
      member("field", field.field);
      optional("before", field.before);
      optional("after", field.after);
      json.EndObject();
    }
    json.EndArray();
    member("cause", difference.cause);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

// A case for each kind of records; its differences are one failure.
std::string Junit(const Diff& diff) {
  std::vector<JunitCase> cases;
  for (const DiffSection section : kSections) {
    JunitCase test{.name = std::string(ToString(section)), .failure = {}, .skipped = {}};
    for (const Difference& difference : diff.differences) {
      if (difference.section != section || difference.change == Change::kNotObserved) continue;
      if (!test.failure.empty()) test.failure += "; ";
      test.failure += fmt::format("{} {}", ToString(difference.change), What(difference));
    }
    cases.push_back(std::move(test));
  }
  return JunitXml("topodb diff", cases);
}

void Print(const Diff& diff, const DiffCommandOptions& options, Console& console) {
  switch (console.format()) {
    case Format::kJson:
      console.Write(PrettyJson(JsonOf(diff)));
      break;
    case Format::kJunit:
      console.Write(Junit(diff));
      break;
    case Format::kText:
    case Format::kJsonl:
    case Format::kCsv:
      if (!options.summary) PrintTable(diff, console);
      for (const std::string& line : SummaryLines(diff)) console.WriteLine(line);
      if (!query::HasDifferences(diff)) console.WriteLine("no differences");
      break;
  }
}

}  // namespace

void AddDiff(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "diff", "compares two runs", RunDiff, Formats::kReport);
  command->add_option("RUN-A", options->before, "the run before")->required();
  command->add_option("RUN-B", options->after, "the run after")->required();
  AddChoices(*command, "--only", options->only,
             {{"states", DiffSection::kStates},
              {"elements", DiffSection::kElements},
              {"edges", DiffSection::kEdges},
              {"skips", DiffSection::kSkips},
              {"failures", DiffSection::kFailures}},
             "only states, elements, edges, skips or failures; repeatable")
      ->type_name("RECORDS");
  command->add_flag("--summary", options->summary, "only how many");
  command->add_flag("--force", options->force, "compare runs of different input");
}

Result<ExitCode> RunDiff(const DiffCommandOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun before, reader.FindRun(options.before));
  TOPODB_TRY(const store::StoredRun after, reader.FindRun(options.after));
  auto diff = query::DiffRuns(reader, before, reader, after,
                              {.comparability = options.force ? query::Comparability::kForced
                                                              : query::Comparability::kRequired,
                               .only = options.only});
  if (!diff) {
    Error error = std::move(diff).error();
    if (error.code == ErrorCode::kInvalidArgument && error.hint.empty()) {
      error.hint = "add --force to compare them all the same";
    }
    return error;
  }
  for (const std::string& warning : diff->warnings) console.Warn(warning);
  Print(*diff, options, console);
  return query::HasDifferences(*diff) ? ExitCode::kFound : ExitCode::kSuccess;
}

}  // namespace topodb::cli
