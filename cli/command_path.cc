#include "cli/command_path.h"

#include <vector>

#include "cli/database.h"
#include "cli/found_record.h"
#include "cli/output.h"
#include "cli/record_rows.h"
#include "cli/references.h"
#include "cli/run_view.h"
#include "query/path.h"

namespace topodb::cli {

void AddPath(CLI::App& query, Selection& selection) {
  const auto [command, options] =
      AddCommand(query, selection, "path", "finds the shortest action path", RunPath);
  command->add_option("--run", options->run, "the run [latest]")->type_name("RUN");
  command->add_option("--from", options->from, "id, URL or entry [entry]")->type_name("STATE");
  command->add_option("--to", options->to, "id, URL or entry")->type_name("STATE")->required();
}

Result<ExitCode> RunPath(const PathOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun run, reader.FindRun(options.run));
  TOPODB_TRY(const StateId from, FindState(reader, run, options.from));
  TOPODB_TRY(const StateId to, FindState(reader, run, options.to));
  TOPODB_TRY(const std::vector<ActionEdge> path,
             query::FindShortestPath(reader, run.number, from, to));

  RunView view(reader, run);
  RecordList list(console, ColumnsOf<ActionEdge>(), FieldsOf<ActionEdge>());
  for (const ActionEdge& edge : path) {
    if (list.for_people()) {
      list.AddRow(RowOf(edge, view));
    } else {
      TOPODB_TRY(const std::string json, JsonOf(edge, view));
      list.AddRecord(json);
    }
  }
  TOPODB_TRY_VOID(view.status());
  list.Finish();
  if (path.empty()) console.Note("the two states are the same");
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
