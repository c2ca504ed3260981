#pragma once

#include <filesystem>
#include <memory>

#include "capture/browser/fd.h"
#include "schema/base/result.h"

namespace topodb::capture {

// A private (0700) temporary folder for a browser's profile, removed by the destructor. A lock
// inside it is held as long as the owner lives; the system drops it however the owner dies.
class ProfileDir {
 public:
  // In `parent`, named topodb-profile-PID-XXXXXX. kIo.
  static Result<std::unique_ptr<ProfileDir>> Create(const std::filesystem::path& parent);
  ~ProfileDir();
  ProfileDir(const ProfileDir&) = delete;
  ProfileDir& operator=(const ProfileDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Removes the profiles in `parent` whose owners are dead. What cannot be removed is left for the
  // next sweep; other users' folders are not touched.
  static void SweepStale(const std::filesystem::path& parent);

 private:
  ProfileDir(std::filesystem::path path, Fd lock);
  std::filesystem::path path_;
  Fd lock_;
};

}  // namespace topodb::capture
