#include "cli/command_import.h"

#include <iostream>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/words.h"
#include "query/exchange/import_json.h"
#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

void Print(const query::ImportReport& report, Console& console) {
  const RunCounts& counts = report.counts;
  if (console.format() == Format::kText) {
    console.WriteLine(report.run.ToString());
    console.Note(CountsText(counts));
    return;
  }
  std::string text;
  query::JsonWriter json(text);
  json.BeginObject();
  json.Key("crawlSessionId");
  json.String(report.run.ToString());
  const auto number = [&](std::string_view key, uint64_t value) {
    json.Key(key);
    json.Number(value);
  };
  number("states", counts.states);
  number("elements", counts.elements);
  number("edges", counts.edges);
  number("skippedActions", counts.skipped_actions);
  number("failedObservations", counts.failed_observations);
  number("observations", counts.observations);
  number("danglingReferences", report.dangling_references);
  json.EndObject();
  console.Write(text + "\n");
}

}  // namespace

void AddImport(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "import", "stores a topology graph document as a run", RunImport);
  command->add_option("FILE", options->input, "the document; - is standard input")->required();
  command->add_option("--as", options->name, "name of the new run")->type_name("NAME");
  command->add_flag("--strict", options->strict, "refuse dangling references and unknown fields");
}

Result<ExitCode> RunImport(const ImportOptions& options, Console& console) {
  const bool from_stdin = options.input == "-";
  TOPODB_TRY(const auto source,
             from_stdin ? query::FromStream(std::cin) : query::FromFile(options.input));
  TOPODB_TRY(const auto store, OpenForWrite(console.options(), {}));
  const auto sink = store->NewSink();
  auto report = query::ImportJson(*source,
                                  {.name = options.name,
                                   .strictness = options.strict ? query::ImportStrictness::kRefuse
                                                                : query::ImportStrictness::kWarn},
                                  *sink);
  if (!report) {
    return std::move(report).error().With(
        fmt::format("importing {}", from_stdin ? "standard input" : options.input.string()));
  }
  for (const std::string& warning : report->warnings) console.Warn(warning);
  Print(*report, console);
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
