#pragma once

#include <cstdint>
#include <string>

#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::cli {

enum class PathForm : uint8_t { kPlaywright, kRecorder };

struct PathExport {
  PathForm form = PathForm::kPlaywright;
  std::string to;     // STATE
  std::string guard;  // LANDMARK
};

// The path from a run's entry to a state as a program for another tool. kInvalidArgument: no state,
// no guard (named as for `script save`), or a path that the tool could not perform.
Result<std::string> ExportPath(const store::GraphReader& reader, const store::StoredRun& run,
                               const PathExport& wanted);

}  // namespace topodb::cli
