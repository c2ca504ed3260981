#include "cli/new_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace topodb::cli {

NewFile::NewFile(std::filesystem::path path, std::string temporary, std::FILE* file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(file) {}

Result<std::unique_ptr<NewFile>> NewFile::Create(const std::filesystem::path& path) {
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)), ""};
  }
  // mkstemp gives 0600; a document is as readable as any other new file.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  return std::unique_ptr<NewFile>(new NewFile(path, temporary, fdopen(descriptor, "wb")));
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Status NewFile::Write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) return {};
  return Failure("cannot write");
}

Status NewFile::Publish() {
  const bool written = std::fflush(file_) == 0 && fsync(fileno(file_)) == 0;
  if (!written) return Failure("cannot write");
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return Failure("cannot create");
  temporary_.clear();
  return {};
}

Error NewFile::Failure(std::string_view what) const {
  return {ErrorCode::kIo, fmt::format("{} '{}': {}", what, path_.string(), std::strerror(errno)),
          ""};
}

}  // namespace topodb::cli
