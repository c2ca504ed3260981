#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/exchange/text_source.h"
#include "schema/base/result.h"
#include "schema/graph_sink.h"

namespace topodb::query {

enum class ImportStrictness {
  kWarn,    // what is dangling, unknown or counted wrongly becomes a warning
  kRefuse,  // … and an error
};

struct ImportOptions {
  std::string name;  // of the run; empty: the one in the document
  ImportStrictness strictness = ImportStrictness::kWarn;
};

struct ImportReport {
  RunId run;
  RunCounts counts;
  uint64_t dangling_references = 0;
  std::vector<std::string> warnings;
};

// Imports one topology graph document, ours or of the v0.2 shape, as a new run. The whole document
// is checked before `sink` hears of it: after an error nothing is stored. Our own ids are kept as
// they are; ids of another maker are kept as strings (IdScheme::kForeign), and so are their
// dangling references. Memory grows with the number of records, not with their size.
// kInvalidArgument names the field or the line and column; errors of source and sink pass through.
Result<ImportReport> ImportJson(TextSource& source, const ImportOptions& options, GraphSink& sink);

}  // namespace topodb::query
