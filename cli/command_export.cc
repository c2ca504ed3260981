#include "cli/command_export.h"

#include <functional>
#include <string>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/export_path.h"
#include "cli/new_file.h"
#include "cli/option_types.h"
#include "query/exchange/export_json.h"
#include "query/report/graph_forms.h"
#include "query/report/html_run.h"

namespace topodb::cli {
namespace {

Status WriteTo(const store::GraphReader& reader, const store::StoredRun& run, ExportForm form,
               const query::TextSink& sink) {
  switch (form) {
    case ExportForm::kJson:
      return query::ExportJson(reader, run, {.layout = query::JsonLayout::kDocument}, sink);
    case ExportForm::kJsonl:
      return query::ExportJson(reader, run, {.layout = query::JsonLayout::kLines}, sink);
    case ExportForm::kDot:
      return query::ExportGraph(reader, run, query::GraphForm::kDot, sink);
    case ExportForm::kMermaid:
      return query::ExportGraph(reader, run, query::GraphForm::kMermaid, sink);
    case ExportForm::kGraphml:
      return query::ExportGraph(reader, run, query::GraphForm::kGraphml, sink);
    case ExportForm::kHtml:
      return query::ExportHtml(reader, run, sink);
    case ExportForm::kPlaywright:
    case ExportForm::kRecorder:
      break;  // no form of a whole run
  }
  return {};
}

using WriteAll = std::function<Status(const query::TextSink& sink)>;

Status WriteFile(const std::filesystem::path& path, const WriteAll& write) {
  TOPODB_TRY(const auto file, NewFile::Create(path));
  TOPODB_TRY_VOID(write([&](std::string_view text) { return file->Write(text); }));
  return file->Publish();
}

bool IsOfPath(ExportForm form) {
  return form == ExportForm::kPlaywright || form == ExportForm::kRecorder;
}

// The path of the run, as a program for another tool; empty for forms of the whole run.
Result<std::string> PathText(const ExportOptions& options, const store::GraphReader& reader,
                             const store::StoredRun& run) {
  if (!IsOfPath(options.form)) return std::string();
  return ExportPath(reader, run,
                    {.form = options.form == ExportForm::kPlaywright ? PathForm::kPlaywright
                                                                     : PathForm::kRecorder,
                     .to = options.to,
                     .guard = options.guard});
}

}  // namespace

void AddExport(CLI::App& app, Selection& selection) {
  const auto [command, options] = AddCommand(
      app, selection, "export", "writes a run as a document, a graph or a page", RunExport);
  command->add_option("RUN", options->run, "the run [latest]");
  AddChoice(*command, "--as", options->form,
            {{"json", ExportForm::kJson},
             {"jsonl", ExportForm::kJsonl},
             {"dot", ExportForm::kDot},
             {"mermaid", ExportForm::kMermaid},
             {"graphml", ExportForm::kGraphml},
             {"html", ExportForm::kHtml},
             {"playwright", ExportForm::kPlaywright},
             {"recorder", ExportForm::kRecorder}},
            "json, jsonl, dot, mermaid, graphml, html, playwright or recorder [json]")
      ->type_name("FORM");
  command->add_option("-o,--output", options->output, "the file to write; - is standard output")
      ->type_name("FILE");
  command->add_option("--to", options->to, "playwright, recorder: where the path leads")
      ->type_name("STATE");
  command
      ->add_option("--guard", options->guard,
                   "playwright, recorder: the landmark that proves it is there")
      ->type_name("LANDMARK");
}

Status ExportToFile(const store::GraphReader& reader, const store::StoredRun& run, ExportForm form,
                    const std::filesystem::path& path) {
  return WriteFile(path,
                   [&](const query::TextSink& sink) { return WriteTo(reader, run, form, sink); });
}

Result<ExitCode> RunExport(const ExportOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun run, reader.FindRun(options.run));
  TOPODB_TRY(const std::string path, PathText(options, reader, run));
  const WriteAll write = [&](const query::TextSink& sink) {
    return IsOfPath(options.form) ? sink(path) : WriteTo(reader, run, options.form, sink);
  };
  if (options.output != "-") {
    TOPODB_TRY_VOID(WriteFile(options.output, write));
    console.Note(fmt::format("wrote {}", options.output.string()));
    return ExitCode::kSuccess;
  }
  TOPODB_TRY_VOID(write([&](std::string_view text) {
    console.Write(text);
    return Status();
  }));
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
