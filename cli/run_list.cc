#include "cli/run_list.h"

#include <utility>

#include "cli/record_rows.h"
#include "query/exchange/record_json.h"

namespace topodb::cli {

RunList::RunList(Console& console) : list_(console, ColumnsOf<Run>(), FieldsOf<Run>()) {}

Result<RunList::Entry> RunList::Describe(const store::GraphReader& reader,
                                         const store::StoredRun& run) const {
  Entry entry;
  if (list_.for_people()) {
    entry.row = RowOf(run.run);
    return entry;
  }
  query::JsonWriter json(entry.record);
  query::IdText ids(reader, run);
  query::WriteJson(json, run.run, {.ids = ids});
  TOPODB_TRY_VOID(ids.status());
  return entry;
}

void RunList::Add(Entry entry) {
  if (list_.for_people()) {
    list_.AddRow(std::move(entry.row));
  } else {
    list_.AddRecord(entry.record);
  }
}

}  // namespace topodb::cli
