#include "cli/command_runs.h"

#include <vector>

#include "cli/database.h"
#include "cli/output.h"
#include "cli/record_rows.h"
#include "query/exchange/record_json.h"

namespace topodb::cli {

void AddRuns(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "runs", "lists runs, newest first", RunRuns);
  command->add_option("--input", options->input, "only runs comparable with this input fingerprint")
      ->type_name("FINGERPRINT");
}

Result<ExitCode> RunRuns(const RunsOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const std::vector<store::StoredRun> runs, reader.Runs());
  RecordList list(console, ColumnsOf<Run>(), FieldsOf<Run>());
  for (const store::StoredRun& stored : runs) {
    if (!stored.run.input_fingerprint.ToString().starts_with(options.input)) continue;
    if (list.for_people()) {
      list.AddRow(RowOf(stored.run));
      continue;
    }
    std::string text;
    query::IdText ids(reader, stored);
    query::JsonWriter json(text);
    query::WriteJson(json, stored.run, {.ids = ids});
    TOPODB_TRY_VOID(ids.status());
    list.AddRecord(text);
  }
  list.Finish();
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
