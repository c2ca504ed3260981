#include "cli/command_doctor.h"

#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "capture/browser/launcher.h"
#include "cli/database.h"
#include "cli/output.h"
#include "cli/words.h"
#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

struct Finding {
  std::string about;
  Result<std::string> state;  // what is there, or what is wrong
};

Finding CheckBrowser(const DoctorOptions& options) {
  capture::LaunchOptions launch;
  launch.browser = options.browser;
  auto browser = capture::Browser::Launch(launch);
  if (!browser) return {"browser", std::move(browser).error()};
  return {"browser", (*browser)->version()};
}

Finding CheckDatabase(const CommonOptions& options) {
  const auto runs = [&]() -> Result<size_t> {
    TOPODB_TRY(const auto store, OpenForRead(options));
    TOPODB_TRY(const auto stored, store->reader().Runs());
    return stored.size();
  }();
  if (runs)
    return {"database",
            fmt::format("{} in '{}'", Counted(*runs, "run"), options.database.string())};
  std::error_code ignored;
  if (!std::filesystem::exists(options.database, ignored)) {
    return {"database", fmt::format("'{}' is not there yet", options.database.string())};
  }
  return {"database", runs.error()};
}

Finding CheckPermission(const CommonOptions& options) {
  std::error_code ignored;
  std::filesystem::path place =
      std::filesystem::absolute(options.database, ignored).lexically_normal();
  while (!std::filesystem::exists(place, ignored) && place.has_relative_path()) {
    place = place.parent_path();
  }
  if (access(place.c_str(), W_OK | X_OK) == 0) {
    return {"permission", fmt::format("'{}' can be written", place.string())};
  }
  return {"permission", Error{ErrorCode::kIo, fmt::format("'{}' cannot be written", place.string()),
                              "name a database elsewhere with --db PATH"}};
}

}  // namespace

void AddDoctor(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "doctor", "checks browser, database and permissions", RunDoctor);
  command->add_option("--browser", options->browser, "the browser [$TOPODB_BROWSER, chromium, …]")
      ->type_name("PATH");
}

Result<ExitCode> RunDoctor(const DoctorOptions& options, Console& console) {
  const std::vector<Finding> findings = {CheckBrowser(options), CheckDatabase(console.options()),
                                         CheckPermission(console.options())};
  RecordList list(console, {{"CHECK"}, {"STATE", 200}}, {"check", "ok", "message"});
  ExitCode code = ExitCode::kSuccess;
  for (const Finding& finding : findings) {
    const bool ok = finding.state.has_value();
    const std::string message = ok ? *finding.state : finding.state.error().message;
    if (!ok) code = Worst(code, ExitCodeOf(finding.state.error().code));
    if (list.for_people()) {
      list.AddRow({{finding.about}, {message, ok ? CellStyle::kGood : CellStyle::kDanger}});
      if (!ok) list.AddRow({{""}, {finding.state.error().hint}});
      continue;
    }
    std::string text;
    query::JsonWriter json(text);
    json.BeginObject();
    json.Key("check");
    json.String(finding.about);
    json.Key("ok");
    json.Boolean(ok);
    json.Key("message");
    json.String(message);
    json.EndObject();
    list.AddRecord(text);
  }
  list.Finish();
  return code;
}

}  // namespace topodb::cli
