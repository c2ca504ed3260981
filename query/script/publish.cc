#include "query/script/publish.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace topodb::script {
namespace {

constexpr int kMaxNames = 1000;

int OrErrno(int result) { return result < 0 ? -errno : result; }

Error Failure(std::string_view what, const std::filesystem::path& path, int result) {
  if (result == -EEXIST) {
    return {ErrorCode::kIo, fmt::format("'{}' exists already", path.string()),
            "choose another name, or replace it with --force"};
  }
  return {ErrorCode::kIo,
          fmt::format("cannot {} '{}': {}", what, path.string(),
                      std::generic_category().message(-result)),
          ""};
}

// A file of this process beside the one to be; gone when the publication is over.
struct Beside {
  std::string path;
  int descriptor = -1;
};

Result<Beside> Create(FileCalls& calls, const std::filesystem::path& path) {
  for (int number = 0; number < kMaxNames; ++number) {
    const auto name = fmt::format(".{}.{}-{}.tmp", path.filename().string(), ::getpid(), number);
    Beside beside{.path = (path.parent_path() / name).string()};
    beside.descriptor = calls.Create(beside.path.c_str());
    if (beside.descriptor >= 0) return beside;
    if (beside.descriptor != -EEXIST) return Failure("create", path, beside.descriptor);
  }
  return Error{ErrorCode::kIo, fmt::format("too many unfinished files beside '{}'", path.string()),
               "remove them"};
}

Status Fill(FileCalls& calls, const Beside& beside, const std::filesystem::path& path,
            std::string_view bytes) {
  int result = calls.Write(beside.descriptor, bytes);
  if (result >= 0) result = calls.Sync(beside.descriptor);
  const int closed = calls.Close(beside.descriptor);
  if (result >= 0) result = closed;
  if (result < 0) return Failure("write", path, result);
  return {};
}

}  // namespace

int FileCalls::Create(const char* path) {
  constexpr mode_t kAsUsual = 0666;
  return OrErrno(::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kAsUsual));
}

int FileCalls::Write(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return -errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

int FileCalls::Sync(int descriptor) { return OrErrno(::fsync(descriptor)); }
int FileCalls::Close(int descriptor) { return OrErrno(::close(descriptor)); }
int FileCalls::Link(const char* from, const char* to) { return OrErrno(::link(from, to)); }
int FileCalls::Rename(const char* from, const char* to) { return OrErrno(::rename(from, to)); }
int FileCalls::Unlink(const char* path) { return OrErrno(::unlink(path)); }

int FileCalls::SyncDirectory(const char* path) {
  const int descriptor = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  const int result = OrErrno(::fsync(descriptor));
  ::close(descriptor);
  return result;
}

Status Publish(FileCalls& calls, const std::filesystem::path& path, std::string_view bytes,
               Existing existing) {
  TOPODB_TRY(const Beside beside, Create(calls, path));
  const char* const from = beside.path.c_str();
  if (auto filled = Fill(calls, beside, path, bytes); !filled) {
    calls.Unlink(from);
    return filled;
  }
  const int named = existing == Existing::kReplace ? calls.Rename(from, path.c_str())
                                                   : calls.Link(from, path.c_str());
  // Not fatal: the file is complete under its name, or the other error is the one to tell.
  if (existing == Existing::kKeep || named < 0) calls.Unlink(from);
  if (named < 0) return Failure("create", path, named);
  const auto folder = path.parent_path();
  const int durable = calls.SyncDirectory(folder.empty() ? "." : folder.c_str());
  if (durable < 0) return Failure("make durable", path, durable);
  return {};
}

}  // namespace topodb::script
