#include "cli/all_commands.h"

#include "cli/command_await.h"
#include "cli/command_backup.h"
#include "cli/command_capture.h"
#include "cli/command_check.h"
#include "cli/command_diff.h"
#include "cli/command_doctor.h"
#include "cli/command_explain.h"
#include "cli/command_export.h"
#include "cli/command_gc.h"
#include "cli/command_import.h"
#include "cli/command_query.h"
#include "cli/command_replay.h"
#include "cli/command_rm.h"
#include "cli/command_runs.h"
#include "cli/command_script.h"
#include "cli/command_show.h"

namespace topodb::cli {

void AddAllCommands(CLI::App& app, Selection& selection) {
  AddCapture(app, selection);
  AddRuns(app, selection);
  AddShow(app, selection);
  AddQuery(app, selection);
  AddDiff(app, selection);
  AddCheck(app, selection);
  AddReplay(app, selection);
  AddScript(app, selection);
  AddAwait(app, selection);
  AddExplain(app, selection);
  AddExport(app, selection);
  AddImport(app, selection);
  AddRm(app, selection);
  AddGc(app, selection);
  AddBackup(app, selection);
  AddDoctor(app, selection);
}

}  // namespace topodb::cli
