#pragma once

#include "schema/base/ids.h"

namespace topodb::cli {

// An id that no run has.
RunId NewRunId();

}  // namespace topodb::cli
