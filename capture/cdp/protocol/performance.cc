#include "capture/cdp/protocol/performance.h"

namespace topodb::capture::cdp::performance {

std::string GetMetrics::Params() const { return "{}"; }

}  // namespace topodb::capture::cdp::performance
