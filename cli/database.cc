#include "cli/database.h"

#include <utility>

#include <fmt/format.h>

namespace topodb::cli {
namespace {

Error Explain(Error error, const CommonOptions& options) {
  // A directory that holds something else is file trouble to the user, not a bad flag.
  if (error.code == ErrorCode::kInvalidArgument) error.code = ErrorCode::kNotFound;
  if (error.hint.empty() && error.code == ErrorCode::kNotFound) {
    error.hint = "capture a site first (topodb capture URL), or name a database with --db PATH";
  }
  return std::move(error).With(fmt::format("cannot open '{}'", options.database.string()));
}

}  // namespace

Result<std::unique_ptr<store::GraphStore>> OpenForRead(const CommonOptions& options) {
  auto opened = store::GraphStore::OpenForRead(options.database);
  if (!opened) return Explain(std::move(opened).error(), options);
  return opened;
}

Result<std::unique_ptr<store::GraphStore>> OpenForWrite(const CommonOptions& options,
                                                        const store::OpenOptions& open) {
  auto opened = store::GraphStore::OpenForWrite(options.database, open);
  if (!opened) return Explain(std::move(opened).error(), options);
  return opened;
}

}  // namespace topodb::cli
