#pragma once

#include <functional>
#include <iosfwd>
#include <string_view>

#include "query/exchange/record_json.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::query {

// Takes the next piece of the output. An error ends the export and is returned by it.
using TextSink = std::function<Status(std::string_view)>;

// Writes to `out`, which must outlive the sink; kIo when the stream breaks.
TextSink ToStream(std::ostream& out);

enum class JsonLayout {
  kDocument,  // one document of the topology graph shape, one record a line
  kLines,     // one record a line, each with its kind under "record": run, state, element, edge,
              // skip, failure
};

struct ExportOptions {
  JsonLayout layout = JsonLayout::kDocument;
  VolatileFields volatile_fields = VolatileFields::kWrite;
};

// Writes one run: metadata, states with their landmarks, elements, edges, skips, failures, each in
// stored order. The same run always gives the same bytes. Holds one record at a time.
Status ExportJson(const store::GraphReader& reader, const store::StoredRun& run,
                  const ExportOptions& options, const TextSink& sink);

}  // namespace topodb::query
