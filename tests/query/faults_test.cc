#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "query/check.h"
#include "store/graph_store.h"
#include "tests/support/files.h"
#include "tests/support/graph_builder.h"
#include "tests/support/temp_directory.h"

// What is left of a database after its writer was killed or its files were damaged: every run that
// can be seen passes the check, and nothing that was published is lost without a word.
namespace topodb::query {
namespace {

namespace fs = std::filesystem;
using store::GraphStore;
using testing::BuildRun;
using testing::BuildState;
using testing::ElementSpec;
using testing::ReadFile;
using testing::TempDirectory;

constexpr size_t kElements = 12;

Status AddPage(GraphSink& sink, uint32_t index) {
  return sink.AddState(
      BuildState("/" + std::to_string(index), std::vector(kElements, ElementSpec{})));
}

// `each_page` is called when one is stored.
Status WriteRun(
    GraphSink& sink, uint32_t serial, uint32_t pages,
    const std::function<void()>& each_page = [] {}) {
  TOPODB_TRY_VOID(sink.BeginRun(BuildRun("", serial)));
  for (uint32_t i = 0; i < pages; ++i) {
    TOPODB_TRY_VOID(AddPage(sink, i));
    each_page();
  }
  return sink.EndRun(BuildRun("", serial));
}

// Every run checks clean, and its states are whole.
void ExpectSound(const GraphStore& store) {
  const store::GraphReader reader = store.reader();
  const auto report = Check(reader);
  ASSERT_TRUE(report) << report.error().message;
  for (const Violation& violation : report->violations) {
    ADD_FAILURE() << IdOf(violation.invariant) << ": " << violation.message;
  }
  const auto runs = reader.Runs();
  ASSERT_TRUE(runs);
  for (const store::StoredRun& run : *runs) {
    EXPECT_EQ(run.run.counts.states * kElements, run.run.counts.elements);
  }
}

void WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

fs::path LargestFile(const fs::path& directory,
                     const std::function<bool(const fs::path&)>& wanted) {
  fs::path largest;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (!wanted(entry.path())) continue;
    if (largest.empty() || entry.file_size() > fs::file_size(largest)) largest = entry.path();
  }
  return largest;
}

// ---- a writer that is killed -------------------------------------------------------------------

constexpr const char* kDirectoryVariable = "TOPODB_TEST_DIRECTORY";
constexpr const char* kSerialVariable = "TOPODB_TEST_SERIAL";

void Say(std::string_view text) {
  ASSERT_EQ(static_cast<ssize_t>(text.size()), write(STDERR_FILENO, text.data(), text.size()));
}

// Runs in a process of its own, until it is killed. Says what it has done.
TEST(KilledWriter, DISABLED_WritesUntilItIsKilled) {
  const char* const directory = std::getenv(kDirectoryVariable);
  ASSERT_NE(nullptr, directory);
  Say("begins\n");
  const auto store = GraphStore::OpenForWrite(directory, {}).value();
  const auto sink = store->NewSink();
  for (auto serial = static_cast<uint32_t>(std::atoi(std::getenv(kSerialVariable)));; ++serial) {
    ASSERT_TRUE(WriteRun(*sink, serial, serial % 23, [] { Say("page\n"); }));
    Say("run " + std::to_string(serial) + "\n");
  }
}

// Starts the writer and kills it when it has said so much; the runs that it said were published.
std::vector<uint32_t> RunAndKill(const fs::path& directory, uint32_t serial, size_t said_bytes) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  setenv(kDirectoryVariable, directory.c_str(), 1);
  setenv(kSerialVariable, std::to_string(serial).c_str(), 1);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    execl("/proc/self/exe", "test", "--gtest_filter=KilledWriter.*",
          "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string said;
  char buffer[64];
  bool alive = true;
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    said.append(buffer, static_cast<size_t>(got));
    if (alive && said.size() >= said_bytes) {
      kill(child, SIGKILL);
      alive = false;
    }
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  unsetenv(kDirectoryVariable);
  unsetenv(kSerialVariable);
  std::vector<uint32_t> serials;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    if (line.starts_with("run "))
      serials.push_back(static_cast<uint32_t>(std::stoul(line.substr(4))));
  }
  return serials;
}

TEST(Faults, AWriterKilledAnywhereLeavesWholeStatesAndEveryPublishedRun) {
  const char* const wanted = std::getenv("TOPODB_KILLS");
  const int kills = wanted == nullptr ? 20 : std::atoi(wanted);
  constexpr uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  TempDirectory temp;
  uint32_t serial = 1;
  std::vector<uint32_t> published;
  size_t partial = 0;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(i);
    const auto said = RunAndKill(temp.path(), serial, random() % 1'500);
    published.insert(published.end(), said.begin(), said.end());
    serial += 1'000;
    if (fs::exists(temp.path() / "CURRENT")) {
      const auto reader = GraphStore::OpenForRead(temp.path());
      if (reader) ExpectSound(**reader);  // else it was killed before there was a database
    }
    const auto writer = GraphStore::OpenForWrite(temp.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    ExpectSound(**writer);
    partial = 0;
    const auto runs = (*writer)->reader().Runs();
    ASSERT_TRUE(runs) << runs.error().message;
    for (const store::StoredRun& run : *runs) {
      partial += run.run.status == RunStatus::kPartial ? 1 : 0;
    }
  }
  const auto store = GraphStore::OpenForRead(temp.path()).value();
  for (const uint32_t number : published) {
    const auto run = store->reader().FindRun(BuildRun("", number).id.ToString());
    ASSERT_TRUE(run) << number;
    EXPECT_EQ(RunStatus::kComplete, run->run.status);
  }
  RecordProperty("published", static_cast<int>(published.size()));
  RecordProperty("partial", static_cast<int>(partial));
  EXPECT_FALSE(published.empty());
}

// ---- files that are damaged --------------------------------------------------------------------

// A database whose last run is in the log alone, as its writer's death leaves it.
void MakeUnflushed(const fs::path& directory) {
  TempDirectory temp;
  const auto store = GraphStore::OpenForWrite(temp.path() / "db", {}).value();
  const auto sink = store->NewSink();
  ASSERT_TRUE(WriteRun(*sink, 1, 3));
  ASSERT_TRUE(sink->BeginRun(BuildRun("draft", 2)));
  for (uint32_t i = 0; i < 6; ++i) ASSERT_TRUE(AddPage(*sink, i));
  fs::copy(temp.path() / "db", directory);
}

TEST(Faults, ALogCutOrAlteredAnywhereLosesNothingPublished) {
  TempDirectory temp;
  MakeUnflushed(temp.path() / "whole");
  const auto is_log = [](const fs::path& path) { return path.extension() == ".log"; };
  const std::string log = LargestFile(temp.path() / "whole", is_log).filename();
  const std::string bytes = ReadFile(temp.path() / "whole" / log);
  ASSERT_GT(bytes.size(), 10'000U);
  for (size_t at = 0; at <= bytes.size(); at += 1 + bytes.size() / 40) {
    for (const bool cut : {true, false}) {
      SCOPED_TRACE(std::to_string(at) + (cut ? " cut" : " altered"));
      const fs::path directory = temp.path() / "damaged";
      fs::copy(temp.path() / "whole", directory);
      std::string damaged = cut ? bytes.substr(0, at) : bytes;
      if (!cut && at < damaged.size()) damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      WriteFile(directory / log, damaged);
      {
        const auto reader = GraphStore::OpenForRead(directory);
        ASSERT_TRUE(reader) << reader.error().message;
        ExpectSound(**reader);
        EXPECT_EQ(1U, (*reader)->reader().Runs()->size());
      }
      {
        const auto writer = GraphStore::OpenForWrite(directory, {});
        ASSERT_TRUE(writer) << writer.error().message;
        ExpectSound(**writer);
        EXPECT_EQ(3U, (*writer)->reader().States(1)->size());
      }
      fs::remove_all(directory);
    }
  }
}

// RocksDB cannot know of what is missing at the end of its list of files, but whatever it still
// shows is true.
TEST(Faults, AListOfFilesCutOrAlteredAnywhereIsCorruptionOrShowsWholeRuns) {
  TempDirectory temp;
  {
    const auto store = GraphStore::OpenForWrite(temp.path() / "db", {}).value();
    const auto sink = store->NewSink();
    ASSERT_TRUE(WriteRun(*sink, 1, 3));
    ASSERT_TRUE(WriteRun(*sink, 2, 3));
  }
  const fs::path list = LargestFile(temp.path() / "db", [](const fs::path& path) {
    return path.filename().native().starts_with("MANIFEST-");
  });
  const std::string bytes = ReadFile(list);
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 60) {
    for (const bool cut : {true, false}) {
      SCOPED_TRACE(std::to_string(at) + (cut ? " cut" : " altered"));
      std::string damaged = cut ? bytes.substr(0, at) : bytes;
      if (!cut) damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      WriteFile(list, damaged);
      const auto store = GraphStore::OpenForRead(temp.path() / "db");
      if (store) {
        ExpectSound(**store);
      } else {
        EXPECT_TRUE(store.error().code == ErrorCode::kCorruption ||
                    store.error().code == ErrorCode::kInvalidArgument)
            << store.error().message;
      }
    }
  }
}

TEST(Faults, OfManyWritersOneWins) {
  TempDirectory temp;
  GraphStore::OpenForWrite(temp.path(), {}).value().reset();
  std::vector<std::optional<ErrorCode>> outcomes(8);
  std::vector<std::unique_ptr<GraphStore>> stores(outcomes.size());
  std::vector<std::thread> writers;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    writers.emplace_back([&, i] {
      auto store = GraphStore::OpenForWrite(temp.path(), {});
      if (store) {
        stores[i] = *std::move(store);
      } else {
        outcomes[i] = store.error().code;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  size_t winners = 0;
  for (const auto& outcome : outcomes) {
    if (!outcome) {
      ++winners;
    } else {
      EXPECT_EQ(ErrorCode::kLocked, *outcome);
    }
  }
  EXPECT_EQ(1U, winners);
}

}  // namespace
}  // namespace topodb::query
