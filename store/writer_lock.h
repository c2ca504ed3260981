#pragma once

#include <filesystem>
#include <memory>

#include "schema/base/result.h"

namespace topodb::store {

// The right to write one database directory: a lock on its file OWNER, which names the process that
// holds it. Belongs to this object, not to the process: a second one in the same process is refused
// too. Ends with the object or the process, however it dies; the file stays.
class WriterLock {
 public:
  static constexpr const char* kFileName = "OWNER";

  // Creates OWNER when it is missing. kLocked: "'DIR' is locked by process N since HH:MM". kIo.
  static Result<std::unique_ptr<WriterLock>> Take(const std::filesystem::path& directory);

  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace topodb::store
