#include "capture/browser/launcher.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/child_process.h"
#include "capture/browser/fd.h"
#include "capture/browser/find_browser.h"
#include "capture/browser/profile_dir.h"
#include "capture/cdp/protocol/browser.h"
#include "capture/cdp/websocket_transport.h"

namespace topodb::capture {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr const char* kPortFile = "DevToolsActivePort";
constexpr Millis kLastWordsGrace{500};

Error StartFailure(std::string_view what, const ChildProcess& process) {
  auto words = process.LastErrorOutput();
  while (!words.empty() && words.back() == '\n') words.pop_back();
  constexpr size_t kShown = 600;
  if (words.size() > kShown) words.erase(0, words.find('\n', words.size() - kShown) + 1);
  const bool sandbox = words.find("sandbox") != std::string::npos;
  return Error{ErrorCode::kBrowserMissing,
               words.empty() ? std::string(what) : fmt::format("{}; it said:\n{}", what, words),
               sandbox ? "where the sandbox cannot work, add --browser-arg=--no-sandbox" : ""};
}

fs::path TemporaryFolder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

bool HasSmallSharedMemory() {
  constexpr uint64_t kEnough = uint64_t{256} << 20U;
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0) return true;
  return uint64_t{status.f_bavail} * status.f_frsize < kEnough;
}

// Port and path of the endpoint, once the browser has written both.
std::optional<std::string> ReadEndpoint(const fs::path& profile) {
  std::ifstream file(profile / kPortFile);
  std::string port, path;
  if (!std::getline(file, port) || !std::getline(file, path)) return std::nullopt;
  return fmt::format("ws://127.0.0.1:{}{}", port, path);
}

// Waits until the browser has written its endpoint to the profile, on which `watch` is armed.
Result<std::string> AwaitEndpoint(const Fd& watch, const fs::path& profile,
                                  const ChildProcess& process, SteadyClock::time_point deadline) {
  while (true) {
    if (auto endpoint = ReadEndpoint(profile)) return *std::move(endpoint);
    const auto left = std::chrono::ceil<Millis>(deadline - SteadyClock::now());
    if (left.count() <= 0) return StartFailure("the browser did not start in time", process);
    std::array<pollfd, 2> watched{{{watch.get(), POLLIN, 0}, {process.exit_fd(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) {
      return Error{ErrorCode::kIo, "cannot wait for the browser", {}};
    }
    if (watched[1].revents != 0) {
      process.WaitForExit(kLastWordsGrace);
      return StartFailure("the browser ended while starting", process);
    }
    std::array<char, 4096> events{};
    if (watched[0].revents != 0) {
      static_cast<void>(::read(watch.get(), events.data(), events.size()) > 0);
    }
  }
}

// One of the flags whose value is a list and of which the browser heeds only the last.
struct ListFlag {
  std::string prefix;
  std::string values;
};

constexpr std::array kOwnFlags = {"--remote-debugging-port", "--remote-debugging-pipe",
                                  "--remote-debugging-address", "--user-data-dir"};

// What each is for is said where it is not plain from the name.
constexpr std::array kPlainArguments = {
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    // Nothing but the pages makes requests.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-breakpad",
    "--metrics-recording-only",
    // Nor touches the user's desktop.
    "--password-store=basic",
    "--mute-audio",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-search-engine-choice-screen",
    // Pages in the background run as in the foreground.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    // The same layout wherever it runs: no scroll bar takes room from pages that overflow.
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--disable-smooth-scrolling",
    "--disable-gpu",
    "--disable-quic",
};

// BackForwardCache keeps old documents, with their clocks, alive; Prerender2 runs pages nobody
// opened; PaintHolding delays the first frame of a page; HttpsUpgrades asks another server than
// the link names.
constexpr std::string_view kDisabledFeatures =
    "BackForwardCache,Translate,Prerender2,PaintHolding,HttpsUpgrades,MediaRouter,"
    "DialMediaRouteProvider,OptimizationHints,AutofillServerCommunication,"
    "CertificateTransparencyComponentUpdater,GlobalMediaControls,DestroyProfileOnBrowserClose";

}  // namespace

Result<std::vector<std::string>> LaunchArguments(const LaunchOptions& options,
                                                 const LaunchSurroundings& surroundings) {
  std::vector<std::string> arguments(kPlainArguments.begin(), kPlainArguments.end());
  arguments.push_back("--user-data-dir=" + surroundings.profile);
  if (options.window == WindowMode::kHeadless) arguments.emplace_back("--headless=new");
  if (surroundings.is_root) arguments.emplace_back("--no-sandbox");
  if (surroundings.small_shared_memory) arguments.emplace_back("--disable-dev-shm-usage");

  std::array<ListFlag, 4> lists{{{"--disable-features=", std::string(kDisabledFeatures)},
                                 {"--enable-features=", ""},
                                 {"--disable-blink-features=", ""},
                                 {"--enable-blink-features=", "ComputedAccessibilityInfo"}}};
  for (const auto& argument : options.extra_arguments) {
    for (const std::string own : kOwnFlags) {
      if (argument.substr(0, argument.find('=')) == own) {
        return Error{ErrorCode::kInvalidArgument,
                     fmt::format("browser argument '{}' is chosen by topodb itself", own),
                     {}};
      }
    }
    bool merged = false;
    for (auto& list : lists) {
      if (argument.rfind(list.prefix, 0) != 0) continue;
      if (!list.values.empty()) list.values += ',';
      list.values += argument.substr(list.prefix.size());
      merged = true;
    }
    if (!merged) arguments.push_back(argument);
  }
  for (const auto& list : lists) {
    if (!list.values.empty()) arguments.push_back(list.prefix + list.values);
  }
  // Tabs are made when they are needed: a first one would cost a second renderer.
  arguments.emplace_back("--no-startup-window");
  return arguments;
}

Result<std::unique_ptr<Browser>> Browser::Launch(LaunchOptions options) {
  TOPODB_TRY(const auto program, FindBrowser(options.browser, BrowserSearch::FromEnvironment()));
  auto browser = std::unique_ptr<Browser>(new Browser);
  TOPODB_TRY(browser->profile_, ProfileDir::Create(TemporaryFolder()));
  const LaunchSurroundings surroundings{.profile = browser->profile_->path().string(),
                                        .is_root = ::geteuid() == 0,
                                        .small_shared_memory = HasSmallSharedMemory()};
  TOPODB_TRY(auto arguments, LaunchArguments(options, surroundings));
  if (surroundings.is_root) {
    browser->warnings_.emplace_back(
        "running as root: the browser's sandbox is off; better run as another user");
  }
  TOPODB_TRY_VOID(browser->Start(program, std::move(arguments), options));
  return browser;
}

Status Browser::Start(const std::string& program, std::vector<std::string> arguments,
                      const LaunchOptions& options) {
  const auto deadline = SteadyClock::now() + options.start_timeout;
  const fs::path& profile = profile_->path();
  const Fd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.valid() ||
      ::inotify_add_watch(watch.get(), profile.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
    return Error{ErrorCode::kIo, "cannot watch the browser's profile", {}};
  }
  // Its temporary files go where they are removed with the profile.
  ChildSpec spec{.program = program,
                 .arguments = std::move(arguments),
                 .environment = {{"TMPDIR", profile.string()}}};
  auto process = ChildProcess::Spawn(std::move(spec));
  if (!process) {
    return Error{ErrorCode::kBrowserMissing, process.error().message, process.error().hint};
  }
  process_ = *std::move(process);
  ProfileDir::SweepStale(profile.parent_path());  // while the browser is busy starting

  TOPODB_TRY(websocket_url_, AwaitEndpoint(watch, profile, *process_, deadline));
  const Status connected = Connect(options.connection, deadline);
  if (!connected) return StartFailure(connected.error().message, *process_);
  return {};
}

Status Browser::Connect(const cdp::ConnectionOptions& options, SteadyClock::time_point deadline) {
  const auto left = [&] { return std::chrono::ceil<Millis>(deadline - SteadyClock::now()); };
  TOPODB_TRY(auto transport, cdp::WebSocketTransport::Connect(websocket_url_, left()));
  connection_ = std::make_unique<cdp::Connection>(std::move(transport), options);
  TOPODB_TRY(auto version, connection_->root().Call(cdp::browser::GetVersion{}, left()));
  version_ = std::move(version.product);
  return {};
}

Browser::~Browser() { Stop(); }

pid_t Browser::pid() const { return process_->pid(); }

void Browser::Stop() {
  if (connection_) connection_->Close();
  if (process_) process_->Kill();
  profile_.reset();
}

}  // namespace topodb::capture
