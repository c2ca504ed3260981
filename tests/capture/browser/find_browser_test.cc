#include "capture/browser/find_browser.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temp_directory.h"

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;

class FindBrowserTest : public ::testing::Test {
 protected:
  std::string Program(const std::string& name) {
    const auto path = File(name);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::string File(const std::string& name) {
    const auto path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    return path.string();
  }
  std::string Folder(const std::string& name) { return (folder_.path() / name).string(); }

  testing::TempDirectory folder_;
};

TEST_F(FindBrowserTest, AnExplicitOneIsTakenOrNothing) {
  const auto wanted = Program("bin/my-browser");
  const BrowserSearch search{.chosen = Program("bin/chosen"),
                             .binaries = {Program("lib/chromium")},
                             .names = {},
                             .path = {Folder("bin")}};
  EXPECT_EQ(wanted, FindBrowser(wanted, search).value_or("none"));
  EXPECT_EQ(wanted, FindBrowser("my-browser", search).value_or("none"));
  for (const auto& bad : {Folder("absent"), File("bin/not-executable"), Folder("bin"),
                          std::string("absent"), std::string("not-executable")}) {
    SCOPED_TRACE(bad);
    const auto found = FindBrowser(bad, search);
    ASSERT_FALSE(found);
    EXPECT_EQ(ErrorCode::kBrowserMissing, found.error().code);
    EXPECT_NE(std::string::npos, found.error().message.find(bad));
  }
}

TEST_F(FindBrowserTest, TheEnvironmentComesBeforeTheUsualPlaces) {
  BrowserSearch search{
      .chosen = Program("chosen"), .binaries = {Program("lib/chromium")}, .names = {}, .path = {}};
  EXPECT_EQ(Folder("chosen"), FindBrowser("", search).value_or("none"));
  search.chosen = Folder("absent");
  EXPECT_FALSE(FindBrowser("", search));
}

TEST_F(FindBrowserTest, BinariesComeBeforeWrappersAndBothInOrder) {
  const auto wrapper = Program("bin/chromium");
  Program("bin/google-chrome");
  BrowserSearch search{.chosen = {},
                       .binaries = {Folder("lib/one"), Program("lib/two"), Program("lib/three")},
                       .names = {"chromium", "google-chrome"},
                       .path = {Folder("empty"), Folder("bin")}};
  EXPECT_EQ(Folder("lib/two"), FindBrowser("", search).value_or("none"));
  search.binaries.clear();
  EXPECT_EQ(wrapper, FindBrowser("", search).value_or("none"));
  search.names = {"google-chrome", "chromium"};
  EXPECT_EQ(Folder("bin/google-chrome"), FindBrowser("", search).value_or("none"));
}

TEST_F(FindBrowserTest, WithoutAnyTheHintNamesThePackage) {
  const auto found = FindBrowser("", BrowserSearch{});
  ASSERT_FALSE(found);
  EXPECT_EQ(ErrorCode::kBrowserMissing, found.error().code);
  EXPECT_NE(std::string::npos, found.error().hint.find("apt-get install chromium"));
}

}  // namespace
}  // namespace topodb::capture
