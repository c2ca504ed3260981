#include "store/writer_lock.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace topodb::store {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Error SystemError(const std::filesystem::path& path, int error_number) {
  return {ErrorCode::kIo,
          fmt::format("cannot use the lock '{}': {}", path.native(),
                      std::generic_category().message(error_number)),
          {}};
}

struct flock WholeFile() {
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

// "process 4711", or "another process" when its number is not (yet) written.
std::string ReadOwner(int descriptor) {
  char text[16] = {};
  const ssize_t size = pread(descriptor, text, sizeof(text) - 1, 0);
  std::string number;
  for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; ++i) number += text[i];
  return number.empty() ? "another process" : "process " + number;
}

// " since 12:03", local time; empty when unknown.
std::string ReadSince(int descriptor) {
  struct stat status = {};
  struct tm local = {};
  if (fstat(descriptor, &status) != 0 || localtime_r(&status.st_mtime, &local) == nullptr)
    return {};
  return fmt::format(" since {:02}:{:02}", local.tm_hour, local.tm_min);
}

Error LockedBy(const std::filesystem::path& directory, int descriptor) {
  return {ErrorCode::kLocked,
          fmt::format("'{}' is locked by {}{}", directory.native(), ReadOwner(descriptor),
                      ReadSince(descriptor)),
          "wait until it is done, or write to another database"};
}

}  // namespace

Result<std::unique_ptr<WriterLock>> WriterLock::Take(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kFileName;
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (file.number() < 0) return SystemError(path, errno);
  struct flock range = WholeFile();
  if (fcntl(file.number(), F_OFD_SETLK, &range) != 0) {
    if (errno == EAGAIN || errno == EACCES) return LockedBy(directory, file.number());
    return SystemError(path, errno);
  }
  const std::string owner = fmt::format("{}\n", getpid());
  if (ftruncate(file.number(), 0) != 0 ||
      pwrite(file.number(), owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    return SystemError(path, errno);
  }
  return std::unique_ptr<WriterLock>(new WriterLock(file.Release()));
}

WriterLock::~WriterLock() { close(descriptor_); }

}  // namespace topodb::store
