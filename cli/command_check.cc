#include "cli/command_check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/junit.h"
#include "cli/output.h"
#include "cli/references.h"
#include "cli/words.h"
#include "query/check.h"
#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

Result<std::vector<store::StoredRun>> FindRuns(const store::GraphReader& reader,
                                               const std::vector<std::string>& references) {
  std::vector<store::StoredRun> runs;
  for (const std::string& reference : references) {
    TOPODB_TRY(store::StoredRun run, reader.FindRun(reference));
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string JsonOf(const query::CheckReport& report) {
  std::string text;
  query::JsonWriter json(text);
  json.BeginObject();
  json.Key("runs");
  json.Number(report.runs);
  json.Key("records");
  json.Number(report.records);
  json.Key("found");
  json.Number(report.found);
  json.Key("violations");
  json.BeginArray();
  for (const query::Violation& violation : report.violations) {
    json.BeginObject();
    for (const auto& [key, value] : {std::pair<std::string_view, std::string_view>{
                                         "invariant", query::IdOf(violation.invariant)},
                                     {"run", violation.run},
                                     {"key", violation.key},
                                     {"record", violation.record},
                                     {"message", violation.message}}) {
      json.Key(key);
      json.String(value);
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

// A case for each invariant; its violations are one failure.
std::string Junit(const query::CheckReport& report) {
  std::vector<JunitCase> cases;
  for (const query::InvariantText& text : query::Invariants()) {
    JunitCase test{
        .name = fmt::format("{}: {}", text.id, text.statement), .failure = {}, .skipped = {}};
    for (const query::Violation& violation : report.violations) {
      if (violation.invariant != text.invariant) continue;
      if (!test.failure.empty()) test.failure += "; ";
      test.failure += fmt::format("{} {}", violation.record, violation.message);
    }
    cases.push_back(std::move(test));
  }
  return JunitXml("topodb check", cases);
}

void PrintTable(const query::CheckReport& report, Console& console) {
  Table table({{"INVARIANT"}, {"RUN"}, {"RECORD"}, {"KEY", 72}, {"FOUND", 120}});
  for (const query::Violation& violation : report.violations) {
    table.Add({{std::string(query::IdOf(violation.invariant)), CellStyle::kDanger},
               {ShortId(violation.run)},
               {ShortId(violation.record)},
               {violation.key},
               {violation.message}});
  }
  if (!table.empty()) table.Print(console);
  if (report.found > report.violations.size()) {
    console.WriteLine(fmt::format("… and {} more", report.found - report.violations.size()));
  }
  console.WriteLine(fmt::format("{}, {}, {}", Counted(report.runs, "run"),
                                Counted(report.records, "record"),
                                Counted(report.found, "violation")));
}

void Print(const query::CheckReport& report, Console& console) {
  switch (console.format()) {
    case Format::kJson:
      console.Write(PrettyJson(JsonOf(report)));
      break;
    case Format::kHtml:
    case Format::kJunit:
      console.Write(Junit(report));
      break;
    case Format::kText:
    case Format::kJsonl:
    case Format::kCsv:
      PrintTable(report, console);
      break;
  }
}

ExitCode ExitCodeFor(const query::CheckReport& report) {
  if (report.found == 0) return ExitCode::kSuccess;
  const bool corrupt = std::any_of(report.violations.begin(), report.violations.end(),
                                   [](const query::Violation& violation) {
                                     return violation.invariant == query::Invariant::kReadable ||
                                            violation.invariant == query::Invariant::kRecordForm ||
                                            violation.invariant == query::Invariant::kKeyForm;
                                   });
  return corrupt ? ExitCode::kCorruption : ExitCode::kFound;
}

// Makes the index rows follow from the records again.
Status RepairIndexes(const CheckOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenExistingForWrite(console.options()));
  const store::GraphReader reader = store->reader();
  std::vector<store::StoredRun> runs;
  if (options.runs.empty()) {
    TOPODB_TRY(runs, reader.Runs());
  } else {
    TOPODB_TRY(runs, FindRuns(reader, options.runs));
  }
  for (const store::StoredRun& run : runs) {
    TOPODB_TRY(const store::Batch repair, query::PlanIndexRepair(reader, run.number));
    if (repair.empty()) continue;
    TOPODB_TRY_VOID(store->kv().Apply(repair, store::Durability::kSync));
    console.Note(fmt::format("run {}: {} repaired", ShortId(run.run.id.ToString()),
                             Counted(repair.operations().size(), "index row")));
  }
  return {};
}

}  // namespace

void AddCheck(CLI::App& app, Selection& selection) {
  const auto [command, options] = AddCommand(
      app, selection, "check", "proves the integrity of runs", RunCheck, Formats::kReport);
  command->add_option("RUN", options->runs, "the runs [all]");
  command->add_flag("--repair-indexes", options->repair_indexes,
                    "first make the indexes follow from the records again");
}

Result<ExitCode> RunCheck(const CheckOptions& options, Console& console) {
  if (options.repair_indexes) {
    TOPODB_TRY_VOID(RepairIndexes(options, console));
  }
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  query::CheckReport report;
  if (options.runs.empty()) {
    TOPODB_TRY(report, query::Check(reader));
  } else {
    TOPODB_TRY(const std::vector<store::StoredRun> runs, FindRuns(reader, options.runs));
    TOPODB_TRY(report, query::CheckRuns(reader, runs));
  }
  Print(report, console);
  return ExitCodeFor(report);
}

}  // namespace topodb::cli
