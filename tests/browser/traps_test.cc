#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/live_site.h"

// The pages of fixtures/traps, each with the judgement of a person beside it: NAME.labels.json says
// of every element whether it can be acted on, and what it is and is called. Elements are told
// apart by their test ids, which records keep.
namespace topodb::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using Path = std::vector<std::string>;

constexpr size_t kLeastPages = 35;
constexpr size_t kLeastLabels = 220;
constexpr double kLeastRecall = 0.99;
constexpr double kLeastPrecision = 0.97;
constexpr size_t kBrowsers = 2;  // at a time: most of a run is waiting

struct Label {
  std::string test_id;
  bool actionable = false;
  std::string role, name;  // of those that are
  bool enabled = true;
  std::optional<Path> frame, shadow;
  std::optional<std::string> blocker;  // "" when nothing covers it
};

struct TrapPage {
  std::string name;
  std::vector<Label> labels;
};

struct Tally {
  size_t labels = 0, actionable = 0, found = 0, recorded = 0, right = 0;
  std::vector<std::string> problems;

  void Add(const Tally& other) {
    labels += other.labels;
    actionable += other.actionable;
    found += other.found;
    recorded += other.recorded;
    right += other.right;
    problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  }
};

fs::path Folder() { return fs::path(TOPODB_SOURCE_DIR) / "fixtures/traps"; }

std::optional<Path> PathOf(const json::object& label, std::string_view key) {
  const json::value* value = label.if_contains(key);
  if (value == nullptr) return std::nullopt;
  return json::value_to<Path>(*value);
}

Label ReadLabel(const json::object& object) {
  Label label{.test_id = json::value_to<std::string>(object.at("testId")),
              .actionable = object.at("actionable").as_bool(),
              .role = {},
              .name = {},
              .frame = PathOf(object, "frame"),
              .shadow = PathOf(object, "shadow"),
              .blocker = {}};
  if (!label.actionable) return label;
  label.role = json::value_to<std::string>(object.at("role"));
  label.name = json::value_to<std::string>(object.at("name"));
  if (const auto* enabled = object.if_contains("enabled")) label.enabled = enabled->as_bool();
  if (const auto* blocker = object.if_contains("blocker")) {
    label.blocker = json::value_to<std::string>(*blocker);
  }
  return label;
}

std::vector<TrapPage> ReadPages() {
  std::vector<TrapPage> pages;
  for (const auto& file : fs::directory_iterator(Folder())) {
    if (file.path().extension() != ".html") continue;
    const std::string name = file.path().stem().string();
    const json::value document = json::parse(ReadFixture("traps/" + name + ".labels.json"));
    TrapPage page{.name = name, .labels = {}};
    for (const json::value& label : document.at("elements").as_array()) {
      page.labels.push_back(ReadLabel(label.as_object()));
    }
    pages.push_back(std::move(page));
  }
  std::ranges::sort(pages, {}, &TrapPage::name);
  return pages;
}

std::string TestIdOf(const Element& element) {
  const auto found = std::ranges::find(element.attributes, "data-testid", &NameValue::first);
  return found == element.attributes.end() ? std::string() : found->second;
}

// What differs between the label and the record; empty when nothing does.
std::string Differences(const Label& label, const Element& element) {
  std::string text;
  const auto compare = [&](std::string_view what, const auto& want, const auto& got) {
    if (want != got) text += fmt::format(" {} is '{}', not '{}'", what, got, want);
  };
  compare("role", label.role, element.role.value_or(""));
  compare("name", label.name, element.accessible_name.value_or(""));
  compare("enabled", label.enabled, element.interactability.enabled);
  if (label.blocker) compare("blocker", *label.blocker, element.interactability.blocker);
  const auto path = [](const Path& steps) { return fmt::format("{}", fmt::join(steps, " > ")); };
  if (label.frame) compare("frame", path(*label.frame), path(element.frame_path));
  if (label.shadow) compare("shadow", path(*label.shadow), path(element.shadow_path));
  return text;
}

Tally Compare(const TrapPage& page, const query::RunGraph& run) {
  Tally tally{.labels = page.labels.size(), .recorded = run.elements.size(), .problems = {}};
  std::multimap<std::string, const Element*> records;
  for (const Element& element : run.elements) records.emplace(TestIdOf(element), &element);
  for (const Label& label : page.labels) {
    if (!label.actionable) continue;
    ++tally.actionable;
    const auto record = records.find(label.test_id);
    if (record == records.end()) {
      tally.problems.push_back(
          fmt::format("{}: missed {}: {} '{}'", page.name, label.test_id, label.role, label.name));
      continue;
    }
    ++tally.found;
    const std::string differences = Differences(label, *record->second);
    if (differences.empty())
      ++tally.right;
    else
      tally.problems.push_back(fmt::format("{}: {}:{}", page.name, label.test_id, differences));
    records.erase(record);
  }
  for (const auto& [test_id, element] : records) {
    tally.problems.push_back(fmt::format("{}: false {}: {} {} '{}'", page.name, test_id,
                                         element->tag, element->role.value_or(""),
                                         element->accessible_name.value_or("")));
  }
  return tally;
}

Tally Judge(const TrapPage& page, const FixtureServer& server, LiveSite& site) {
  const auto run = site.Capture(ScanOf(server.Url('/' + page.name + ".html")));
  if (run && run->states.size() == 1) return Compare(page, *run);
  Tally tally = Compare(page, {});
  tally.problems.push_back(
      fmt::format("{}: {}", page.name, run ? "not one state" : run.error().message));
  return tally;
}

Tally JudgeAll(const std::vector<TrapPage>& pages) {
  const FixtureServer server(Folder());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  Tally total;
  const auto work = [&] {
    LiveSite site;
    for (size_t i = next++; i < pages.size(); i = next++) {
      const Tally tally = Judge(pages[i], server, site);
      const std::lock_guard lock(mutex);
      total.Add(tally);
    }
  };
  std::vector<std::thread> workers;
  for (size_t i = 0; i < kBrowsers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::ranges::sort(total.problems);
  return total;
}

// A label for an element that does not exist would never be contradicted.
TEST(TrapsTest, EveryLabelIsOfAnElementOfItsPage) {
  std::string parts;
  for (const auto& file : fs::directory_iterator(Folder() / "parts")) {
    parts += ReadFixture("traps/parts/" + file.path().filename().string());
  }
  for (const TrapPage& page : ReadPages()) {
    const std::string text = ReadFixture("traps/" + page.name + ".html") + parts;
    std::map<std::string, size_t> seen;
    for (const Label& label : page.labels) {
      EXPECT_NE(std::string::npos, text.find(label.test_id)) << page.name << ' ' << label.test_id;
      EXPECT_EQ(1U, ++seen[label.test_id]) << page.name << ' ' << label.test_id;
    }
  }
}

TEST(TrapsTest, WhatCanBeActedOnIsFoundAndNothingElse) {
  const std::vector<TrapPage> pages = ReadPages();
  const Tally total = JudgeAll(pages);
  for (const std::string& problem : total.problems) std::cout << problem << '\n';
  const double recall = static_cast<double>(total.found) / static_cast<double>(total.actionable);
  const double precision = static_cast<double>(total.found) / static_cast<double>(total.recorded);
  std::cout << fmt::format(
      "traps: {} pages, {} labels, {} of {} found (recall {:.2f} %), {} recorded (precision {:.2f} "
      "%), {} as labelled\n",
      pages.size(), total.labels, total.found, total.actionable, 100 * recall, total.recorded,
      100 * precision, total.right);
  EXPECT_GE(pages.size(), kLeastPages);
  EXPECT_GE(total.labels, kLeastLabels);
  EXPECT_GE(recall, kLeastRecall);
  EXPECT_GE(precision, kLeastPrecision);
  EXPECT_EQ(total.found, total.right);
}

}  // namespace
}  // namespace topodb::testing
