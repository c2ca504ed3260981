#include "capture/browser/profile_dir.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/support/temp_directory.h"

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;

size_t CountEntries(const fs::path& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// A profile whose owner was killed, as the next start finds it.
fs::path AbandonedProfile(const fs::path& parent) {
  int ready[2];
  EXPECT_EQ(0, ::pipe(ready));
  const pid_t owner = ::fork();
  if (owner == 0) {
    const auto profile = ProfileDir::Create(parent);
    const auto path = (*profile)->path().string();
    static_cast<void>(::write(ready[1], path.data(), path.size()) > 0);
    ::pause();
  }
  char path[4096];
  const auto length = ::read(ready[0], path, sizeof(path));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  return std::string(path, static_cast<size_t>(length));
}

TEST(ProfileDirTest, IsPrivateNamedAfterItsOwnerAndRemoved) {
  testing::TempDirectory parent;
  {
    const auto profile = ProfileDir::Create(parent.path());
    ASSERT_TRUE(profile) << profile.error().message;
    const auto name = (*profile)->path().filename().string();
    EXPECT_EQ(0U, name.find("topodb-profile-" + std::to_string(::getpid()) + "-")) << name;
    struct stat status {};
    ASSERT_EQ(0, ::stat((*profile)->path().c_str(), &status));
    EXPECT_EQ(0700U, status.st_mode & 0777U);
    fs::create_directories((*profile)->path() / "Default" / "Cache");
    std::ofstream((*profile)->path() / "Default" / "Cache" / "data") << "x";
  }
  EXPECT_EQ(0U, CountEntries(parent.path()));
}

TEST(ProfileDirTest, NeedsAFolderToLiveIn) {
  testing::TempDirectory parent;
  const auto profile = ProfileDir::Create(parent.path() / "absent");
  ASSERT_FALSE(profile);
  EXPECT_EQ(ErrorCode::kIo, profile.error().code);
}

TEST(ProfileDirTest, TheSweepTakesWhatTheDeadLeftAndNothingElse) {
  testing::TempDirectory parent;
  const auto mine = ProfileDir::Create(parent.path());
  ASSERT_TRUE(mine);
  const auto abandoned = AbandonedProfile(parent.path());
  ASSERT_TRUE(fs::exists(abandoned));
  // Abandoned before it had its lock: the number of no process.
  fs::create_directories(parent.path() / "topodb-new-999999999-abcdef" / "x");
  // Somebody else's things, and a trap.
  fs::create_directories(parent.path() / "other");
  fs::create_directories(parent.path() / ("topodb-new-" + std::to_string(::getpid()) + "-abc"));
  std::ofstream(parent.path() / "topodb-profile-1-file") << "x";
  fs::create_directory_symlink(parent.path() / "other", parent.path() / "topodb-profile-1-link");

  ProfileDir::SweepStale(parent.path());
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_FALSE(fs::exists(parent.path() / "topodb-new-999999999-abcdef"));
  EXPECT_TRUE(fs::exists((*mine)->path()));
  EXPECT_TRUE(fs::exists(parent.path() / "other"));
  EXPECT_TRUE(fs::exists(parent.path() / "topodb-profile-1-link"));
  EXPECT_EQ(5U, CountEntries(parent.path()));
}

}  // namespace
}  // namespace topodb::capture
