#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "query/replay/report.h"

namespace topodb::replay {

// How much a divergence may say, in bytes of JSON.
enum class ReportDetail : uint8_t {
  kBrief,    // 8 KiB
  kDefault,  // 24 KiB
  kFull,     // 64 KiB
};

size_t CeilingOf(ReportDetail detail);

inline constexpr size_t kMaxReportString = 256;  // bytes, cut on a code point

// One JSON document, field names as in exports. Every divergence stays within the ceiling:
// lists lose their ends before a string is lost. Never a typed value: only what the run's own
// records and the redacted page say.
std::string ToJson(const ReplayReport& report, ReportDetail detail);
// One step alone, as it stands in the document.
std::string ToJson(const StepReport& step, ReportDetail detail);

}  // namespace topodb::replay
