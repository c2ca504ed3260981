#pragma once

#include <filesystem>
#include <memory>

#include "schema/base/result.h"
#include "store/kv.h"

// Kv over RocksDB; its headers stay in rocks_kv.cc. Errors name the directory. In both cases
// kInvalidArgument: what is there is no RocksDB database; kCorruption: it is a damaged one.
namespace topodb::store {

// For the one writer: the caller holds the WriterLock. Creates the database when there is none.
// Batches of Durability::kProcess are synced too, at the latest by the first one that comes 5 s
// after the last sync. Closing flushes.
Result<std::unique_ptr<Kv>> OpenRocksForWrite(const std::filesystem::path& directory);

// As of now; creates and writes nothing in the directory, so Apply and Flush are kInvalidArgument.
// Looks whether a writer is live and reads beside it then. Waits up to half a second for files that
// a writer moves away meanwhile.
Result<std::unique_ptr<Kv>> OpenRocksForRead(const std::filesystem::path& directory);

}  // namespace topodb::store
