#include "cli/command.h"

#include <utility>

#include "cli/option_types.h"

namespace topodb::cli {

void AddCommonOptions(CLI::App& command, CommonOptions& options, Formats formats) {
  Choices<Format> known = {{"text", Format::kText}, {"json", Format::kJson}};
  if (formats == Formats::kRecords) {
    known.insert(known.end(), {{"jsonl", Format::kJsonl}, {"csv", Format::kCsv}});
  } else {
    known.push_back({"junit", Format::kJunit});
    if (formats == Formats::kPage) known.push_back({"html", Format::kHtml});
  }
  command.add_option("--db", options.database, "database directory [$TOPODB_DB, ./.topodb]")
      ->type_name("PATH");
  AddChoice(command, "--format", options.format, std::move(known),
            formats == Formats::kRecords  ? "text, json, jsonl or csv [text]"
            : formats == Formats::kReport ? "text, json or junit [text]"
                                          : "text, json, junit or html [text]")
      ->type_name("FORMAT");
  AddChoice(
      command, "--color", options.color,
      {{"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}},
      "auto, always or never [auto]")
      ->type_name("WHEN");
  command.add_flag("-q,--quiet", options.quiet, "no progress and no notes on stderr");
  command.add_flag("-v,--verbose", options.verbose, "more on stderr");
}

}  // namespace topodb::cli
