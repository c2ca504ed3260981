#include "query/exchange/text_source.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <istream>
#include <utility>

#include <fmt/format.h>

namespace topodb::query {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error IoError(std::string_view what, int reason) {
  const ErrorCode code = reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return {code, fmt::format("{}: {}", what, std::strerror(reason)), {}};
}

class MemorySource : public TextSource {
 public:
  explicit MemorySource(std::string text) : text_(std::move(text)) {}

  Result<std::string> Read(uint64_t offset, size_t size) override {
    if (offset >= text_.size()) return std::string();
    return text_.substr(offset, size);
  }

 private:
  std::string text_;
};

class FileSource : public TextSource {
 public:
  FileSource(File file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  Result<std::string> Read(uint64_t offset, size_t size) override {
    std::string text(size, '\0');
    if (fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0) return Fail();
    text.resize(std::fread(text.data(), 1, size, file_.get()));
    if (std::ferror(file_.get()) != 0) return Fail();
    return text;
  }

 private:
  Error Fail() const { return IoError("cannot read " + name_, errno); }

  File file_;
  std::string name_;
};

}  // namespace

std::unique_ptr<TextSource> FromText(std::string text) {
  return std::make_unique<MemorySource>(std::move(text));
}

Result<std::unique_ptr<TextSource>> FromFile(const std::filesystem::path& path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    const int reason = errno;
    return IoError(fmt::format("cannot open '{}'", path.string()), reason);
  }
  std::unique_ptr<TextSource> source =
      std::make_unique<FileSource>(std::move(file), fmt::format("'{}'", path.string()));
  return source;
}

Result<std::unique_ptr<TextSource>> FromStream(std::istream& in) {
  File file(std::tmpfile());
  if (!file) return IoError("cannot create a temporary file", errno);
  std::array<char, size_t{64} << 10U> piece{};
  while (in) {
    in.read(piece.data(), piece.size());
    const auto size = static_cast<size_t>(in.gcount());
    if (std::fwrite(piece.data(), 1, size, file.get()) != size) {
      return IoError("cannot write a temporary file", errno);
    }
  }
  if (in.bad()) return Error{ErrorCode::kIo, "cannot read the input", {}};
  std::unique_ptr<TextSource> source =
      std::make_unique<FileSource>(std::move(file), "the temporary file");
  return source;
}

}  // namespace topodb::query
