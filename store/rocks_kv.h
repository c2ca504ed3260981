#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "schema/base/result.h"
#include "store/kv.h"

// Kv over RocksDB; its headers stay in rocks_kv.cc. Errors name the directory. In both cases
// kInvalidArgument: what is there is no RocksDB database; kCorruption: it is a damaged one.
namespace topodb::store {

// What is gathered in memory before it becomes a table. The smaller, the more often files change.
inline constexpr size_t kMemtableBytes = size_t{16} << 20U;

// For the one writer: the caller holds the WriterLock. Creates the database when there is none.
// Batches of Durability::kProcess are synced too, at the latest by the first one that comes 5 s
// after the last sync. Closing flushes.
Result<std::unique_ptr<Kv>> OpenRocksForWrite(const std::filesystem::path& directory,
                                              size_t memtable_bytes = kMemtableBytes);

// As of now, whoever writes there; creates and writes nothing in the directory, so Apply and Flush
// are kInvalidArgument. Keeps every file open.
Result<std::unique_ptr<Kv>> OpenRocksForRead(const std::filesystem::path& directory);

}  // namespace topodb::store
