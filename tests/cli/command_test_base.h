#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/graph_store.h"
#include "tests/support/files.h"
#include "tests/support/graph_builder.h"
#include "tests/support/run_binary.h"

namespace topodb::cli {

// Runs the built program in a temporary directory of its own.
class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "topodb-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  testing::BinaryResult Topodb(std::vector<std::string> arguments, std::string input = {}) const {
    return testing::RunBinary(TOPODB_BINARY, {.arguments = std::move(arguments),
                                              .directory = directory_,
                                              .input = std::move(input),
                                              .environment = {}});
  }

  testing::BinaryResult Shell(const std::string& script) const {
    return testing::RunScript(TOPODB_BINARY, script, directory_);
  }

  // The bytes of a file there.
  std::string Read(const std::string& file) const { return testing::ReadFile(directory_ / file); }

  // Stores something with `write(sink)` in the default database.
  template <class Write>
  void Store(const Write& write) const {
    auto store = store::GraphStore::OpenForWrite(directory_ / ".topodb", {});
    ASSERT_TRUE(store) << store.error().message;
    const auto sink = (*store)->NewSink();
    const Status written = write(*sink);
    ASSERT_TRUE(written) << written.error().message;
  }

  // The small graph of tests/support/graph_builder.h as a run of that name.
  void StoreSmallGraph(std::string_view name, uint32_t serial) const {
    Store([&](GraphSink& sink) {
      return testing::WriteSmallGraph(sink, testing::BuildRun(name, serial));
    });
  }

  std::filesystem::path directory_;
};

}  // namespace topodb::cli
