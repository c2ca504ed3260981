#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// UTF-8 text as the records hold it. Every function takes any bytes and gives valid UTF-8; bytes
// that are none count as U+FFFD, one for each maximal invalid part (the WHATWG rule).
namespace topodb {

// NFC; white space (also NBSP and every other Unicode space) collapsed to single spaces and
// trimmed; zero-width characters, bidi controls and other invisible format characters removed,
// control characters removed unless they are white space. Letters keep their case. Idempotent.
std::string NormalizeText(std::string_view text);

// For comparison without case: full case folding, then NFC. Idempotent, and it never trims.
std::string FoldName(std::string_view text);

// The longest prefix of at most `max_bytes` bytes that does not cut a code point.
std::string TruncateUtf8(std::string_view text, size_t max_bytes);

std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace topodb
