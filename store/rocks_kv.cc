#include "store/rocks_kv.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include "store/writer_lock.h"

namespace topodb::store {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto kSyncInterval = std::chrono::seconds(5);
// Waits between tries of an open that misses a file; their number is the number of retries.
constexpr milliseconds kRetryWaits[] = {milliseconds(20), milliseconds(40), milliseconds(80),
                                        milliseconds(140), milliseconds(200)};

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// ---- errors ------------------------------------------------------------------------------------

// A file that the database names is not there: it was moved away by a writer, or is lost.
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
    return {ErrorCode::kIo, message, "a writer may be replacing files; run the command again"};
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

rocksdb::Options WriterOptions() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  options.bottommost_compression = rocksdb::kZSTD;
  options.write_buffer_size = 16 << 20;
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

// A secondary must keep every table open: the writer may unlink those it has replaced.
rocksdb::Options SecondaryOptions() {
  rocksdb::Options options = ReaderOptions();
  options.max_open_files = -1;
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

// A directory of our own that is gone afterwards.
class ScratchDirectory {
 public:
  static Result<ScratchDirectory> Make() {
    std::error_code error;
    const fs::path base = fs::temp_directory_path(error);
    std::string path = (error ? fs::path("/tmp") : base) / "topodb-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
      return Error{
          ErrorCode::kIo,
          fmt::format("cannot make '{}': {}", path, std::generic_category().message(errno)),
          "set TMPDIR to a directory that can be written"};
    }
    return ScratchDirectory(path);
  }
  ScratchDirectory(ScratchDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;  // nobody can do anything about it
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  explicit ScratchDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

class RocksSecondary : public RocksReader {
 public:
  RocksSecondary(std::unique_ptr<rocksdb::DB> db, fs::path directory, ScratchDirectory scratch)
      : RocksReader(std::move(db), std::move(directory)), scratch_(std::move(scratch)) {}
  ~RocksSecondary() override { Close(); }

 private:
  ScratchDirectory scratch_;
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
        db().CompactRange(rocksdb::CompactRangeOptions(), &first, end.empty() ? nullptr : &last);
    if (!status.ok()) return ToError(status, directory());
    return {};
  }

 private:
  std::atomic<steady_clock::rep> last_sync_ = steady_clock::now().time_since_epoch().count();
  std::atomic<bool> unflushed_ = false;
};

// ---- opening -----------------------------------------------------------------------------------

using OpenedKv = tl::expected<std::unique_ptr<Kv>, rocksdb::Status>;

OpenedKv OpenAlone(const fs::path& directory) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(ReaderOptions(), directory.native(), &db);
  if (!status.ok()) return tl::unexpected(status);
  return std::make_unique<RocksReader>(std::unique_ptr<rocksdb::DB>(db), directory);
}

OpenedKv OpenBesideWriter(const fs::path& directory, ScratchDirectory scratch) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenAsSecondary(
      SecondaryOptions(), directory.native(), scratch.path().native(), &db);
  if (!status.ok()) return tl::unexpected(status);
  return std::make_unique<RocksSecondary>(std::unique_ptr<rocksdb::DB>(db), directory,
                                          std::move(scratch));
}

// Without a writer who could have moved it, the file is lost.
Error StillMissesFile(const rocksdb::Status& status, const fs::path& directory) {
  Error error = ToError(status, directory);
  const auto writer_lives = WriterLock::IsHeld(directory);
  if (!writer_lives || *writer_lives) return error;
  return {ErrorCode::kCorruption, std::move(error.message), "restore a backup of the directory"};
}

// One try; the outer Result is about anything but RocksDB.
Result<OpenedKv> TryOpen(const fs::path& directory) {
  TOPODB_TRY(const bool writer_lives, WriterLock::IsHeld(directory));
  if (!writer_lives) {
    OpenedKv kv = OpenAlone(directory);
    TOPODB_TRY(const bool writer_came, WriterLock::IsHeld(directory));
    if (!writer_came) return kv;
  }
  TOPODB_TRY(ScratchDirectory scratch, ScratchDirectory::Make());
  return OpenBesideWriter(directory, std::move(scratch));
}

}  // namespace

Result<std::unique_ptr<Kv>> OpenRocksForWrite(const fs::path& directory) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(WriterOptions(), directory.native(), &db);
  if (!status.ok()) return ToError(status, directory);
  return std::make_unique<RocksWriter>(std::unique_ptr<rocksdb::DB>(db), directory);
}

Result<std::unique_ptr<Kv>> OpenRocksForRead(const fs::path& directory) {
  size_t retries = 0;
  while (true) {
    TOPODB_TRY(OpenedKv kv, TryOpen(directory));
    if (kv) return *std::move(kv);
    if (!MissesFile(kv.error())) return ToError(kv.error(), directory);
    if (retries == std::size(kRetryWaits)) return StillMissesFile(kv.error(), directory);
    std::this_thread::sleep_for(kRetryWaits[retries++]);
  }
}

}  // namespace topodb::store
