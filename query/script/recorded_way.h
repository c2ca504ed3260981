#pragma once

#include <string>
#include <vector>

#include "query/script/script.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::script {

struct RecordedStep {
  ActionEdge edge;
  Element element;
  State destination;
};

// A path of a stored run, from its entry.
struct RecordedWay {
  std::string entry_url;  // redacted
  EntryScope scope = EntryScope::kOrigin;
  std::vector<RecordedStep> steps;  // none: it ends at the entry
  std::vector<Landmark> landmarks;  // of the state at its end
};

// The shortest recorded path to `to`. kNotFound: no such state, or no path to it; kCorruption.
Result<RecordedWay> LoadWay(const store::GraphReader& reader, const store::StoredRun& run,
                            const StateId& to);

}  // namespace topodb::script
