#include "cli/words.h"

#include <fmt/format.h>

namespace topodb::cli {

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string CountsText(const RunCounts& counts) {
  const std::string text = fmt::format(
      "{}, {}, {}, {}, {}", Counted(counts.states, "state"), Counted(counts.elements, "element"),
      Counted(counts.edges, "edge"), Counted(counts.skipped_actions, "skip"),
      Counted(counts.failed_observations, "failure"));
  if (counts.observations == 0) return text;
  return fmt::format("{}, {}", text, Counted(counts.observations, "observation"));
}

}  // namespace topodb::cli
