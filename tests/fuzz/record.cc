#include <string>
#include <type_traits>

#include "schema/codec.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/schema/sample_records.h"

namespace topodb::fuzz {
namespace {

// What decodes is a value: stored again it reads back as the same one.
template <class Record>
void RoundTrip(std::string_view bytes) {
  const auto decoded = Decode<Record>(bytes);
  if (!decoded) {
    Require(decoded.error().code == ErrorCode::kCorruption, "a refusal is kCorruption", bytes);
    return;
  }
  const std::string encoded = Encode(*decoded);
  const auto again = Decode<Record>(encoded);
  Require(again.has_value(), "what was decoded can be stored", bytes);
  Require(*again == *decoded, "what was decoded reads back equal", bytes);
  Require(Encode(*again) == encoded, "equal records have equal bytes", bytes);
  if constexpr (!std::is_same_v<Record, Run>) {
    Require(ContentHash(*again) == ContentHash(*decoded), "equal records have equal hashes", bytes);
  }
}

void RoundTripAll(std::string_view bytes) {
  RoundTrip<Run>(bytes);
  RoundTrip<State>(bytes);
  RoundTrip<Element>(bytes);
  RoundTrip<ActionEdge>(bytes);
  RoundTrip<SkippedAction>(bytes);
  RoundTrip<FailedObservation>(bytes);
  RoundTrip<CompletionObservation>(bytes);
  RoundTrip<Landmark>(bytes);
}

std::string EncodedSample(uint8_t kind) {
  switch (kind) {
    case 0:
      return Encode(SampleRun());
    case 1:
      return Encode(SampleState());
    case 2:
      return Encode(SampleElement());
    case 3:
      return Encode(SampleEdge());
    case 4:
      return Encode(SampleSkip());
    case 5:
      return Encode(SampleFailure());
    case 6:
      return Encode(SampleObservation());
    default:
      return Encode(SampleLandmark());
  }
}

// A first byte up to 7 chooses a record to damage; any other stands before raw bytes.
FUZZ_TARGET(record) {
  Input bytes(input);
  const uint8_t kind = bytes.Byte();
  RoundTripAll(kind <= 7 ? Damaged(EncodedSample(kind), bytes) : std::string(bytes.Rest()));
}

}  // namespace
}  // namespace topodb::fuzz
