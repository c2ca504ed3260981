#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <CLI/App.hpp>

#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"

// How a subcommand presents itself. Each has a pair command_<name>.h/.cc with its options, an
// Add<Name> that declares it and a Run<Name> that does it.
namespace topodb::cli {

// What the parsed command line asks for; set by the chosen subcommand.
struct Selection {
  std::function<Result<ExitCode>(Console&)> run;
  CommonOptions common;
};

// The formats that a command can write besides text and JSON.
enum class Formats : uint8_t {
  kRecords,  // jsonl, csv
  kReport,   // junit
  kPage,     // junit, html
};

// Declares --db, --format, --color, --quiet, --verbose on `command`.
void AddCommonOptions(CLI::App& command, CommonOptions& options, Formats formats);

template <class Options>
struct Declared {
  CLI::App* command;
  Options* options;  // lives as long as the command
};

// Declares a subcommand whose parsed Options are given to `run`.
//   auto [command, options] = AddCommand(app, selection, "runs", "lists runs", RunRuns);
template <class Options>
Declared<Options> AddCommand(CLI::App& app, Selection& selection, const char* name,
                             const char* description,
                             Result<ExitCode> (*run)(const Options&, Console&),
                             Formats formats = Formats::kRecords) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, description);
  AddCommonOptions(*command, selection.common, formats);
  command->callback([options, run, &selection] {
    selection.run = [options, run](Console& console) { return run(*options, console); };
  });
  return {command, options.get()};
}

}  // namespace topodb::cli
