#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>

#include "schema/base/result.h"

namespace topodb::query {

// Bytes that can be read more than once, in any order.
class TextSource {
 public:
  virtual ~TextSource() = default;
  // Up to `size` bytes from `offset` on; fewer only at the end, none beyond it. kIo.
  virtual Result<std::string> Read(uint64_t offset, size_t size) = 0;
};

std::unique_ptr<TextSource> FromText(std::string text);

// kNotFound, kIo.
Result<std::unique_ptr<TextSource>> FromFile(const std::filesystem::path& path);

// Copies what is left of a stream (a pipe) to an unnamed temporary file. kIo.
Result<std::unique_ptr<TextSource>> FromStream(std::istream& in);

}  // namespace topodb::query
