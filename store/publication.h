#pragma once

#include "schema/base/result.h"
#include "schema/model.h"
#include "store/kv.h"
#include "store/values.h"

// The life of a run in the store (docs/format.md, "Publish protocol"): draft, published, gone.
// The caller is the only writer of `kv`.
namespace topodb::store {

// Gives the run a number and writes its draft, durably. kInvalidArgument when its name or id is
// taken or its name cannot be one.
Result<RunNumber> BeginDraft(Kv& kv, const Run& run);

// Makes a draft visible, durably, with these totals; fills in run.counts. kInvalidArgument when the
// name or id is taken.
Status PublishDraft(Kv& kv, RunNumber number, Run run, const Totals& totals);

// Removes every row of a draft or of a published run.
Status DeleteRun(Kv& kv, RunNumber number);

// Settles what dead writers left behind: drafts with a state are published as partial, the others
// deleted.
Status SettleDrafts(Kv& kv);

}  // namespace topodb::store
