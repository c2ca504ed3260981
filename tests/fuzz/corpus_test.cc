#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/fuzz_target.h"

// Runs every fuzz target on its stored inputs and on seeded variations of them, so that the
// invariants are also checked where there is no libFuzzer. A broken one aborts and says which.
namespace topodb::fuzz {

// In the names of the tests, which must be the same in every run.
static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

std::vector<std::string> Corpus(std::string_view target) {
  const fs::path folder = fs::path(TOPODB_SOURCE_DIR) / "tests/fuzz/corpus" / target;
  std::vector<fs::path> files;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs = {""};
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

// A stored input with bytes replaced, removed or repeated, or the front of one and the end of
// another.
std::string Vary(const std::vector<std::string>& corpus, std::mt19937& random) {
  const auto below = [&](size_t bound) { return bound == 0 ? 0 : random() % bound; };
  std::string text = corpus[below(corpus.size())];
  for (auto edits = 1 + random() % 4; edits > 0; --edits) {
    const size_t at = below(text.size());
    switch (random() % 4) {
      case 0:
        text.insert(at, 1, static_cast<char>(random() & 0xFFU));
        break;
      case 1:
        text.erase(at, below(16));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(16)));
        break;
      default: {
        const std::string& other = corpus[below(corpus.size())];
        text = text.substr(0, at) + other.substr(below(other.size()));
      }
    }
  }
  return text;
}

class FuzzCorpus : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, KeepsItsInvariants) {
  constexpr unsigned kSeed = 20240607;
  constexpr int kRounds = 300;
  const auto corpus = Corpus(GetParam().name);
  // Exactly as large as the input, so that sanitizers see a read beyond it.
  const auto run = [](const std::string& text) {
    const auto bytes = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), bytes.get());
    GetParam().run({bytes.get(), text.size()});
  };
  for (const auto& input : corpus) run(input);
  std::mt19937 random(kSeed);
  for (int round = 0; round < kRounds; ++round) run(Vary(corpus, random));
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, ::testing::ValuesIn(Targets()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace topodb::fuzz
