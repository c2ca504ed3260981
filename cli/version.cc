#include "cli/version.h"

#include <fmt/format.h>

#include "store/graph_store.h"

namespace topodb::cli {

std::string_view Version() { return TOPODB_VERSION; }

std::string VersionText() {
  return fmt::format("topodb {}\nformat {}\n{}", TOPODB_VERSION, store::kFormat, TOPODB_LIBRARIES);
}

}  // namespace topodb::cli
