#include "cli/command_await.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/clock.h"
#include "capture/completion/await_run.h"
#include "capture/guard/url.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/option_types.h"
#include "cli/output.h"
#include "cli/run_id.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "query/exchange/record_json.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

namespace fs = std::filesystem;

// The first = that is neither in brackets nor in quotes parts a locator from a text.
std::optional<capture::FillStep> ParseFill(std::string_view text) {
  char quote = '\0';
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == '=' && depth == 0 && i > 0) {
      return capture::FillStep{.locator = std::string(text.substr(0, i)),
                               .text = std::string(text.substr(i + 1))};
    }
  }
  return std::nullopt;
}

std::string_view SuffixOf(std::string_view media_type) {
  if (media_type == "image/png") return ".png";
  if (media_type == "image/jpeg") return ".jpg";
  if (media_type == "image/webp") return ".webp";
  if (media_type == "image/gif") return ".gif";
  if (media_type == "image/avif") return ".avif";
  if (media_type == "image/svg+xml") return ".svg";
  return ".bin";
}

// Stores each image under a name that is not taken yet.
capture::ImageStore StoreIn(const fs::path& directory) {
  return [directory](const capture::ImageBytes& image) -> Result<std::string> {
    for (int number = 1; number < 10'000; ++number) {
      const fs::path path =
          directory / fmt::format("image-{}{}", number, SuffixOf(image.media_type));
      const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
          std::fopen(path.c_str(), "wbx"), [](std::FILE* open) { return std::fclose(open); });
      if (!file && errno == EEXIST) continue;
      const bool written = file &&
                           std::fwrite(image.bytes.data(), 1, image.bytes.size(), file.get()) ==
                               image.bytes.size() &&
                           std::fflush(file.get()) == 0;
      if (written) return path.string();
      return Error{ErrorCode::kIo,
                   fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)), ""};
    }
    return Error{ErrorCode::kIo, fmt::format("'{}' is full of images", directory.string()), ""};
  };
}

// Says on stderr that the wait goes on.
class HeartbeatLines final : public capture::AwaitObserver {
 public:
  explicit HeartbeatLines(Console& console) : console_(console) {}
  void OnHeartbeat(capture::RegionPhase phase, capture::Millis elapsed) override {
    console_.Note(fmt::format("{} for {} s", ToString(phase), elapsed.count() / 1000));
  }

 private:
  Console& console_;
};

Result<capture::AwaitRunOptions> Resolve(const AwaitCommandOptions& options, Console& console) {
  capture::AwaitRunOptions run{
      .input = options.input,
      .profile = {},
      .fill = {},
      .submit = options.submit,
      .new_items = options.since_now ? capture::NewItems::kSinceOpen : capture::NewItems::kAll,
      .wait = {},
      .drive = {}};
  TOPODB_TRY(const std::string url, capture::ResolveInput(options.input));
  TOPODB_TRY(run.profile, capture::LoadRegionProfile(options.profile));
  if (!options.fill.empty()) {
    run.fill = ParseFill(options.fill);
    if (!run.fill) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("'{}' is no LOCATOR=TEXT", options.fill),
                   "as in: --fill '#prompt=Hello', or --fill 'textbox \"Ask\"=Hello'"};
    }
  }
  TOPODB_TRY(run.drive, ResolveDriveFlags(options.drive, url, console));
  run.drive.clock = capture::ClockMode::kReal;
  run.wait.budget = options.timeout;
  if (options.no_store) run.wait.session = capture::RegionSession::kNone;
  if (options.copy) run.wait.copy = capture::CopyWanted::kYes;
  if (!options.image_directory.empty()) {
    std::error_code error;
    fs::create_directories(options.image_directory, error);
    if (error) {
      return Error{ErrorCode::kIo,
                   fmt::format("cannot make the directory '{}': {}",
                               options.image_directory.string(), error.message()),
                   ""};
    }
    run.wait.store_image = StoreIn(options.image_directory);
  }
  return run;
}

// The answer as it is, but unable to drive a terminal.
void WriteText(std::string_view text, Console& console) {
  std::string clean;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\n\t"), text.size());
    clean += ForTerminal(text.substr(0, end));
    if (end < text.size()) clean += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  console.Write(clean + "\n");
}

void Print(const CompletionObservation& observation, Console& console) {
  const bool complete = observation.status == CompletionStatus::kComplete;
  if (console.format() == Format::kText) {
    if (complete) WriteText(*observation.text, console);
  } else {
    std::string text;
    query::JsonWriter json(text);
    query::IdText ids;
    query::WriteJson(json, observation, {.ids = ids});
    console.Write(console.format() == Format::kJson ? PrettyJson(text) : text + "\n");
  }
  for (const std::string& warning : observation.warnings) console.Warn(warning);
  if (complete) return;
  console.Warn(fmt::format("not finished: {} ({}); {}", ToString(observation.status),
                           observation.error_code, observation.retry_hint));
}

}  // namespace

void AddAwait(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "await", "waits until a streaming region is finished", RunAwait);
  command->add_option("URL", options->input, "address or HTML file with the region")->required();
  command->add_option("--profile", options->profile, "what the region looks like: a name or a file")
      ->required()
      ->type_name("PROFILE");
  command->add_option("--fill", options->fill, "enter a text before")->type_name("LOCATOR=TEXT");
  command->add_option("--submit", options->submit, "click this, and wait for what comes then")
      ->type_name("LOCATOR");
  AddDuration(*command, "--timeout", options->timeout, "for the wait [5m]");
  command->add_flag("--since-now", options->since_now, "what the page shows already is old");
  command->add_option("--image", options->image_directory, "store images of the answer here")
      ->type_name("DIR");
  command->add_flag("--copy", options->copy, "take the text that the copy control gives");
  command->add_flag("--no-store", options->no_store, "keep the observation out of the database");
  AddGuardFlags(*command, options->drive);
  AddBrowserFlags(*command, options->drive);
}

Result<ExitCode> RunAwait(const AwaitCommandOptions& options, Console& console) {
  TOPODB_TRY(const capture::AwaitRunOptions run, Resolve(options, console));
  CatchInterrupts();
  const capture::SystemClock clock;
  std::unique_ptr<store::GraphStore> store;
  std::unique_ptr<GraphSink> sink;
  if (!options.no_store) {
    TOPODB_TRY(store, OpenForWrite(console.options(), {}));
    sink = store->NewSink();
  }
  HeartbeatLines observer(console);
  TOPODB_TRY(const capture::AwaitedRun awaited,
             capture::AwaitRun(run, sink.get(), capture::RiskPolicy::BuiltIn(), clock,
                               {.id = NewRunId(), .engine_version = std::string(Version())},
                               observer, Interrupted()));
  for (const std::string& warning : awaited.warnings) console.Warn(warning);
  Print(awaited.observation, console);
  return awaited.observation.status == CompletionStatus::kComplete ? ExitCode::kSuccess
                                                                   : ExitCode::kFound;
}

}  // namespace topodb::cli
