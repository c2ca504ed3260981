#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "schema/base/result.h"

namespace topodb::cli {

// A file that appears at its path whole or not at all: written beside it, then renamed over it.
class NewFile {
 public:
  static Result<std::unique_ptr<NewFile>> Create(const std::filesystem::path& path);
  // Removes what was not published.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Status Write(std::string_view text);
  Status Publish();

 private:
  NewFile(std::filesystem::path path, std::string temporary, std::FILE* file);
  Error Failure(std::string_view what) const;

  std::filesystem::path path_;
  std::string temporary_;
  std::FILE* file_;
};

}  // namespace topodb::cli
