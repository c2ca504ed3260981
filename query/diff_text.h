#pragma once

#include <string>
#include <vector>

#include "query/diff.h"
#include "query/exchange/json_writer.h"

// A diff for people and for programs. Page text stands in it as it was captured.
namespace topodb::query {

struct DiffLine {
  Change change = Change::kChanged;
  uint64_t times = 1;  // in how many states
  std::string text;    // '+ button "Save" (row "Acme", page "Customers")'
};

// Differences of several states that say the same.
struct DiffGroup {
  const Difference* first = nullptr;
  uint64_t times = 0;  // in how many states
};

// In order of the first of each; two of a kind in one state are two. `diff` must outlive them.
std::vector<DiffGroup> GroupDifferences(const Diff& diff);

// One line for each difference, in order; a change that several states share is one line, where it
// first occurs.
std::vector<DiffLine> DescribeDiff(const Diff& diff);

// "states: 1 added, 2 not-observed": one line for each section that differs.
std::vector<std::string> SummarizeDiff(const Diff& diff);

// 'page "Customers": 3 added, 1 renamed': the pages with most differences, most first, and how many
// more there are. At most `most` + 1 lines; none when no page differs.
std::vector<std::string> SummarizePages(const Diff& diff, size_t most);

void WriteJson(JsonWriter& json, const Difference& difference);
void WriteJson(JsonWriter& json, const Diff& diff);

}  // namespace topodb::query
