#include "cli/database.h"

#include <utility>

namespace topodb::cli {
namespace {

// A directory that holds something else is file trouble to the user, not a bad flag.
Error AsFileTrouble(Error error) {
  if (error.code == ErrorCode::kInvalidArgument) error.code = ErrorCode::kNotFound;
  return error;
}

}  // namespace

Result<std::unique_ptr<store::GraphStore>> OpenForRead(const CommonOptions& options) {
  auto opened = store::GraphStore::OpenForRead(options.database);
  if (!opened) return AsFileTrouble(std::move(opened).error());
  return opened;
}

Result<std::unique_ptr<store::GraphStore>> OpenForWrite(const CommonOptions& options,
                                                        const store::OpenOptions& open) {
  auto opened = store::GraphStore::OpenForWrite(options.database, open);
  if (!opened) return AsFileTrouble(std::move(opened).error());
  return opened;
}

Result<std::unique_ptr<store::GraphStore>> OpenExistingForWrite(const CommonOptions& options) {
  return OpenForWrite(options, {.if_missing = store::IfMissing::kFail});
}

}  // namespace topodb::cli
