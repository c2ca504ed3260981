#pragma once

#include <string>
#include <string_view>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::performance {

// Answered even while a script runs, which interrupts it; not while the thread does anything else.
struct GetMetrics {
  static constexpr std::string_view kMethod = "Performance.getMetrics";
  std::string Params() const;
  using Reply = Empty;
};

}  // namespace topodb::capture::cdp::performance
