#include "store/graph_store.h"

#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "store/copy.h"
#include "store/graph_writer.h"
#include "store/keys.h"
#include "store/publication.h"
#include "store/rocks_kv.h"
#include "store/values.h"

namespace topodb::store {
namespace {

namespace fs = std::filesystem;

Error NotADatabase(const fs::path& directory, std::string_view why) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("'{}' is not a topodb database: {}", directory.native(), why),
          "name another directory with --db"};
}

Error FileSystemError(const fs::path& path, const std::error_code& error) {
  return {ErrorCode::kIo, fmt::format("cannot open '{}': {}", path.native(), error.message()), {}};
}

std::string FormatKey() {
  Key key;
  key.kind = Kind::kStore;
  key.text = kFormatFact;
  return EncodeKey(key);
}

enum class Access { kRead, kWrite };

// Refuses what this build must not touch.
Status CheckGate(const fs::path& directory, const FormatGate& gate, Access access) {
  const bool too_new =
      gate.oldest_reader > kFormat || (access == Access::kWrite && gate.oldest_writer > kFormat);
  if (!too_new) return {};
  return Error{ErrorCode::kUnsupportedFormat,
               fmt::format("'{}' was written by topodb {} (format {}); this build knows formats up "
                           "to {}",
                           directory.native(), gate.version, gate.format, kFormat),
               "use a newer topodb"};
}

// nullopt when the database does not say that it is one of topodb's.
Result<std::optional<FormatGate>> ReadGate(const Kv& kv) {
  TOPODB_TRY(const auto value, kv.Get(FormatKey()));
  if (!value) return std::optional<FormatGate>();
  auto gate = DecodeFormatGate(*value);
  if (!gate) return std::move(gate).error();
  return std::optional<FormatGate>(*std::move(gate));
}

Result<bool> IsEmpty(const Kv& kv) {
  const auto row = kv.Scan({}, {});
  TOPODB_TRY_VOID(row->status());
  return !row->Valid();
}

// What stands in a directory, as far as its file names tell.
enum class Contents {
  kMissing,
  kNothing,   // an empty directory, or one whose making was interrupted
  kDatabase,  // a RocksDB database
  kHeadless,  // a topodb database without its CURRENT file
  kForeign,
};

Result<Contents> Inspect(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) return Contents::kMissing;
  if (error) return FileSystemError(directory, error);
  if (status.type() != fs::file_type::directory) return NotADatabase(directory, "it is a file");
  bool current = false, owner = false, tables = false, other = false;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if (name == "CURRENT")
      current = true;
    else if (name == WriterLock::kFileName)
      owner = true;
    else if (name.extension() == ".sst")
      tables = true;
    else
      other = true;
  }
  if (error) return FileSystemError(directory, error);
  if (current) return Contents::kDatabase;
  if (owner) return tables ? Contents::kHeadless : Contents::kNothing;
  return other || tables ? Contents::kForeign : Contents::kNothing;
}

Error Headless(const fs::path& directory) {
  return {ErrorCode::kCorruption, fmt::format("'{}' has lost its file CURRENT", directory.native()),
          "restore a backup of the directory"};
}

// Refuses what holds no database.
Status RequireDatabase(const fs::path& directory, Contents contents) {
  switch (contents) {
    case Contents::kMissing:
      return Error{ErrorCode::kNotFound, fmt::format("there is no '{}'", directory.native()),
                   "name the database with --db, or make one with 'topodb capture URL'"};
    case Contents::kNothing:
      return NotADatabase(directory, "it is empty");
    case Contents::kForeign:
      return NotADatabase(directory, "other files are there");
    case Contents::kHeadless:
      return Headless(directory);
    case Contents::kDatabase:
      break;
  }
  return {};
}

Status CreateDirectory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return FileSystemError(directory, error);
  return {};
}

// Proves, without changing anything, that a database may be written by this build. One without any
// row is new: its making was interrupted.
Status ProbeForWrite(const fs::path& directory) {
  TOPODB_TRY(const auto kv, OpenRocksForRead(directory));
  TOPODB_TRY(const auto gate, ReadGate(*kv));
  if (gate) return CheckGate(directory, *gate, Access::kWrite);
  TOPODB_TRY(const bool empty, IsEmpty(*kv));
  if (empty) return {};
  return NotADatabase(directory, "another program's RocksDB database is there");
}

// A directory in the making, beside the place where it will be; removed unless published.
class PartialDirectory {
 public:
  static Result<std::unique_ptr<PartialDirectory>> Make(const fs::path& target) {
    fs::path path = target.native() + fmt::format(".partial-{}", getpid());
    TOPODB_TRY_VOID(CreateDirectory(path));
    return std::unique_ptr<PartialDirectory>(new PartialDirectory(std::move(path), target));
  }
  ~PartialDirectory() {
    std::error_code ignored;  // nobody can do anything about it
    fs::remove_all(path_, ignored);
  }
  PartialDirectory(const PartialDirectory&) = delete;
  PartialDirectory& operator=(const PartialDirectory&) = delete;

  const fs::path& path() const { return path_; }

  Status Publish() const {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) return FileSystemError(target_, error);
    return {};
  }

 private:
  PartialDirectory(fs::path path, fs::path target)
      : path_(std::move(path)), target_(std::move(target)) {}

  fs::path path_, target_;
};

Status WriteGateIfNew(Kv& kv) {
  TOPODB_TRY(const auto gate, ReadGate(kv));
  if (gate) return {};
  Batch batch;
  batch.Put(FormatKey(), Encode(FormatGate{.format = kFormat,
                                           .oldest_reader = kFormat,
                                           .oldest_writer = kFormat,
                                           .version = TOPODB_VERSION}));
  return kv.Apply(batch, Durability::kSync);
}

}  // namespace

GraphStore::GraphStore(std::unique_ptr<WriterLock> lock, std::unique_ptr<Kv> kv,
                       OpenOptions options)
    : lock_(std::move(lock)), kv_(std::move(kv)), options_(options) {}

Result<std::unique_ptr<GraphStore>> GraphStore::OpenForRead(const fs::path& directory) {
  TOPODB_TRY(const Contents contents, Inspect(directory));
  TOPODB_TRY_VOID(RequireDatabase(directory, contents));
  TOPODB_TRY(auto kv, OpenRocksForRead(directory));
  TOPODB_TRY(const auto gate, ReadGate(*kv));
  if (!gate) return NotADatabase(directory, "another program's RocksDB database is there");
  TOPODB_TRY_VOID(CheckGate(directory, *gate, Access::kRead));
  return std::unique_ptr<GraphStore>(new GraphStore(nullptr, std::move(kv), {}));
}

Result<std::unique_ptr<GraphStore>> GraphStore::OpenForWrite(const fs::path& directory,
                                                             const OpenOptions& options) {
  TOPODB_TRY(const Contents contents, Inspect(directory));
  const bool creates = contents == Contents::kMissing || contents == Contents::kNothing;
  if (!creates || options.if_missing == IfMissing::kFail) {
    TOPODB_TRY_VOID(RequireDatabase(directory, contents));
  }
  if (contents == Contents::kMissing) TOPODB_TRY_VOID(CreateDirectory(directory));
  // Before the lock, because taking it may create a file: a stranger's directory gets none.
  if (contents == Contents::kDatabase) TOPODB_TRY_VOID(ProbeForWrite(directory));
  TOPODB_TRY(auto lock, WriterLock::Take(directory));
  TOPODB_TRY(auto kv, OpenRocksForWrite(directory));
  TOPODB_TRY_VOID(WriteGateIfNew(*kv));
  TOPODB_TRY_VOID(SettleDrafts(*kv));
  return std::unique_ptr<GraphStore>(new GraphStore(std::move(lock), std::move(kv), options));
}

std::unique_ptr<GraphSink> GraphStore::NewSink() {
  return std::make_unique<GraphWriter>(*kv_,
                                       options_.durable ? Durability::kSync : Durability::kProcess);
}

Status GraphStore::DeleteRun(RunNumber run) {
  // A draft is no run to delete: it may be the one that is being written.
  Key manifest;
  manifest.kind = Kind::kManifest;
  manifest.run = run;
  TOPODB_TRY(const auto published, kv_->Get(EncodeKey(manifest)));
  if (!published) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no run number {}", run), {}};
  }
  TOPODB_TRY_VOID(store::DeleteRun(*kv_, run));
  for (const Kind kind : kRunKinds) {
    const KeyRange range = RangeOf(kind, run);
    TOPODB_TRY_VOID(kv_->Reclaim(range.begin, range.end));
  }
  return {};
}

Status GraphStore::Reclaim() {
  TOPODB_TRY_VOID(kv_->Flush());
  return kv_->Reclaim({}, {});
}

Status GraphStore::BackUp(const fs::path& directory) const {
  TOPODB_TRY(const Contents contents, Inspect(directory));
  if (contents != Contents::kMissing && contents != Contents::kNothing) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' is not an empty directory", directory.native()),
                 "name a directory that is not there yet"};
  }
  TOPODB_TRY(const auto part, PartialDirectory::Make((directory / "").parent_path()));
  {
    TOPODB_TRY(const auto copy, OpenRocksForWrite(part->path()));
    TOPODB_TRY_VOID(CopyPublished(*kv_, *copy));
    TOPODB_TRY_VOID(copy->Flush());
  }
  return part->Publish();
}

}  // namespace topodb::store
