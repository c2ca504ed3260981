#include "cli/drive_options.h"

#include <optional>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include "capture/completion/region_profile.h"
#include "capture/guard/network_guard.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "cli/option_types.h"
#include "cli/read_file.h"
#include "cli/secret_value.h"

namespace topodb::cli {
namespace {

// Page loads a second of another machine's, where the user says nothing.
constexpr uint32_t kPoliteRate = 5;

bool IsThisMachine(std::string_view url) {
  const std::string origin = capture::Origin(url);
  if (origin == "file:") return true;
  const size_t host = origin.find("://");
  if (host == std::string::npos) return false;
  const std::string_view name = std::string_view(origin).substr(host + 3);
  for (const std::string_view local : {"localhost", "127.0.0.1", "[::1]"}) {
    if (name == local || name.starts_with(std::string(local) + ":")) return true;
  }
  return false;
}

constexpr std::string_view kInPlainSight =
    "others on this machine can read {} in the list of processes: better give @FILE or $VARIABLE";

// "Name: value", "Name: $VARIABLE", or a file of the one or the other.
Result<capture::HttpHeader> ReadHeader(const std::string& given, Console& console) {
  TOPODB_TRY(const SecretValue line, ReadSecretValue(given));
  TOPODB_TRY(capture::HttpHeader header, capture::ParseHttpHeader(line.text));
  TOPODB_TRY(SecretValue value, ReadSecretValue(header.second));
  if (line.source == SecretSource::kLiteral && value.source == SecretSource::kLiteral &&
      (capture::IsSecretKey(header.first) || boost::iequals(header.first, "Authorization") ||
       boost::iequals(header.first, "Cookie"))) {
    console.Warn(fmt::format(kInPlainSight, fmt::format("the header '{}'", header.first)));
  }
  return capture::ParseHttpHeader(header.first + ":" + value.text);
}

Status ReadClient(const DriveFlags& flags, Console& console, capture::Client& client) {
  for (const std::string& given : flags.headers) {
    TOPODB_TRY(auto header, ReadHeader(given, console));
    client.headers.push_back(std::move(header));
  }
  if (flags.credentials.empty()) return {};
  TOPODB_TRY(const SecretValue value, ReadSecretValue(flags.credentials));
  TOPODB_TRY(client.credentials, capture::ParseHttpCredentials(value.text));
  if (value.source == SecretSource::kLiteral) {
    console.Warn(fmt::format(kInPlainSight, "the password"));
  }
  return {};
}

}  // namespace

void AddGuardFlags(CLI::App& command, DriveFlags& flags) {
  capture::DriveOptions& drive = flags.drive;
  command
      .add_option("--guard", flags.guard,
                  "what the network guard stops: mutations, all-network or off [mutations]")
      ->type_name("MODE");
  command
      .add_option("--guard-allow", drive.guard_allow,
                  "let requests through in spite of the guard, as 'METHOD PATTERN'")
      ->allow_extra_args(false)
      ->type_name("RULE");
  command.add_flag("--yes", flags.yes, "really run without a guard on another machine");
  command.add_option("--allow-origin", drive.allow_origins, "an origin that may be opened too")
      ->allow_extra_args(false)
      ->type_name("ORIGIN");
}

void AddBrowserFlags(CLI::App& command, DriveFlags& flags) {
  capture::DriveOptions& drive = flags.drive;
  command
      .add_option("--storage-state", flags.storage_state,
                  "cookies and local storage to start with, as Playwright writes them")
      ->type_name("FILE");
  CLI::Option* const browser =
      command
          .add_option("--browser", drive.browser_path, "the browser [$TOPODB_BROWSER, chromium, …]")
          ->type_name("PATH");
  CLI::Option* const arguments =
      command.add_option("--browser-arg", drive.browser_args, "one more argument for the browser")
          ->allow_extra_args(false)
          ->type_name("ARG");
  CLI::Option* const headed =
      command.add_flag("--headed", drive.headed, "show the browser's window");
  command
      .add_option("--connect", drive.connect,
                  "use this running browser: http://host:port or ws://host:port/path")
      ->type_name("URL")
      ->excludes(browser, arguments, headed);
  command.add_flag("--connect-remote", drive.connect_remote,
                   "with --connect: also a browser on another machine");
  command.add_option("--user-agent", drive.client.user_agent, "what the browser says it is")
      ->type_name("TEXT");
  command
      .add_option("--header", flags.headers,
                  "sent to the site with every request: 'Name: value', 'Name: $VARIABLE' or @FILE")
      ->allow_extra_args(false)
      ->type_name("HEADER");
  command
      .add_option("--http-credentials", flags.credentials,
                  "for HTTP authentication: user:password, $VARIABLE or @FILE")
      ->type_name("SECRET");
  AddViewport(command, "--viewport", drive.viewport, "size of the page [1440x1000]");
  command.add_option("--locale", drive.locale, "language of the browser [en-US]")
      ->type_name("LOCALE");
  command.add_option("--timezone", drive.timezone_id, "time zone of the pages [the machine's]")
      ->type_name("ZONE");
}

void AddDriveFlags(CLI::App& command, DriveFlags& flags) {
  capture::DriveOptions& drive = flags.drive;
  AddCategories(command, "--allow", flags.allowed, "also perform actions of this risk category");
  command
      .add_option("--policy", flags.policy,
                  "JSON file that adds to the risk policy's words, or replaces them")
      ->type_name("FILE");
  AddGuardFlags(command, flags);
  command
      .add_option("--include", drive.include, "open only pages like this: '/shop/*', or an address")
      ->allow_extra_args(false)
      ->type_name("PATTERN");
  command.add_option("--exclude", drive.exclude, "open no page like this")
      ->allow_extra_args(false)
      ->type_name("PATTERN");
  command
      .add_option("--rate", flags.rate,
                  "page loads a second, 0 without limit [5, on this machine without limit]")
      ->type_name("N");
  AddDuration(command, "--timeout", drive.timeout, "for a page or a command [30s]");
  AddChoice(command, "--clock", drive.clock,
            {{"virtual", capture::ClockMode::kVirtual},
             {"real", capture::ClockMode::kReal},
             {"auto", capture::ClockMode::kAuto}},
            "the pages' time: virtual, real or auto [auto]")
      ->type_name("MODE");
  AddTime(command, "--date", drive.date, "the pages' date [now]");
  command
      .add_option("--await-profile", flags.await_profile,
                  "wait until what an action fills is finished: a profile or its file")
      ->type_name("PROFILE");
  AddBrowserFlags(command, flags);
}

Result<capture::DriveOptions> ResolveDriveFlags(const DriveFlags& flags, std::string_view url,
                                                Console& console) {
  const std::optional<capture::GuardMode> mode = capture::ParseGuardMode(flags.guard);
  if (!mode) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is no guard mode", flags.guard),
                 "the modes are mutations, all-network and off"};
  }
  if (*mode == capture::GuardMode::kOff && !flags.yes && !IsThisMachine(url)) {
    return Error{ErrorCode::kInvalidArgument,
                 "without a guard the run may change data on another machine",
                 "add --yes if that is what you want"};
  }
  capture::DriveOptions drive = flags.drive;
  if (!flags.await_profile.empty()) {
    if (drive.clock == capture::ClockMode::kVirtual) {
      return Error{ErrorCode::kInvalidArgument, "nothing can be waited for in virtual time",
                   "leave out --await-profile, or give --clock real"};
    }
    TOPODB_TRY(drive.await_profile, capture::LoadRegionProfile(flags.await_profile));
    drive.clock = capture::ClockMode::kReal;
  }
  if (drive.clock == capture::ClockMode::kReal && drive.date) {
    return Error{ErrorCode::kInvalidArgument, "a real clock has no other date than today's",
                 "leave out --date, or give --clock virtual"};
  }
  drive.guard = *mode;
  drive.rate = flags.rate.value_or(IsThisMachine(url) ? 0 : kPoliteRate);
  TOPODB_TRY_VOID(ReadClient(flags, console, drive.client));
  if (!flags.storage_state.empty()) {
    TOPODB_TRY(const std::string text, ReadFile(flags.storage_state));
    TOPODB_TRY(drive.storage_state, capture::ParseStorageState(text));
  }
  return drive;
}

Result<std::string> ResolveBase(const std::string& given) {
  return given.empty() ? given : capture::ResolveInput(given);
}

Result<capture::RiskPolicy> ResolvePolicy(const DriveFlags& flags) {
  if (flags.policy.empty()) return capture::RiskPolicy::BuiltIn();
  TOPODB_TRY(const std::string text, ReadFile(flags.policy));
  return capture::RiskPolicy::FromJson(text);
}

}  // namespace topodb::cli
