#include "capture/browser/find_browser.h"

#include <cstdlib>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace topodb::capture {
namespace {

bool IsProgram(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> Locate(const std::string& name, const BrowserSearch& search) {
  if (name.find('/') != std::string::npos) {
    return IsProgram(name) ? std::optional(name) : std::nullopt;
  }
  for (const auto& folder : search.path) {
    auto candidate = folder + "/" + name;
    if (IsProgram(candidate)) return candidate;
  }
  return std::nullopt;
}

Result<std::string> LocateChosen(const std::string& name, const BrowserSearch& search) {
  if (auto found = Locate(name, search)) return *std::move(found);
  return Error{ErrorCode::kBrowserMissing,
               fmt::format("browser '{}' does not exist or cannot be executed", name),
               {}};
}

}  // namespace

BrowserSearch BrowserSearch::FromEnvironment() {
  BrowserSearch search{
      .chosen = std::nullopt,
      .binaries = {"/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser",
                   "/usr/lib64/chromium-browser/chromium-browser", "/opt/google/chrome/chrome"},
      .names = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"},
      .path = {}};
  if (const char* chosen = std::getenv("TOPODB_BROWSER"); chosen != nullptr && *chosen != '\0') {
    search.chosen = chosen;
  }
  if (const char* path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty()) search.path.push_back(folder);
    }
  }
  return search;
}

Result<std::string> FindBrowser(const std::string& wanted, const BrowserSearch& search) {
  if (!wanted.empty()) return LocateChosen(wanted, search);
  if (search.chosen) return LocateChosen(*search.chosen, search);
  for (const auto& binary : search.binaries) {
    if (IsProgram(binary)) return binary;
  }
  for (const auto& name : search.names) {
    if (auto found = Locate(name, search)) return *std::move(found);
  }
  return Error{ErrorCode::kBrowserMissing, "no Chromium or Chrome was found",
               "apt-get install chromium, or name one with --browser or TOPODB_BROWSER"};
}

}  // namespace topodb::capture
