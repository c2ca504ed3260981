#include "capture/browser/profile_dir.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;

// A folder gets its final name once its lock is held, so that one with the final name and a free
// lock has lost its owner.
constexpr std::string_view kUnlockedPrefix = "topodb-new-";
constexpr std::string_view kPrefix = "topodb-profile-";
constexpr const char* kLockName = "topodb.lock";

Error IoError(std::string_view what, const fs::path& path) {
  return Error{ErrorCode::kIo,
               fmt::format("cannot {} '{}': {}", what, path.string(),
                           std::generic_category().message(errno)),
               {}};
}

// Invalid when the lock is taken or the folder cannot be entered.
Fd TakeLock(const fs::path& folder) {
  Fd lock(::open((folder / kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.valid() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.Reset();
  return lock;
}

bool IsOwnFolder(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid();
}

bool IsAlive(std::string_view pid_and_rest) {
  pid_t pid = 0;
  const auto end = pid_and_rest.data() + pid_and_rest.size();
  const bool is_pid = std::from_chars(pid_and_rest.data(), end, pid).ec == std::errc() && pid > 0;
  return !is_pid || ::kill(pid, 0) == 0 || errno != ESRCH;
}

bool MayBeStale(std::string_view name) {
  if (name.substr(0, kPrefix.size()) == kPrefix) return true;
  return name.substr(0, kUnlockedPrefix.size()) == kUnlockedPrefix &&
         !IsAlive(name.substr(kUnlockedPrefix.size()));
}

}  // namespace

Result<std::unique_ptr<ProfileDir>> ProfileDir::Create(const fs::path& parent) {
  auto name = (parent / fmt::format("{}{}-XXXXXX", kUnlockedPrefix, ::getpid())).string();
  if (::mkdtemp(name.data()) == nullptr) return IoError("create the folder", name);
  Fd lock = TakeLock(name);
  const auto random = name.substr(name.size() - 6);
  auto path = parent / fmt::format("{}{}-{}", kPrefix, ::getpid(), random);
  if (!lock.valid() || ::rename(name.c_str(), path.c_str()) != 0) {
    const Error error = IoError("prepare the folder", name);
    std::error_code ignored;
    fs::remove_all(name, ignored);
    return error;
  }
  return std::unique_ptr<ProfileDir>(new ProfileDir(std::move(path), std::move(lock)));
}

ProfileDir::ProfileDir(fs::path path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

ProfileDir::~ProfileDir() {
  // A process that was just killed may still finish creating a file: then the folder is not empty
  // and has to be emptied again.
  std::error_code error;
  for (int attempt = 0; attempt < 3; ++attempt) {
    fs::remove_all(path_, error);
    if (!error) return;
  }
}

void ProfileDir::SweepStale(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto& path = entry->path();
    if (!MayBeStale(path.filename().string()) || !IsOwnFolder(path)) continue;
    const Fd lock = TakeLock(path);
    std::error_code ignored;
    if (lock.valid()) fs::remove_all(path, ignored);
  }
}

}  // namespace topodb::capture
