#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "schema/base/result.h"

// A file that appears under its name whole or not at all.
namespace topodb::script {

enum class Existing : uint8_t { kKeep, kReplace };

// The system calls of a publication, apart so that tests can fail and kill it at each of them.
// Every function returns 0 or more, or the negative errno.
class FileCalls {
 public:
  virtual ~FileCalls() = default;
  virtual int Create(const char* path);  // of a new file; a descriptor
  virtual int Write(int descriptor, std::string_view bytes);
  virtual int Sync(int descriptor);
  virtual int Close(int descriptor);
  virtual int Link(const char* from, const char* to);
  virtual int Rename(const char* from, const char* to);
  virtual int Unlink(const char* path);
  virtual int SyncDirectory(const char* path);
};

// Writes `bytes` beside `path` and then gives them that name. kKeep: only when there is no such
// file, and of several writers only the first one. At every moment, also one at which the process
// is killed, `path` is what it was or all of `bytes`; a killed process may leave a hidden file
// beside it. kIo; then `path` is as it was, unless only making its name durable failed.
Status Publish(FileCalls& calls, const std::filesystem::path& path, std::string_view bytes,
               Existing existing);

}  // namespace topodb::script
