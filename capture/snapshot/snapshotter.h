#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/guard/url.h"
#include "schema/base/result.h"
#include "schema/snapshot.h"

// Answers of js/snapshot.js, one a frame, -> PageSnapshot. Pure. This is the capture border: what
// leaves it is redacted (guard/redact.h) and capped.
namespace topodb::capture {

// How snapshot.js is asked, with the command line API included; the caps are those of
// docs/format.md.
std::string SnapshotExpression(uint64_t generation);

struct FrameAnswer {
  std::string json;     // the value of the expression, a JSON text in a JSON string; may be empty
  std::string failure;  // why, when json is empty
  std::string url;      // of the frame; used when it could not be asked
  std::optional<size_t> parent;   // index into the answers; absent for the main frame, which is [0]
  std::optional<uint32_t> child;  // its place among its parent's child frames, in creation order
  std::string place_json;  // where it stands, see placeOf in snapshot.js; goes before `child`
};

struct SnapshotContext {
  UrlEntry entry;  // becomes "@entry"
  uint64_t generation = 0;
  std::optional<uint32_t> http_status;
};

// kProtocol when the main frame's answer is not what snapshot.js returns; a child frame that fails
// is recorded as inaccessible. Frames of which neither answer nor place_json tells where they stand
// are not placed, see SnapshotFrame.
Result<PageSnapshot> AssembleSnapshot(const std::vector<FrameAnswer>& answers,
                                      const SnapshotContext& context);

}  // namespace topodb::capture
