#include "store/graph_store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <signal.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "store/keys.h"
#include "store/rocks_kv.h"
#include "store/values.h"
#include "tests/support/files.h"
#include "tests/support/graph_builder.h"
#include "tests/support/temp_directory.h"

namespace topodb::store {
namespace {

namespace fs = std::filesystem;
using testing::BuildEdge;
using testing::BuildRun;
using testing::BuildState;
using testing::ElementSpec;
using testing::TempDirectory;
using testing::WriteSmallGraph;

std::unique_ptr<GraphStore> OpenWriter(const fs::path& directory) {
  auto store = GraphStore::OpenForWrite(directory, {});
  EXPECT_TRUE(store) << store.error().message;
  return *std::move(store);
}

// A database with one published run.
void MakeDatabase(const fs::path& directory, const std::string& name = "one", uint32_t serial = 1) {
  const auto store = OpenWriter(directory);
  ASSERT_TRUE(WriteSmallGraph(*store->NewSink(), BuildRun(name, serial)));
}

void WriteFile(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Names, bytes and times of everything in a directory, itself included.
std::map<std::string, std::string> Photograph(const fs::path& directory) {
  std::map<std::string, std::string> picture;
  const auto add = [&](const fs::path& path) {
    struct stat status = {};
    ASSERT_EQ(0, stat(path.c_str(), &status));
    std::string& text = picture[path.native()];
    text = std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
    if (S_ISREG(status.st_mode)) text += testing::ReadFile(path);
  };
  add(directory);
  for (const auto& entry : fs::recursive_directory_iterator(directory)) add(entry.path());
  return picture;
}

ErrorCode CodeOfRead(const fs::path& directory) {
  const auto store = GraphStore::OpenForRead(directory);
  EXPECT_FALSE(store);
  return store ? ErrorCode::kCancelled : store.error().code;
}

TEST(GraphStoreTest, KeepsRunsOverReopening) {
  TempDirectory temp;
  const fs::path directory = temp.path() / "new" / "db";
  MakeDatabase(directory, "one", 1);
  MakeDatabase(directory, "two", 2);
  const auto store = GraphStore::OpenForRead(directory);
  ASSERT_TRUE(store) << store.error().message;
  const auto runs = (*store)->reader().Runs().value();
  ASSERT_EQ(2U, runs.size());
  EXPECT_EQ("two", runs[0].run.name);
  EXPECT_EQ(3U, (*store)->reader().States(runs[0].number).value().size());
}

TEST(GraphStoreTest, ReadingChangesNothingInTheDirectory) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  const auto before = Photograph(temp.path());
  {
    const auto store = GraphStore::OpenForRead(temp.path());
    ASSERT_TRUE(store);
    EXPECT_EQ(3U, (*store)->reader().Edges(1).value().size());
    EXPECT_EQ(before, Photograph(temp.path()));
  }
  EXPECT_EQ(before, Photograph(temp.path()));
}

// In a process without the rights of root, which a read-only directory would not hinder.
TEST(GraphStoreTest, AReadOnlyDirectoryCanBeReadByAnotherUser) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  for (const auto& entry : fs::directory_iterator(temp.path())) {
    fs::permissions(entry.path(), fs::perms(0444));
  }
  fs::permissions(temp.path(), fs::perms(0555));
  const pid_t child = fork();
  if (child == 0) {
    if (getuid() == 0 && setuid(65534) != 0) _exit(2);
    const auto store = GraphStore::OpenForRead(temp.path());
    _exit(store && (*store)->reader().Runs()->size() == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, WEXITSTATUS(status));
  fs::permissions(temp.path(), fs::perms(0755));
}

TEST(GraphStoreTest, AReadersStoreCannotBeWritten) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  const auto store = GraphStore::OpenForRead(temp.path()).value();
  EXPECT_FALSE(store->NewSink()->BeginRun(BuildRun("two", 2)));
  EXPECT_FALSE(store->DeleteRun(1));
}

TEST(GraphStoreTest, DeletesARun) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  {
    const auto store = OpenWriter(temp.path());
    ASSERT_TRUE(store->DeleteRun(1));
    const Status again = store->DeleteRun(1);
    ASSERT_FALSE(again);
    EXPECT_EQ(ErrorCode::kNotFound, again.error().code);
  }
  EXPECT_TRUE(GraphStore::OpenForRead(temp.path()).value()->reader().Runs().value().empty());
}

TEST(GraphStoreTest, ADeletedRunGivesItsSpaceBack) {
  TempDirectory temp;
  const auto size_of_tables = [&] {
    uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(temp.path())) {
      if (entry.path().extension() == ".sst") bytes += entry.file_size();
    }
    return bytes;
  };
  const auto store = OpenWriter(temp.path());
  const auto sink = store->NewSink();
  ASSERT_TRUE(WriteSmallGraph(*sink, BuildRun("small", 1)));
  const uintmax_t small = size_of_tables();
  ASSERT_TRUE(sink->BeginRun(BuildRun("big", 2)));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(
        sink->AddState(BuildState("/" + std::to_string(i), std::vector(20, ElementSpec{}))));
  }
  ASSERT_TRUE(sink->EndRun(BuildRun("big", 2)));
  ASSERT_GT(size_of_tables(), 4 * small);
  ASSERT_TRUE(store->DeleteRun(2));
  EXPECT_LT(size_of_tables(), 2 * small);
  EXPECT_EQ(3U, store->reader().States(1).value().size());
}

TEST(GraphStoreTest, ADatabaseThatMustBeThereIsNotMade) {
  TempDirectory temp;
  const fs::path missing = temp.path() / "missing", empty = temp.path() / "empty";
  fs::create_directory(empty);
  for (const fs::path& path : {missing, empty}) {
    EXPECT_FALSE(GraphStore::OpenForWrite(path, {.if_missing = IfMissing::kFail}));
  }
  EXPECT_FALSE(fs::exists(missing));
  EXPECT_TRUE(fs::is_empty(empty));
  MakeDatabase(temp.path() / "db");
  EXPECT_TRUE(GraphStore::OpenForWrite(temp.path() / "db", {.if_missing = IfMissing::kFail}));
}

TEST(GraphStoreTest, ABackupHoldsWhatIsPublishedAndNoDraft) {
  TempDirectory temp;
  const auto writer = OpenWriter(temp.path() / "db");
  const auto sink = writer->NewSink();
  ASSERT_TRUE(WriteSmallGraph(*sink, BuildRun("one", 1)));
  ASSERT_TRUE(WriteSmallGraph(*sink, BuildRun("two", 2)));
  ASSERT_TRUE(sink->BeginRun(BuildRun("draft", 3)));
  ASSERT_TRUE(sink->AddState(BuildState("/", {{}})));
  const auto source = GraphStore::OpenForRead(temp.path() / "db").value();
  ASSERT_TRUE(source->BackUp(temp.path() / "backup" / ""));

  const auto backup = OpenWriter(temp.path() / "backup");  // would publish the draft
  const auto runs = backup->reader().Runs().value();
  ASSERT_EQ(2U, runs.size());
  EXPECT_EQ("two", runs[0].run.name);
  EXPECT_EQ(source->reader().Elements(1).value(), backup->reader().Elements(1).value());
  EXPECT_EQ(CountRows(source->kv(), 2).value(), CountRows(backup->kv(), 2).value());
  // Numbers given meanwhile are not given again.
  EXPECT_TRUE(WriteSmallGraph(*backup->NewSink(), BuildRun("four", 4)));
  EXPECT_EQ(4U, backup->reader().FindRun("four").value().number);
}

TEST(GraphStoreTest, ABackupReplacesNothingAndAppearsWholeOrNotAtAll) {
  TempDirectory temp;
  MakeDatabase(temp.path() / "db");
  MakeDatabase(temp.path() / "other");
  WriteFile(temp.path() / "file", "mine");
  const auto source = GraphStore::OpenForRead(temp.path() / "db").value();
  const auto before = Photograph(temp.path());
  for (const char* const name : {"other", "file", "db"}) {
    const Status refused = source->BackUp(temp.path() / name);
    ASSERT_FALSE(refused);
    EXPECT_EQ(ErrorCode::kInvalidArgument, refused.error().code) << refused.error().message;
  }
  EXPECT_EQ(before, Photograph(temp.path()));
  // A source that turns out to be damaged.
  for (const auto& entry : fs::directory_iterator(temp.path() / "db")) {
    if (entry.path().extension() != ".sst") continue;
    std::string bytes = testing::ReadFile(entry.path());
    bytes[20] = static_cast<char>(bytes[20] ^ 0x10);
    WriteFile(entry.path(), bytes);
  }
  const auto damaged = GraphStore::OpenForRead(temp.path() / "db");
  if (damaged) {
    EXPECT_FALSE((*damaged)->BackUp(temp.path() / "backup"));
  }
  EXPECT_EQ(4, std::distance(fs::directory_iterator(temp.path()), {}) + 1);
}

TEST(GraphStoreTest, RefusesWhatIsNoDatabaseAndLeavesItAlone) {
  TempDirectory temp;
  const fs::path file = temp.path() / "file";
  const fs::path files = temp.path() / "files";
  const fs::path rocks = temp.path() / "rocks";
  const fs::path empty = temp.path() / "empty";
  WriteFile(file, "hello");
  fs::create_directory(files);
  WriteFile(files / "notes.txt", "mine");
  fs::create_directory(empty);
  {
    fs::create_directory(rocks);
    const auto kv = OpenRocksForWrite(rocks).value();
    Batch batch;
    batch.Put("somebody's", "data");
    ASSERT_TRUE(kv->Apply(batch, Durability::kSync));
  }
  const auto before = Photograph(temp.path());
  for (const fs::path& path : {file, files, rocks}) {
    SCOPED_TRACE(path);
    EXPECT_EQ(ErrorCode::kInvalidArgument, CodeOfRead(path));
    const auto writer = GraphStore::OpenForWrite(path, {});
    ASSERT_FALSE(writer);
    EXPECT_EQ(ErrorCode::kInvalidArgument, writer.error().code);
    EXPECT_NE(std::string::npos, writer.error().message.find(path.native()));
  }
  EXPECT_EQ(ErrorCode::kInvalidArgument, CodeOfRead(empty));
  EXPECT_EQ(ErrorCode::kNotFound, CodeOfRead(temp.path() / "missing"));
  EXPECT_EQ(before, Photograph(temp.path()));
}

TEST(GraphStoreTest, ASymlinkLoopIsAnError) {
  TempDirectory temp;
  fs::create_symlink(temp.path() / "b", temp.path() / "a");
  fs::create_symlink(temp.path() / "a", temp.path() / "b");
  EXPECT_EQ(ErrorCode::kIo, CodeOfRead(temp.path() / "a"));
}

TEST(GraphStoreTest, AMakingThatWasInterruptedIsMadeAnew) {
  TempDirectory temp;
  WriteFile(temp.path() / WriterLock::kFileName, "123\n");
  EXPECT_EQ(ErrorCode::kInvalidArgument, CodeOfRead(temp.path()));
  MakeDatabase(temp.path());
  EXPECT_TRUE(GraphStore::OpenForRead(temp.path()));
}

TEST(GraphStoreTest, RefusesANewerFormatNamingBoth) {
  struct Case {
    uint32_t oldest_reader, oldest_writer;
    bool readable;
  };
  for (const Case& c : {Case{999, 999, false}, Case{0, 999, true}}) {
    SCOPED_TRACE(c.oldest_reader);
    TempDirectory temp;
    MakeDatabase(temp.path());
    {
      const auto store = OpenWriter(temp.path());
      Key key;
      key.kind = Kind::kStore;
      key.text = kFormatFact;
      Batch batch;
      batch.Put(EncodeKey(key), Encode(FormatGate{.format = 999,
                                                  .oldest_reader = c.oldest_reader,
                                                  .oldest_writer = c.oldest_writer,
                                                  .version = "9.9.9"}));
      ASSERT_TRUE(store->kv().Apply(batch, Durability::kSync));
    }
    const auto before = Photograph(temp.path());
    const auto reader = GraphStore::OpenForRead(temp.path());
    EXPECT_EQ(c.readable, reader.has_value());
    const auto writer = GraphStore::OpenForWrite(temp.path(), {});
    ASSERT_FALSE(writer);
    EXPECT_EQ(ErrorCode::kUnsupportedFormat, writer.error().code);
    EXPECT_NE(std::string::npos, writer.error().message.find("9.9.9 (format 999)"));
    EXPECT_NE(std::string::npos, writer.error().message.find("up to 0"));
    EXPECT_EQ(before, Photograph(temp.path()));
  }
}

TEST(GraphStoreTest, ASecondWriterIsToldWhoHoldsTheLock) {
  TempDirectory temp;
  const auto first = OpenWriter(temp.path());
  const auto second = GraphStore::OpenForWrite(temp.path(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(ErrorCode::kLocked, second.error().code);
  EXPECT_NE(std::string::npos, second.error().message.find("locked by process " +
                                                           std::to_string(getpid()) + " since "))
      << second.error().message;
  // The one who was refused has not weakened the lock.
  EXPECT_FALSE(WriterLock::Take(temp.path()));
  EXPECT_TRUE(WriteSmallGraph(*first->NewSink(), BuildRun("still writes")));
}

TEST(GraphStoreTest, TheLockEndsWithTheWriter) {
  TempDirectory temp;
  OpenWriter(temp.path()).reset();
  EXPECT_TRUE(WriterLock::Take(temp.path()));
  OpenWriter(temp.path()).reset();
}

TEST(GraphStoreTest, AReaderBesideAWriterSeesPublishedRunsOnly) {
  TempDirectory temp;
  const auto writer = OpenWriter(temp.path());
  const auto sink = writer->NewSink();
  ASSERT_TRUE(WriteSmallGraph(*sink, BuildRun("published", 1)));
  ASSERT_TRUE(sink->BeginRun(BuildRun("draft", 2)));
  ASSERT_TRUE(sink->AddState(BuildState("/", {{}})));

  const auto reader = GraphStore::OpenForRead(temp.path());
  ASSERT_TRUE(reader) << reader.error().message;
  const auto runs = (*reader)->reader().Runs().value();
  ASSERT_EQ(1U, runs.size());
  EXPECT_EQ("published", runs[0].run.name);
  EXPECT_EQ(3U, (*reader)->reader().States(runs[0].number).value().size());

  ASSERT_TRUE(sink->EndRun(BuildRun("draft", 2)));
  EXPECT_EQ(1U, (*reader)->reader().Runs().value().size());  // as of its open
  EXPECT_EQ(2U, GraphStore::OpenForRead(temp.path()).value()->reader().Runs().value().size());
}

// Whatever the writer does to its files, a reader goes on with what was there.
TEST(GraphStoreTest, AReaderKeepsWhatItOpened) {
  TempDirectory temp;
  const auto writer = OpenWriter(temp.path());
  ASSERT_TRUE(WriteSmallGraph(*writer->NewSink(), BuildRun("one", 1)));
  const auto reader = GraphStore::OpenForRead(temp.path()).value();
  ASSERT_TRUE(writer->DeleteRun(1));
  ASSERT_TRUE(WriteSmallGraph(*writer->NewSink(), BuildRun("two", 2)));
  ASSERT_TRUE(writer->Reclaim());
  const auto elements = reader->reader().Elements(1);
  ASSERT_TRUE(elements) << elements.error().message;
  EXPECT_EQ(5U, elements->size());
  EXPECT_EQ(1U, reader->reader().Runs().value().size());
}

TEST(GraphStoreTest, AReaderNeedsNoPlaceToWrite) {
  TempDirectory temp;
  const auto writer = OpenWriter(temp.path());
  ASSERT_TRUE(WriteSmallGraph(*writer->NewSink(), BuildRun("one", 1)));
  ASSERT_EQ(0, setenv("TMPDIR", "/nowhere", 1));
  const auto before = Photograph(temp.path());
  EXPECT_TRUE(GraphStore::OpenForRead(temp.path()));
  unsetenv("TMPDIR");
  EXPECT_EQ(before, Photograph(temp.path()));
}

// The child of a death test starts this test anew: it finds the directory in the environment.
TEST(GraphStoreDeathTest, WhatAKilledWriterCapturedIsPublishedAsPartial) {
  constexpr const char* kDirectoryVariable = "TOPODB_TEST_DIRECTORY";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  TempDirectory temp;
  ASSERT_EQ(0, setenv(kDirectoryVariable, temp.path().c_str(), /*overwrite=*/0));
  const fs::path directory = std::getenv(kDirectoryVariable);
  const StateBundle home = BuildState("/", {{}, {"link", "Docs", "a"}});
  EXPECT_EXIT(
      {
        const auto store = OpenWriter(directory);
        const auto sink = store->NewSink();
        if (WriteSmallGraph(*sink, BuildRun("whole", 1)) && sink->BeginRun(BuildRun("killed", 2)) &&
            sink->AddState(home)) {
          kill(getpid(), SIGKILL);
        }
      },
      ::testing::KilledBySignal(SIGKILL), "");
  unsetenv(kDirectoryVariable);
  {
    const auto before = GraphStore::OpenForRead(directory).value();
    const auto runs = before->reader().Runs().value();
    ASSERT_EQ(1U, runs.size());
    EXPECT_EQ("whole", runs[0].run.name);
  }
  OpenWriter(directory).reset();
  const auto after = GraphStore::OpenForRead(directory).value();
  const StoredRun killed = after->reader().FindRun("killed").value();
  EXPECT_EQ(RunStatus::kPartial, killed.run.status);
  EXPECT_EQ("interrupted", killed.run.status_reason);
  EXPECT_EQ((RunCounts{.states = 1, .elements = 2}), killed.run.counts);
  EXPECT_EQ(home.elements, after->reader().ElementsOf(killed.number, home.state.id).value());
  EXPECT_EQ(RunStatus::kComplete, after->reader().FindRun("whole").value().run.status);
}

TEST(GraphStoreTest, PublishingAndClosingLeaveNoLogToReplay) {
  TempDirectory temp;
  {
    const auto store = OpenWriter(temp.path());
    ASSERT_TRUE(store->NewSink()->BeginRun(BuildRun("open")));
  }
  for (const auto& entry : fs::directory_iterator(temp.path())) {
    if (entry.path().extension() != ".log") continue;
    EXPECT_EQ(0U, entry.file_size()) << entry.path();
  }
}

TEST(GraphStoreTest, ALostFileIsCorruption) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  fs::remove(temp.path() / "CURRENT");
  EXPECT_EQ(ErrorCode::kCorruption, CodeOfRead(temp.path()));
  EXPECT_EQ(ErrorCode::kCorruption, GraphStore::OpenForWrite(temp.path(), {}).error().code);
}

TEST(GraphStoreTest, ADamagedTableIsCorruptionNeverADifferentAnswer) {
  TempDirectory temp;
  MakeDatabase(temp.path());
  for (const auto& entry : fs::directory_iterator(temp.path())) {
    if (entry.path().extension() != ".sst") continue;
    const std::string whole = testing::ReadFile(entry.path());
    for (size_t position = 0; position < whole.size(); position += 97) {
      SCOPED_TRACE(position);
      std::string damaged = whole;
      damaged[position] = static_cast<char>(damaged[position] ^ 0x10);
      WriteFile(entry.path(), damaged);
      const auto store = GraphStore::OpenForRead(temp.path());
      if (!store) {
        EXPECT_EQ(ErrorCode::kCorruption, store.error().code) << store.error().message;
        continue;
      }
      const auto elements = (*store)->reader().Elements(1);
      if (elements) {
        EXPECT_EQ(5U, elements->size());
      } else {
        EXPECT_EQ(ErrorCode::kCorruption, elements.error().code) << elements.error().message;
      }
    }
    WriteFile(entry.path(), whole);
  }
}

}  // namespace
}  // namespace topodb::store
