#include "cli/command_show.h"

#include "cli/database.h"
#include "cli/found_record.h"
#include "cli/output.h"

namespace topodb::cli {

void AddShow(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "show", "shows one record by the beginning of its id", RunShow);
  command->add_option("ID", options->id, "id prefix, or the name of a run")->required();
  command->add_option("--run", options->run, "look in this run only")->type_name("RUN");
}

Result<ExitCode> RunShow(const ShowOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const LocatedRecord located, LocateRecord(reader, options.id, options.run));
  RunView view(reader, located.run);
  TOPODB_TRY(const std::string document, JsonOf(located.record, view));
  switch (console.format()) {
    case Format::kText:
      console.Write(Outline(document));
      break;
    case Format::kJson:
      console.Write(PrettyJson(document));
      break;
    case Format::kJsonl:
    case Format::kCsv:
    case Format::kHtml:
    case Format::kJunit: {
      RecordList list(console, {}, {});
      list.AddRecord(document);
      list.Finish();
      break;
    }
  }
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
