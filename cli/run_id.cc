#include "cli/run_id.h"

#include <random>

namespace topodb::cli {

RunId NewRunId() {
  std::random_device random;
  RunId id;
  for (uint8_t& byte : id.bytes) byte = static_cast<uint8_t>(random());
  return id;
}

}  // namespace topodb::cli
