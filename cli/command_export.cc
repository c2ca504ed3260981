#include "cli/command_export.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/new_file.h"
#include "cli/option_types.h"
#include "query/exchange/export_json.h"

namespace topodb::cli {
namespace {

query::ExportOptions LayoutOf(ExportForm form) {
  return {.layout =
              form == ExportForm::kJson ? query::JsonLayout::kDocument : query::JsonLayout::kLines};
}

}  // namespace

void AddExport(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "export", "writes a run as a topology graph document", RunExport);
  command->add_option("RUN", options->run, "the run [latest]");
  AddChoice(*command, "--as", options->form,
            {{"json", ExportForm::kJson}, {"jsonl", ExportForm::kJsonl}}, "json or jsonl [json]")
      ->type_name("FORM");
  command->add_option("-o,--output", options->output, "the file to write; - is standard output")
      ->type_name("FILE");
}

Status ExportToFile(const store::GraphReader& reader, const store::StoredRun& run, ExportForm form,
                    const std::filesystem::path& path) {
  TOPODB_TRY(const auto file, NewFile::Create(path));
  TOPODB_TRY_VOID(query::ExportJson(reader, run, LayoutOf(form),
                                    [&](std::string_view text) { return file->Write(text); }));
  return file->Publish();
}

Result<ExitCode> RunExport(const ExportOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun run, reader.FindRun(options.run));
  if (options.output != "-") {
    TOPODB_TRY_VOID(ExportToFile(reader, run, options.form, options.output));
    console.Note(fmt::format("wrote {}", options.output.string()));
    return ExitCode::kSuccess;
  }
  TOPODB_TRY_VOID(
      query::ExportJson(reader, run, LayoutOf(options.form), [&](std::string_view text) {
        console.Write(text);
        return Status();
      }));
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
