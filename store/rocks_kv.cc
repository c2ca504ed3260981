#include "store/rocks_kv.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include "store/rocks_kv_frozen.h"

namespace topodb::store {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr auto kSyncInterval = std::chrono::seconds(5);

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// ---- errors ------------------------------------------------------------------------------------

// A file that the database names is lost.
bool MissesFile(const rocksdb::Status& status) {
  return status.IsPathNotFound() ||
         status.ToString().find("No such file or directory") != std::string::npos;
}

std::string FreeSpace(const fs::path& directory) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error) return "unknown space";
  return fmt::format("{} MB", space.available >> 20U);
}

Error ToError(const rocksdb::Status& status, const fs::path& directory) {
  std::string reason = status.ToString();
  while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.pop_back();
  const std::string message = fmt::format("'{}': {}", directory.native(), reason);
  if (status.IsNoSpace() || reason.find("No space left") != std::string::npos) {
    return {
        ErrorCode::kIo,
        fmt::format("no space left for '{}' ({} free)", directory.native(), FreeSpace(directory)),
        "free some space; published runs stay readable"};
  }
  if (MissesFile(status)) {
    return {ErrorCode::kCorruption, message, "restore a backup of the directory"};
  }
  if (status.IsCorruption()) {
    return {ErrorCode::kCorruption, message,
            "run 'topodb check'; restore a backup of the directory if it confirms"};
  }
  if (status.IsInvalidArgument() || status.IsNotSupported()) {
    return {ErrorCode::kInvalidArgument, message, {}};
  }
  return {ErrorCode::kIo, message, {}};
}

// ---- options -----------------------------------------------------------------------------------

// RocksDB's own log: for readers it would be a write in a directory that may be read-only, and on a
// full disk RocksDB 7.8 ends the process with an assertion when its log cannot be written.
class SilentLogger : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::BlockBasedTableOptions TableOptions() {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.block_size = 16 << 10;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(32 << 20);
  return table;
}

rocksdb::Options WriterOptions(size_t memtable_bytes) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  options.bottommost_compression = rocksdb::kZSTD;
  options.write_buffer_size = memtable_bytes;
  options.max_total_wal_size = 32 << 20;
  options.max_open_files = -1;
  options.max_background_jobs = 2;
  options.info_log = std::make_shared<SilentLogger>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.memtable_protection_bytes_per_key = 8;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableOptions()));
  return options;
}

// Opening must not cost more than reading: nothing of a table is loaded before it is needed.
rocksdb::Options ReaderOptions() {
  rocksdb::Options options;
  rocksdb::BlockBasedTableOptions table = TableOptions();
  table.cache_index_and_filter_blocks = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.max_open_files = 100;
  options.max_file_opening_threads = 1;
  options.skip_stats_update_on_db_open = true;
  options.skip_checking_sst_file_sizes_on_db_open = true;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.info_log = std::make_shared<SilentLogger>();
  return options;
}

// ---- Kv ----------------------------------------------------------------------------------------

class RocksIterator : public Iterator {
 public:
  RocksIterator(rocksdb::DB& db, std::string_view begin, std::string_view end,
                const fs::path& directory)
      : end_(end), end_slice_(end_), directory_(directory) {
    rocksdb::ReadOptions options;
    if (!end_.empty()) options.iterate_upper_bound = &end_slice_;
    iterator_.reset(db.NewIterator(options));
    iterator_->Seek(ToSlice(begin));
  }

  bool Valid() const override { return iterator_->Valid(); }
  void Next() override { iterator_->Next(); }
  std::string_view key() const override { return ToView(iterator_->key()); }
  std::string_view value() const override { return ToView(iterator_->value()); }
  Status status() const override {
    const rocksdb::Status status = iterator_->status();
    if (status.ok()) return {};
    return ToError(status, directory_);
  }

 private:
  std::string end_;
  rocksdb::Slice end_slice_;  // RocksDB keeps a pointer to it
  const fs::path& directory_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

class RocksReader : public Kv {
 public:
  RocksReader(std::unique_ptr<rocksdb::DB> db, fs::path directory)
      : db_(std::move(db)), directory_(std::move(directory)) {}

  Result<std::optional<std::string>> Get(std::string_view key) const override {
    std::string value;
    const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), ToSlice(key), &value);
    if (status.IsNotFound()) return std::optional<std::string>();
    if (!status.ok()) return ToError(status, directory_);
    return std::optional<std::string>(std::move(value));
  }

  std::unique_ptr<Iterator> Scan(std::string_view begin, std::string_view end) const override {
    return std::make_unique<RocksIterator>(*db_, begin, end, directory_);
  }

  Status Apply(const Batch&, Durability) override { return ReadOnly(); }
  Status Flush() override { return ReadOnly(); }

 protected:
  rocksdb::DB& db() const { return *db_; }
  const fs::path& directory() const { return directory_; }
  void Close() { db_.reset(); }

 private:
  Status ReadOnly() const {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' is open for reading only", directory_.native()),
                 {}};
  }

  std::unique_ptr<rocksdb::DB> db_;
  fs::path directory_;
};

// The directory as it was when it was opened.
class FrozenReader : public RocksReader {
 public:
  FrozenReader(std::unique_ptr<rocksdb::DB> db, fs::path directory,
               std::unique_ptr<rocksdb::Env> env)
      : RocksReader(std::move(db), std::move(directory)), env_(std::move(env)) {}
  ~FrozenReader() override { Close(); }

 private:
  std::unique_ptr<rocksdb::Env> env_;
};

rocksdb::WriteBatch ToRocks(const Batch& batch) {
  using OperationKind = Batch::Operation::Kind;
  rocksdb::WriteBatch out;
  for (const Batch::Operation& operation : batch.operations()) {
    switch (operation.kind) {
      case OperationKind::kPut:
        out.Put(operation.key, operation.value);
        break;
      case OperationKind::kDelete:
        out.Delete(operation.key);
        break;
      case OperationKind::kDeleteRange:
        out.DeleteRange(operation.key, operation.value);
        break;
    }
  }
  return out;
}

class RocksWriter : public RocksReader {
 public:
  using RocksReader::RocksReader;

  ~RocksWriter() override {
    // A clean close does not empty the log, and every later reader would replay it. When this
    // fails the log still has everything.
    if (unflushed_) static_cast<void>(Flush());
  }

  Status Apply(const Batch& batch, Durability durability) override {
    const auto now = steady_clock::now().time_since_epoch().count();
    const auto since_sync = steady_clock::duration(now - last_sync_.load());
    rocksdb::WriteOptions options;
    options.sync = durability == Durability::kSync || since_sync >= kSyncInterval;
    options.protection_bytes_per_key = 8;
    rocksdb::WriteBatch operations = ToRocks(batch);
    unflushed_ = true;
    const rocksdb::Status status = db().Write(options, &operations);
    if (!status.ok()) return ToError(status, directory());
    if (options.sync) last_sync_ = now;
    return {};
  }

  Status Flush() override {
    const rocksdb::Status status = db().Flush(rocksdb::FlushOptions());
    if (!status.ok()) return ToError(status, directory());
    unflushed_ = false;
    return {};
  }

  Status Reclaim(std::string_view begin, std::string_view end) override {
    const rocksdb::Slice first = ToSlice(begin);
    const rocksdb::Slice last = ToSlice(end);
    const rocksdb::Status status =
        db().CompactRange(rocksdb::CompactRangeOptions(), begin.empty() ? nullptr : &first,
                          end.empty() ? nullptr : &last);
    if (!status.ok()) return ToError(status, directory());
    return {};
  }

 private:
  std::atomic<steady_clock::rep> last_sync_ = steady_clock::now().time_since_epoch().count();
  std::atomic<bool> unflushed_ = false;
};

// ---- opening -----------------------------------------------------------------------------------

}  // namespace

Result<std::unique_ptr<Kv>> OpenRocksForWrite(const fs::path& directory, size_t memtable_bytes) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(WriterOptions(memtable_bytes), directory.native(), &db);
  if (!status.ok()) return ToError(status, directory);
  return std::make_unique<RocksWriter>(std::unique_ptr<rocksdb::DB>(db), directory);
}

Result<std::unique_ptr<Kv>> OpenRocksForRead(const fs::path& directory) {
  TOPODB_TRY(const auto files, FreezeDirectory(directory));
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
  rocksdb::Options options = ReaderOptions();
  options.env = env.get();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, directory.native(), &db);
  if (!status.ok()) return ToError(status, directory);
  return std::make_unique<FrozenReader>(std::unique_ptr<rocksdb::DB>(db), directory,
                                        std::move(env));
}

}  // namespace topodb::store
