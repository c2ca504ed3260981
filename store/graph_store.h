#pragma once

#include <filesystem>
#include <memory>

#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "store/graph_reader.h"
#include "store/kv.h"

namespace topodb::store {

inline constexpr uint32_t kFormat = 0;

struct OpenOptions {
  bool durable = false;  // sync every state, not only at publication
};

// A topodb database directory.
class GraphStore {
 public:
  // For commands that read. Never creates, never writes. Works on a read-only directory and beside
  // a live writer. kNotFound: no such directory. kInvalidArgument: not a topodb database.
  // kUnsupportedFormat, kCorruption, kIo.
  static Result<std::unique_ptr<GraphStore>> OpenForRead(const std::filesystem::path& directory);

  // For commands that write: creates the database in a missing or empty directory, takes the lock,
  // and publishes what a dead writer left behind as `partial`. kLocked names the owner.
  static Result<std::unique_ptr<GraphStore>> OpenForWrite(const std::filesystem::path& directory,
                                                          const OpenOptions& options);
  ~GraphStore();

  GraphReader reader() const { return GraphReader(*kv_); }
  // A sink for one run. Must not outlive the store. Only for stores opened for writing.
  std::unique_ptr<GraphSink> NewSink();

  Kv& kv() { return *kv_; }

 private:
  GraphStore(std::unique_ptr<Kv> kv, std::filesystem::path directory, OpenOptions options);

  std::unique_ptr<Kv> kv_;
  std::filesystem::path directory_;
  OpenOptions options_;
};

}  // namespace topodb::store
