#include "cli/remove_runs.h"

#include <utility>

#include "cli/run_list.h"
#include "cli/words.h"

namespace topodb::cli {

Status RemoveRuns(store::GraphStore& store, const std::vector<store::StoredRun>& runs,
                  Console& console) {
  RunList list(console);
  for (const store::StoredRun& run : runs) {
    TOPODB_TRY(RunList::Entry entry, list.Describe(store.reader(), run));
    TOPODB_TRY_VOID(store.DeleteRun(run.number));
    list.Add(std::move(entry));
  }
  list.Finish();
  console.Note(Counted(runs.size(), "run") + " removed");
  return {};
}

}  // namespace topodb::cli
