#pragma once

#include "schema/base/result.h"
#include "schema/graph_sink.h"

namespace topodb::testing {

// WriteSmallGraph with every field of every record set to something, texts from hostile pages
// included. `serial` changes what differs between two runs of an unchanged site, and nothing else.
Status WriteFullGraph(GraphSink& sink, uint32_t serial = 1);

}  // namespace topodb::testing
