#include "cli/command_script_save.h"

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/references.h"
#include "query/script/make_script.h"
#include "query/script/publish.h"
#include "query/script/script_text.h"

namespace topodb::cli {

void AddScriptSave(CLI::App& script, Selection& selection) {
  const auto [command, options] = AddCommand(
      script, selection, "save", "writes the path to a state as a script", RunScriptSave);
  command->add_option("RUN", options->run, "the run")->required();
  command->add_option("FILE", options->file, "the file to write")->required();
  command->add_option("--to", options->to, "where the script leads")
      ->type_name("STATE")
      ->required();
  command->add_option("--guard", options->guard, "the landmark that proves it is there")
      ->type_name("LANDMARK");
  command->add_flag("--force", options->force, "replace a file that exists");
}

Result<ExitCode> RunScriptSave(const ScriptSaveOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun run, reader.FindRun(options.run));
  TOPODB_TRY(const StateId to, FindState(reader, run, options.to));
  TOPODB_TRY(const script::RecordedWay way, script::LoadWay(reader, run, to));
  TOPODB_TRY(const script::Script script, script::MakeScript(way, options.guard));
  script::FileCalls calls;
  TOPODB_TRY_VOID(
      script::Publish(calls, options.file, script::Serialize(script),
                      options.force ? script::Existing::kReplace : script::Existing::kKeep));
  console.Note(fmt::format("wrote {}: {} steps", options.file.string(), script.steps.size()));
  for (const std::string& name : script.variables) {
    console.Note(fmt::format("it needs --env {}=… or the variable in the environment", name));
  }
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
