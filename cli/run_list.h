#pragma once

#include "cli/console.h"
#include "cli/output.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::cli {

// A list of runs in the console's format, as `topodb runs` shows it.
class RunList {
 public:
  explicit RunList(Console& console);

  // A run made ready to be shown, which needs its rows; showing it does not.
  struct Entry {
    std::vector<Cell> row;
    std::string record;
  };
  Result<Entry> Describe(const store::GraphReader& reader, const store::StoredRun& run) const;

  void Add(Entry entry);
  // Ends the list. Called exactly once.
  void Finish() { list_.Finish(); }

 private:
  RecordList list_;
};

}  // namespace topodb::cli
