#pragma once

#include <filesystem>
#include <memory>

#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "store/graph_reader.h"
#include "store/kv.h"
#include "store/writer_lock.h"

namespace topodb::store {

inline constexpr uint32_t kFormat = 0;

enum class IfMissing : uint8_t { kCreate, kFail };

struct OpenOptions {
  bool durable = false;  // sync every state, not only at publication
  IfMissing if_missing = IfMissing::kCreate;
};

// A topodb database directory.
class GraphStore {
 public:
  // For commands that read. Never creates, never writes. Works on a read-only directory and beside
  // a live writer. kNotFound: no such directory. kInvalidArgument: not a topodb database.
  // kUnsupportedFormat, kCorruption, kIo.
  static Result<std::unique_ptr<GraphStore>> OpenForRead(const std::filesystem::path& directory);

  // For commands that write: creates the database in a missing or empty directory (or else fails as
  // OpenForRead does), takes the lock, and settles what a dead writer left behind: drafts with a
  // state are published as `partial`, the others deleted. kLocked names the owner.
  // kInvalidArgument: a directory that is neither empty nor a topodb database; nothing is changed
  // in it. kUnsupportedFormat, kCorruption, kIo.
  static Result<std::unique_ptr<GraphStore>> OpenForWrite(const std::filesystem::path& directory,
                                                          const OpenOptions& options);

  GraphReader reader() const { return GraphReader(*kv_); }
  // A sink for one run after another; one sink at a time. Must not outlive the store. Only for
  // stores opened for writing: of others, every call of the sink fails.
  std::unique_ptr<GraphSink> NewSink();

  // Removes a published run with everything in it and gives its space back. kNotFound. Only for
  // stores opened for writing.
  Status DeleteRun(RunNumber run);

  // Gives back the space of everything that was ever deleted, and empties the log. Only for stores
  // opened for writing.
  Status Reclaim();

  // Writes every published run, as of the open, into a database of its own; each byte is verified
  // on its way. `directory` must be missing or empty and appears whole or not at all:
  // kInvalidArgument, kIo, and what reading gives.
  Status BackUp(const std::filesystem::path& directory) const;

  Kv& kv() { return *kv_; }

 private:
  GraphStore(std::unique_ptr<WriterLock> lock, std::unique_ptr<Kv> kv, OpenOptions options);

  std::unique_ptr<WriterLock> lock_;  // null for readers; given back after the database is closed
  std::unique_ptr<Kv> kv_;
  OpenOptions options_;
};

}  // namespace topodb::store
