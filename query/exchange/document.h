#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "query/exchange/text_source.h"
#include "schema/base/result.h"

// Finds the records of a topology graph document without holding them: where each one stands.
namespace topodb::query {

enum class Section : uint8_t { kStates, kElements, kEdges, kSkips, kFailures, kObservations };

struct SectionName {
  Section section;
  std::string_view name;
  bool required = true;
};

inline constexpr std::array kSections = {
    SectionName{Section::kStates, "states"},
    SectionName{Section::kElements, "elements"},
    SectionName{Section::kEdges, "edges"},
    SectionName{Section::kSkips, "skippedActions"},
    SectionName{Section::kFailures, "failedObservations"},
    // Our own, and only in documents that have any.
    SectionName{Section::kObservations, "observations", false},
};

// No single value may be longer.
inline constexpr uint32_t kMaxRecordBytes = 64U << 20U;

struct Span {
  uint64_t offset = 0;
  uint32_t length = 0;
};

struct Document {
  Span schema_version, metadata;
  std::array<std::vector<Span>, kSections.size()> records;
  std::vector<std::string> unknown;  // top-level names that are not of the shape

  const std::vector<Span>& Of(Section section) const {
    return records.at(static_cast<size_t>(section));
  }
};

// kInvalidArgument with line and column: no such document, a part of it missing, or nested too
// deep. Values are delimited here, not yet checked.
Result<Document> ScanDocument(TextSource& source);

// The value at `span`, checked (json_text.h). kInvalidArgument with line and column.
Result<boost::json::value> ReadValue(TextSource& source, const Span& span);

// An error at a place of the text: "message (line 3, column 14)".
Error ErrorAt(TextSource& source, uint64_t offset, std::string_view message);

}  // namespace topodb::query
