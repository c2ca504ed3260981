#pragma once

#include <filesystem>
#include <memory>

#include "schema/base/result.h"

namespace rocksdb {
class FileSystem;
}

namespace topodb::store {

// A RocksDB directory as it was at one moment, whoever writes there: every file that a reader needs
// is opened now, and shows neither what is appended nor that it is removed. What was written by
// then is there up to some batch, with no hole before it. Refuses every change of the directory.
// kIo.
Result<std::shared_ptr<rocksdb::FileSystem>> FreezeDirectory(
    const std::filesystem::path& directory);

}  // namespace topodb::store
