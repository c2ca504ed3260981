#include "cli/command_line.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/all_commands.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/version.h"

namespace topodb::cli {
namespace {

// The format that an unparsable command line asks for, so that its error can be told in it.
Format RequestedFormat(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--format=json") return Format::kJson;
    if (argument == "--format" && i + 1 < argc && std::string_view(argv[i + 1]) == "json") {
      return Format::kJson;
    }
  }
  return Format::kText;
}

// "topodb query edges", as far as it was recognised.
std::string CommandOf(const CLI::App& app) {
  std::string command = app.get_name();
  for (const CLI::App* chosen = &app; !chosen->get_subcommands().empty();) {
    chosen = chosen->get_subcommands().front();
    command += " " + chosen->get_name();
  }
  return command;
}

Error UsageError(const CLI::App& app, const CLI::ParseError& failure) {
  std::string message = failure.what();
  // CLI11 would rather say that a command is missing than that a word is none.
  if (const auto strange = app.remaining(/*recurse=*/true); !strange.empty()) {
    message = fmt::format("unexpected '{}'", strange.front());
  } else if (dynamic_cast<const CLI::RequiredError*>(&failure) != nullptr &&
             message == "A subcommand is required") {
    message = "a command is missing";
  }
  return {ErrorCode::kInvalidArgument, std::move(message),
          fmt::format("see {} --help", CommandOf(app))};
}

}  // namespace

ExitCode RunCommandLine(int argc, char** argv) {
  // A reader that went away is an error of write(), seen by the Console, and not the end of a
  // process that may own a browser.
  std::signal(SIGPIPE, SIG_IGN);

  Selection selection;
  const char* database = std::getenv("TOPODB_DB");
  selection.common.database = database != nullptr && *database != '\0' ? database : "./.topodb";
  CLI::App app("Maps web sites: captures, queries, compares and replays them.", "topodb");
  app.set_version_flag("--version", VersionText);
  app.require_subcommand(1);
  AddAllCommands(app, selection);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return ExitCode::kSuccess;
  } catch (const CLI::CallForVersion&) {
    std::puts(VersionText().c_str());
    return ExitCode::kSuccess;
  } catch (const CLI::ParseError& failure) {
    PrintError(UsageError(app, failure), RequestedFormat(argc, argv));
    return ExitCode::kUsage;  // CLI11's own codes, from 100 up, go no further
  }

  Console console(selection.common);
  const Result<ExitCode> done = selection.run(console);
  const Status flushed = console.Flush();
  ExitCode code = done ? *done : ExitCodeOf(done.error().code);
  if (!done) PrintError(done.error(), console.format());
  if (!flushed) {
    PrintError(flushed.error(), console.format());
    code = Worst(code, ExitCodeOf(flushed.error().code));
  }
  // Whatever an interrupted command could still do, the signal is why it ended.
  if (const auto interrupted = InterruptCode()) code = Worst(code, *interrupted);
  return code;
}

}  // namespace topodb::cli
