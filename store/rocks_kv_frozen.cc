#include "store/rocks_kv_frozen.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rocksdb/file_system.h>

namespace topodb::store {
namespace {

namespace fs = std::filesystem;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr std::string_view kCurrent = "CURRENT";
// A writer changes its list of files some times a second at most, and a look takes microseconds.
constexpr int kMaxLooks = 1000;

Error SystemError(const fs::path& path, int error_number) {
  return {ErrorCode::kIo,
          fmt::format("cannot open '{}': {}", path.native(),
                      std::generic_category().message(error_number)),
          {}};
}

// An open file, of which only the first `size` bytes exist.
class FrozenFile {
 public:
  // Null when there is no such file.
  static Result<std::shared_ptr<const FrozenFile>> Open(const fs::path& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) return std::shared_ptr<const FrozenFile>();
    if (descriptor < 0) return SystemError(path, errno);
    std::shared_ptr<FrozenFile> file(new FrozenFile(descriptor));
    file->size_ = file->SizeNow();
    return std::shared_ptr<const FrozenFile>(std::move(file));
  }
  ~FrozenFile() { close(descriptor_); }
  FrozenFile(const FrozenFile&) = delete;
  FrozenFile& operator=(const FrozenFile&) = delete;

  uint64_t size() const { return size_; }
  bool has_grown() const { return SizeNow() != size_; }

  // Fewer bytes than asked for only at the end.
  IOStatus Read(uint64_t offset, size_t count, char* scratch, rocksdb::Slice* result) const {
    count = offset < size_ ? std::min<uint64_t>(count, size_ - offset) : 0;
    size_t done = 0;
    while (done < count) {
      const ssize_t got =
          pread(descriptor_, scratch + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return IOStatus::IOError(std::generic_category().message(errno));
      if (got == 0) break;  // cut off meanwhile
      done += static_cast<size_t>(got);
    }
    *result = rocksdb::Slice(scratch, done);
    return IOStatus::OK();
  }

  // Lets the operating system read ahead.
  void Announce(uint64_t offset, size_t count) const {
    posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(count),
                  POSIX_FADV_WILLNEED);
  }

 private:
  explicit FrozenFile(int descriptor) : descriptor_(descriptor) {}

  uint64_t SizeNow() const {
    struct stat status = {};
    return fstat(descriptor_, &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
  }

  int descriptor_;
  uint64_t size_ = 0;
};

using FrozenFiles = std::map<std::string, std::shared_ptr<const FrozenFile>, std::less<>>;

class FrozenSequentialFile : public rocksdb::FSSequentialFile {
 public:
  explicit FrozenSequentialFile(std::shared_ptr<const FrozenFile> file) : file_(std::move(file)) {}

  IOStatus Read(size_t count, const IOOptions&, rocksdb::Slice* result, char* scratch,
                IODebugContext*) override {
    const IOStatus status = file_->Read(position_, count, scratch, result);
    if (status.ok()) position_ += result->size();
    return status;
  }
  IOStatus Skip(uint64_t count) override {
    position_ += count;
    return IOStatus::OK();
  }

 private:
  std::shared_ptr<const FrozenFile> file_;
  uint64_t position_ = 0;
};

class FrozenRandomAccessFile : public rocksdb::FSRandomAccessFile {
 public:
  explicit FrozenRandomAccessFile(std::shared_ptr<const FrozenFile> file)
      : file_(std::move(file)) {}

  IOStatus Read(uint64_t offset, size_t count, const IOOptions&, rocksdb::Slice* result,
                char* scratch, IODebugContext*) const override {
    return file_->Read(offset, count, scratch, result);
  }
  // Without it RocksDB reads half a megabyte into memory of its own for each table that it opens.
  IOStatus Prefetch(uint64_t offset, size_t count, const IOOptions&, IODebugContext*) override {
    file_->Announce(offset, count);
    return IOStatus::OK();
  }

 private:
  std::shared_ptr<const FrozenFile> file_;
};

// Knows the frozen files by name; a database has no others, and lies in one directory.
class FrozenFileSystem : public rocksdb::FileSystemWrapper {
 public:
  explicit FrozenFileSystem(FrozenFiles files)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), files_(std::move(files)) {}

  const char* Name() const override { return "topodb-frozen"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions&,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext*) override {
    auto file = Find(path);
    if (!file) return IOStatus::PathNotFound(path, "No such file or directory");
    *result = std::make_unique<FrozenSequentialFile>(std::move(file));
    return IOStatus::OK();
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions&,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext*) override {
    auto file = Find(path);
    if (!file) return IOStatus::PathNotFound(path, "No such file or directory");
    *result = std::make_unique<FrozenRandomAccessFile>(std::move(file));
    return IOStatus::OK();
  }
  IOStatus FileExists(const std::string& path, const IOOptions&, IODebugContext*) override {
    return Find(path) ? IOStatus::OK() : IOStatus::NotFound();
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions&, uint64_t* size,
                       IODebugContext*) override {
    const auto file = Find(path);
    if (!file) return IOStatus::PathNotFound(path, "No such file or directory");
    *size = file->size();
    return IOStatus::OK();
  }
  IOStatus GetChildren(const std::string&, const IOOptions&, std::vector<std::string>* names,
                       IODebugContext*) override {
    names->clear();
    for (const auto& [name, file] : files_) names->push_back(name);
    return IOStatus::OK();
  }

  // What would change the directory.
  IOStatus NewWritableFile(const std::string&, const FileOptions&,
                           std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) override {
    return Refused();
  }
  IOStatus ReopenWritableFile(const std::string&, const FileOptions&,
                              std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) override {
    return Refused();
  }
  IOStatus ReuseWritableFile(const std::string&, const std::string&, const FileOptions&,
                             std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) override {
    return Refused();
  }
  IOStatus NewRandomRWFile(const std::string&, const FileOptions&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>*, IODebugContext*) override {
    return Refused();
  }
  IOStatus DeleteFile(const std::string&, const IOOptions&, IODebugContext*) override {
    return Refused();
  }
  IOStatus CreateDir(const std::string&, const IOOptions&, IODebugContext*) override {
    return Refused();
  }
  IOStatus CreateDirIfMissing(const std::string&, const IOOptions&, IODebugContext*) override {
    return Refused();
  }
  IOStatus RenameFile(const std::string&, const std::string&, const IOOptions&,
                      IODebugContext*) override {
    return Refused();
  }
  IOStatus LinkFile(const std::string&, const std::string&, const IOOptions&,
                    IODebugContext*) override {
    return Refused();
  }

 private:
  std::shared_ptr<const FrozenFile> Find(std::string_view path) const {
    const auto file = files_.find(path.substr(path.rfind('/') + 1));
    return file == files_.end() ? nullptr : file->second;
  }
  static IOStatus Refused() { return IOStatus::NotSupported("open for reading only"); }

  FrozenFiles files_;
};

bool IsManifest(std::string_view name) { return name.starts_with("MANIFEST-"); }
bool IsLog(std::string_view name) { return name.ends_with(".log"); }
// The other names of a table are those of LevelDB: a foreign database is refused for what is in it.
bool IsData(std::string_view name) {
  return IsLog(name) || name.ends_with(".sst") || name.ends_with(".ldb");
}

using Wanted = bool (*)(std::string_view name);

Result<std::vector<std::string>> NamesIn(const fs::path& directory, Wanted wanted) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename().native();
    if (wanted(name)) names.push_back(std::move(name));
  }
  if (error) return SystemError(directory, error.value());
  return names;
}

Status OpenFiles(const fs::path& directory, Wanted wanted, FrozenFiles& files) {
  TOPODB_TRY(const std::vector<std::string> names, NamesIn(directory, wanted));
  for (const std::string& name : names) {
    TOPODB_TRY(auto file, FrozenFile::Open(directory / name));
    if (file) files.emplace(name, std::move(file));
  }
  return {};
}

std::string ContentOf(const FrozenFile* file) {
  if (file == nullptr) return {};
  std::string text(file->size(), '\0');
  rocksdb::Slice read;
  if (!file->Read(0, text.size(), text.data(), &read).ok()) return {};
  return read.ToString();
}

// One try: nullopt when the list of files changed meanwhile.
//
// A writer removes a table or a log only after its manifest says that it is not needed, and begins
// a log only after the one before has its last byte. So if no manifest has grown since it was
// opened, then everything that it names was still there, and all logs but the newest are whole. A
// listing may miss a file that comes while it is made, but then shows it the next time.
Result<std::optional<FrozenFiles>> Look(const fs::path& directory) {
  FrozenFiles files;
  TOPODB_TRY(const auto current, FrozenFile::Open(directory / kCurrent));
  TOPODB_TRY_VOID(OpenFiles(directory, IsManifest, files));
  const FrozenFiles manifests = files;
  TOPODB_TRY_VOID(OpenFiles(directory, IsData, files));
  TOPODB_TRY(const std::vector<std::string> logs_now, NamesIn(directory, IsLog));
  for (const std::string& log : logs_now) {
    if (!files.contains(log)) return std::optional<FrozenFiles>();
  }
  for (const auto& [name, manifest] : manifests) {
    if (manifest->has_grown()) return std::optional<FrozenFiles>();
  }
  TOPODB_TRY(const auto current_now, FrozenFile::Open(directory / kCurrent));
  if (ContentOf(current.get()) != ContentOf(current_now.get())) return std::optional<FrozenFiles>();
  if (current) files.emplace(kCurrent, current);
  return std::optional(std::move(files));
}

}  // namespace

Result<std::shared_ptr<rocksdb::FileSystem>> FreezeDirectory(const fs::path& directory) {
  for (int look = 0; look < kMaxLooks; ++look) {
    TOPODB_TRY(auto files, Look(directory));
    if (!files) continue;
    return std::shared_ptr<rocksdb::FileSystem>(
        std::make_shared<FrozenFileSystem>(*std::move(files)));
  }
  return Error{ErrorCode::kIo,
               fmt::format("'{}' is being changed too fast to be read", directory.native()),
               "run the command again"};
}

}  // namespace topodb::store
