#include "query/script/publish.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/temp_directory.h"

namespace topodb::script {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kOld = "old bytes", kNew = "all of the new bytes";

enum class Fault { kFail, kKillBefore, kKillAfter };

// At the n-th call, counted from 0, something happens.
class FaultyCalls final : public FileCalls {
 public:
  FaultyCalls(Fault fault, int at) : fault_(fault), at_(at) {}

  int Create(const char* path) override {
    return Call([&] { return FileCalls::Create(path); });
  }
  int Write(int descriptor, std::string_view bytes) override {
    return Call([&] {
      // Half of it is there when the rest fails.
      if (fault_ == Fault::kFail) return FileCalls::Write(descriptor, bytes);
      FileCalls::Write(descriptor, bytes.substr(0, bytes.size() / 2));
      if (fault_ == Fault::kKillAfter && Reached()) std::raise(SIGKILL);
      return FileCalls::Write(descriptor, bytes.substr(bytes.size() / 2));
    });
  }
  int Sync(int descriptor) override {
    return Call([&] { return FileCalls::Sync(descriptor); });
  }
  int Close(int descriptor) override {
    const int closed = FileCalls::Close(descriptor);
    return Call([&] { return closed; });
  }
  int Link(const char* from, const char* to) override {
    return Call([&] { return FileCalls::Link(from, to); });
  }
  int Rename(const char* from, const char* to) override {
    return Call([&] { return FileCalls::Rename(from, to); });
  }
  int Unlink(const char* path) override {
    return Call([&] { return FileCalls::Unlink(path); });
  }
  int SyncDirectory(const char* path) override {
    return Call([&] { return FileCalls::SyncDirectory(path); });
  }

  int calls() const { return calls_; }

 private:
  bool Reached() const { return calls_ == at_; }

  template <class Function>
  int Call(const Function& function) {
    if (Reached() && fault_ == Fault::kKillBefore) std::raise(SIGKILL);
    const bool fail = Reached() && fault_ == Fault::kFail;
    const int result = fail ? -EIO : function();
    if (Reached() && fault_ == Fault::kKillAfter) std::raise(SIGKILL);
    ++calls_;
    return result;
  }

  const Fault fault_;
  const int at_;
  int calls_ = 0;
};

class PublishTest : public ::testing::Test {
 protected:
  fs::path path() const { return directory_.path() / "a.script"; }

  void Write(std::string_view bytes) const { std::ofstream(path()) << bytes; }
  std::string Read() const { return testing::ReadFile(path()); }
  void Clear() const {
    for (const auto& entry : fs::directory_iterator(directory_.path())) fs::remove(entry.path());
  }
  size_t CountFiles() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()));
  }

  FileCalls calls_;
  testing::TempDirectory directory_;
};

TEST_F(PublishTest, AppearsWholeAndAlone) {
  ASSERT_TRUE(Publish(calls_, path(), kNew, Existing::kKeep));
  EXPECT_EQ(kNew, Read());
  EXPECT_EQ(1U, CountFiles());
  ASSERT_TRUE(Publish(calls_, path(), kOld, Existing::kReplace));
  EXPECT_EQ(kOld, Read());
  EXPECT_EQ(1U, CountFiles());
}

TEST_F(PublishTest, AFileThatExistsIsKept) {
  Write(kOld);
  const Status kept = Publish(calls_, path(), kNew, Existing::kKeep);
  ASSERT_FALSE(kept);
  EXPECT_EQ(ErrorCode::kIo, kept.error().code);
  EXPECT_THAT(kept.error().message, HasSubstr("exists already"));
  EXPECT_THAT(kept.error().hint, HasSubstr("--force"));
  EXPECT_EQ(kOld, Read());
  EXPECT_EQ(1U, CountFiles());
}

TEST_F(PublishTest, WithoutTheFolderThereIsNothingToDo) {
  const Status none = Publish(calls_, path() / "below", kNew, Existing::kKeep);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("cannot create"));
}

TEST_F(PublishTest, EveryFailureLeavesOldOrNew) {
  for (const Existing existing : {Existing::kKeep, Existing::kReplace}) {
    const bool replace = existing == Existing::kReplace;
    int at = 0;
    for (;; ++at) {
      SCOPED_TRACE(at);
      Clear();
      if (replace) Write(kOld);
      FaultyCalls faulty(Fault::kFail, at);
      const Status status = Publish(faulty, path(), kNew, existing);
      if (faulty.calls() <= at) {
        EXPECT_TRUE(status);
        break;
      }
      if (fs::exists(path()) || replace) {
        const std::string now = Read();
        EXPECT_TRUE(now == kNew || (replace && now == kOld)) << now;
        EXPECT_TRUE(!status || now == kNew);
      } else {
        EXPECT_FALSE(status);
      }
    }
    EXPECT_GE(at, 6);
  }
}

// A process of its own that dies at one of the calls; false when it came to its end.
bool PublishAndDie(const fs::path& path, Existing existing, Fault fault, int at) {
  const pid_t child = ::fork();
  if (child == 0) {
    FaultyCalls faulty(fault, at);
    const Status status = Publish(faulty, path, kNew, existing);
    ::_exit(status ? 0 : 1);
  }
  int end = 0;
  ::waitpid(child, &end, 0);
  EXPECT_TRUE(WIFSIGNALED(end) || (WIFEXITED(end) && WEXITSTATUS(end) == 0));
  return WIFSIGNALED(end);
}

TEST_F(PublishTest, AKilledPublicationLeavesOldOrNew) {
  int kills = 0;
  for (const Existing existing : {Existing::kKeep, Existing::kReplace}) {
    for (const Fault fault : {Fault::kKillBefore, Fault::kKillAfter}) {
      for (int at = 0;; ++at) {
        SCOPED_TRACE(at);
        const bool replace = existing == Existing::kReplace;
        fs::remove(path());
        if (replace) Write(kOld);
        if (!PublishAndDie(path(), existing, fault, at)) break;
        ++kills;
        if (replace || fs::exists(path())) {
          const std::string now = Read();
          EXPECT_TRUE(now == kNew || (replace && now == kOld)) << now;
        }
        // What it left behind is in nobody's way.
        fs::remove(path());
        EXPECT_TRUE(Publish(calls_, path(), kNew, Existing::kKeep));
      }
    }
  }
  EXPECT_GE(kills, 20);
}

TEST_F(PublishTest, OfWritersThatRaceOneWins) {
  constexpr size_t kWriters = 4;
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    fs::remove(path());
    std::vector<std::string> bytes;
    for (size_t i = 0; i < kWriters; ++i) bytes.push_back("writer " + std::to_string(i));
    std::vector<char> won(kWriters);
    std::latch start(kWriters);
    std::vector<std::thread> writers;
    for (size_t i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] {
        FileCalls calls;
        start.arrive_and_wait();
        won[i] = Publish(calls, path(), bytes[i], Existing::kKeep).has_value() ? 1 : 0;
      });
    }
    for (std::thread& writer : writers) writer.join();
    const auto winner = std::ranges::find(won, 1);
    ASSERT_EQ(1, std::ranges::count(won, 1));
    EXPECT_EQ(bytes[static_cast<size_t>(winner - won.begin())], Read());
    EXPECT_EQ(1U, CountFiles());
  }
}

}  // namespace
}  // namespace topodb::script
