#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace topodb::fuzz {

std::vector<Target>& Targets() {
  static std::vector<Target> targets;
  return targets;
}

void Require(bool holds, std::string_view invariant, std::string_view detail) {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n  ", static_cast<int>(invariant.size()), invariant.data());
  for (const char c : detail) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '\\') {
      std::fputc(c, stderr);
    } else {
      std::fprintf(stderr, "\\x%02x", byte);
    }
  }
  std::fputc('\n', stderr);
  std::abort();
}

uint8_t Input::Byte() {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

std::string_view Input::Line() {
  const size_t end = std::min(rest_.find('\n'), rest_.size());
  const auto line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return line;
}

std::string_view Input::Rest() {
  const auto rest = rest_;
  rest_ = {};
  return rest;
}

std::string Damaged(std::string valid, Input edits) {
  while (!edits.empty() && !valid.empty()) {
    const size_t high = edits.Byte();
    const size_t position = high << 8U | edits.Byte();
    valid[position % valid.size()] = static_cast<char>(edits.Byte());
  }
  return valid;
}

}  // namespace topodb::fuzz
