#include "cli/command_script.h"

#include "cli/command_script_run.h"
#include "cli/command_script_save.h"
#include "cli/command_script_show.h"

namespace topodb::cli {

void AddScript(CLI::App& app, Selection& selection) {
  CLI::App* const script = app.add_subcommand("script", "saves, shows and runs portable scripts");
  script->require_subcommand(1);
  AddScriptSave(*script, selection);
  AddScriptShow(*script, selection);
  AddScriptRun(*script, selection);
}

}  // namespace topodb::cli
