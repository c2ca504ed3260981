#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "store/graph_reader.h"
#include "store/graph_store.h"
#include "store/graph_writer.h"
#include "store/keys.h"
#include "store/publication.h"
#include "store/rocks_kv.h"
#include "store/values.h"
#include "tests/support/graph_builder.h"
#include "tests/support/temp_directory.h"

// Readers beside a writer that flushes, compacts, deletes and rolls its files all the time: none
// ever fails, sees half a run, or sees a run change.
namespace topodb::store {
namespace {

using testing::BuildRun;
using testing::BuildState;
using testing::ElementSpec;
using testing::TempDirectory;

constexpr uint32_t kStates = 30;

Status WriteRun(GraphSink& sink, uint32_t serial) {
  TOPODB_TRY_VOID(sink.BeginRun(BuildRun("", serial)));
  for (uint32_t i = 0; i < kStates; ++i) {
    TOPODB_TRY_VOID(
        sink.AddState(BuildState("/" + std::to_string(i), std::vector(10, ElementSpec{}))));
  }
  return sink.EndRun(BuildRun("", serial));
}

// What is wrong with what a reader sees; empty when nothing is.
std::string Problem(const std::filesystem::path& directory) {
  const auto store = GraphStore::OpenForRead(directory);
  if (!store) return store.error().message;
  const auto runs = (*store)->reader().Runs();
  if (!runs) return runs.error().message;
  for (const StoredRun& run : *runs) {
    const auto totals = CountRows((*store)->kv(), run.number);
    if (!totals) return totals.error().message;
    const auto manifest =
        (*store)->kv().Get(EncodeKey({.kind = Kind::kManifest, .run = run.number}));
    if (!manifest || !*manifest) return "a run without a manifest";
    if (*totals != DecodeManifest(**manifest)->totals) {
      return "half of run number " + std::to_string(run.number);
    }
  }
  return {};
}

// How long `./dev bench readers` lets it go on at least; else a few seconds do.
std::chrono::seconds SoakTime() {
  const char* const seconds = std::getenv("TOPODB_SOAK_SECONDS");
  return std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
}

TEST(ReadersTest, NeverFailBesideABusyWriter) {
  TempDirectory temp;
  ASSERT_TRUE(GraphStore::OpenForWrite(temp.path(), {}));
  const auto kv = OpenRocksForWrite(temp.path(), /*memtable_bytes=*/64 << 10).value();
  std::atomic<bool> stop = false;
  std::atomic<int> looks = 0, failures = 0;
  std::vector<std::string> problems(4);
  std::vector<std::thread> readers;
  for (std::string& problem : problems) {
    readers.emplace_back([&] {
      while (!stop && problem.empty()) {
        problem = Problem(temp.path());
        failures += problem.empty() ? 0 : 1;
        ++looks;
      }
    });
  }
  GraphWriter sink(*kv, Durability::kProcess);
  const auto end = std::chrono::steady_clock::now() + SoakTime();
  const auto goes_on = [&](uint32_t serial) {
    return serial < 25 || looks < 200 || std::chrono::steady_clock::now() < end;
  };
  for (uint32_t serial = 1; failures == 0 && goes_on(serial); ++serial) {
    EXPECT_TRUE(WriteRun(sink, serial));
    if (serial > 3) {
      EXPECT_TRUE(DeleteRun(*kv, serial - 3));
    }
    if (serial % 8 == 0) {
      EXPECT_TRUE(kv->Reclaim({}, {}));
    }
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  for (const std::string& problem : problems) EXPECT_EQ("", problem);
}

}  // namespace
}  // namespace topodb::store
