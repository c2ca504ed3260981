#include "cli/command.h"

#include <map>
#include <string>

#include <CLI/CLI.hpp>

namespace topodb::cli {

void AddCommonOptions(CLI::App& command, CommonOptions& options, Formats formats) {
  std::map<std::string, Format> known = {{"text", Format::kText}, {"json", Format::kJson}};
  if (formats == Formats::kRecords) {
    known.insert({{"jsonl", Format::kJsonl}, {"csv", Format::kCsv}});
  } else {
    known.insert({{"junit", Format::kJunit}});
  }
  const std::map<std::string, ColorMode> colors = {
      {"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}};
  command.add_option("--db", options.database, "database directory [./.topodb]")
      ->envname("TOPODB_DB")
      ->type_name("PATH");
  command
      .add_option("--format", options.format,
                  formats == Formats::kRecords ? "text, json, jsonl or csv [text]"
                                               : "text, json or junit [text]")
      ->transform(CLI::CheckedTransformer(known).description(""))
      ->type_name("FORMAT");
  command.add_option("--color", options.color, "auto, always or never [auto]")
      ->transform(CLI::CheckedTransformer(colors).description(""))
      ->type_name("WHEN");
  command.add_flag("-q,--quiet", options.quiet, "no progress and no notes on stderr");
  command.add_flag("-v,--verbose", options.verbose, "more on stderr");
}

}  // namespace topodb::cli
