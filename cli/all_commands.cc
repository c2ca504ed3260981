#include "cli/all_commands.h"

#include "cli/command_query.h"
#include "cli/command_runs.h"
#include "cli/command_show.h"

namespace topodb::cli {

void AddAllCommands(CLI::App& app, Selection& selection) {
  AddRuns(app, selection);
  AddShow(app, selection);
  AddQuery(app, selection);
}

}  // namespace topodb::cli
