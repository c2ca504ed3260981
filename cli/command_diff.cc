#include "cli/command_diff.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/junit.h"
#include "cli/option_types.h"
#include "cli/output.h"
#include "cli/run_view.h"
#include "query/diff_text.h"
#include "query/exchange/json_writer.h"
#include "query/report/html_diff.h"

namespace topodb::cli {
namespace {

using query::Change;
using query::Diff;
using query::Difference;
using query::DiffSection;

constexpr std::array kSections = {DiffSection::kStates, DiffSection::kElements, DiffSection::kEdges,
                                  DiffSection::kSkips, DiffSection::kFailures};

// With the counts of all sections and the warnings, one screen.
constexpr size_t kSummarizedPages = 12;

CellStyle StyleOf(Change change) {
  switch (change) {
    case Change::kAdded:
      return CellStyle::kGood;
    case Change::kRemoved:
      return CellStyle::kDanger;
    case Change::kNotObserved:
      return CellStyle::kDim;
    case Change::kNewlySkipped:
    case Change::kNewlyFailing:
      return CellStyle::kDanger;
    case Change::kChanged:
    case Change::kRenamed:
    case Change::kMoved:
    case Change::kAmbiguous:
    case Change::kUnique:
    case Change::kRedirected:
    case Change::kRiskChanged:
      return CellStyle::kCaution;
  }
  return CellStyle::kPlain;
}

// A case for each kind of records; its differences are one failure.
std::string Junit(const Diff& diff) {
  std::vector<JunitCase> cases;
  for (const DiffSection section : kSections) {
    JunitCase test{.name = std::string(ToString(section)), .failure = {}, .skipped = {}};
    for (const Difference& difference : diff.differences) {
      if (difference.section != section || difference.change == Change::kNotObserved) continue;
      if (!test.failure.empty()) test.failure += "; ";
      test.failure += fmt::format("{} {}", ToString(difference.change),
                                  RoleAndName(difference.role, difference.name));
    }
    cases.push_back(std::move(test));
  }
  return JunitXml("topodb diff", cases);
}

void Print(const Diff& diff, const DiffCommandOptions& options, Console& console) {
  switch (console.format()) {
    case Format::kJson: {
      std::string document;
      query::JsonWriter json(document);
      query::WriteJson(json, diff);
      console.Write(PrettyJson(document));
      break;
    }
    case Format::kJunit:
      console.Write(Junit(diff));
      break;
    case Format::kHtml:  // RunDiff writes it
      break;
    case Format::kText:
    case Format::kJsonl:
    case Format::kCsv:
      if (!options.summary) {
        for (const query::DiffLine& line : query::DescribeDiff(diff)) {
          WriteStyledLine(console, line.text, StyleOf(line.change));
        }
      }
      for (const std::string& line : query::SummarizeDiff(diff)) console.WriteLine(line);
      if (options.summary) {
        for (const std::string& line : query::SummarizePages(diff, kSummarizedPages)) {
          WriteStyledLine(console, line, CellStyle::kPlain);
        }
      }
      if (!query::HasDifferences(diff)) console.WriteLine("no differences");
      break;
  }
}

}  // namespace

void AddDiff(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "diff", "compares two runs", RunDiff, Formats::kPage);
  command->add_option("RUN-A", options->before, "the run before")->required();
  command->add_option("RUN-B", options->after, "the run after")->required();
  AddChoices(*command, "--only", options->only,
             {{"states", DiffSection::kStates},
              {"elements", DiffSection::kElements},
              {"edges", DiffSection::kEdges},
              {"skips", DiffSection::kSkips},
              {"failures", DiffSection::kFailures}},
             "only states, elements, edges, skips or failures; repeatable")
      ->type_name("RECORDS");
  command->add_flag("--summary", options->summary,
                    "one screen: how many, and the pages that differ most");
  command->add_flag("--force", options->force, "compare runs of different input");
}

Result<ExitCode> RunDiff(const DiffCommandOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const store::StoredRun before, reader.FindRun(options.before));
  TOPODB_TRY(const store::StoredRun after, reader.FindRun(options.after));
  auto diff = query::DiffRuns(reader, before, reader, after,
                              {.comparability = options.force ? query::Comparability::kForced
                                                              : query::Comparability::kRequired,
                               .only = options.only});
  if (!diff) {
    Error error = std::move(diff).error();
    if (error.code == ErrorCode::kInvalidArgument && error.hint.empty()) {
      error.hint = "add --force to compare them all the same";
    }
    return error;
  }
  for (const std::string& warning : diff->warnings) console.Warn(warning);
  if (console.format() == Format::kHtml) {
    TOPODB_TRY_VOID(query::ExportDiffHtml(reader, before, after, *diff, [&](std::string_view text) {
      console.Write(text);
      return Status();
    }));
  } else {
    Print(*diff, options, console);
  }
  return query::HasDifferences(*diff) ? ExitCode::kFound : ExitCode::kSuccess;
}

}  // namespace topodb::cli
