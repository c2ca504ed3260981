#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/cdp/connection.h"
#include "schema/base/result.h"

namespace topodb::capture {

class ChildProcess;
class ProfileDir;

enum class WindowMode : uint8_t { kHeadless, kHeaded };

struct LaunchOptions {
  std::string browser;  // path or name; empty: $TOPODB_BROWSER, then the usual ones
  WindowMode window = WindowMode::kHeadless;
  // Passed on. Feature lists are merged with ours: the browser heeds only the last of each.
  std::vector<std::string> extra_arguments;
  Millis start_timeout{30'000};
  cdp::ConnectionOptions connection;
};

struct AttachOptions {
  std::string endpoint;       // http://host:port or ws://host:port/path
  bool allow_remote = false;  // also a browser on another machine
  Millis timeout{30'000};
  cdp::ConnectionOptions connection;
};

// A browser and the connection to it: one of our own, started with a private profile and gone
// without a trace when this object is, when it crashes, or when we die; or one that somebody else
// runs, of which only the connection ends. Thread-safe.
class Browser {
 public:
  // Also removes the profiles that killed predecessors left. kBrowserMissing: none found, or it
  // could not be started; the message ends with its last words. kInvalidArgument: an extra
  // argument takes over what the launcher decides. kIo: no room for a profile.
  static Result<std::unique_ptr<Browser>> Launch(LaunchOptions options);
  // kInvalidArgument: no such form of address, or one of another machine without `allow_remote`:
  // who reaches a DevTools port owns the browser. kBrowserMissing: nothing answers there.
  static Result<std::unique_ptr<Browser>> Attach(const AttachOptions& options);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Fails all calls with kBrowserGone once the browser is gone.
  cdp::Connection& connection() { return *connection_; }
  const std::string& version() const { return version_; }  // "Chrome/156.0.8078.114"
  const std::string& websocket_url() const { return websocket_url_; }
  bool attached() const { return process_ == nullptr; }
  // The browser process, leader of the group that holds all of them; not of an attached browser.
  pid_t pid() const;
  // What the user should know, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Ends the connection and, unless attached, every process, and removes the profile. Idempotent.
  void Stop();

 private:
  Browser() = default;
  Status Start(const std::string& program, std::vector<std::string> arguments,
               const LaunchOptions& options);
  // To websocket_url_, and asks for the version.
  Status Connect(const cdp::ConnectionOptions& options,
                 std::chrono::steady_clock::time_point deadline);

  std::vector<std::string> warnings_;
  std::string websocket_url_;
  std::string version_;
  std::unique_ptr<ProfileDir> profile_;
  std::unique_ptr<ChildProcess> process_;
  std::unique_ptr<cdp::Connection> connection_;
};

// What decides about the command line beside the options.
struct LaunchSurroundings {
  std::string profile;
  bool is_root = false;
  bool small_shared_memory = false;  // /dev/shm cannot hold what renderers put there
};

// The command line, without the program. Pure. kInvalidArgument as for Launch().
Result<std::vector<std::string>> LaunchArguments(const LaunchOptions& options,
                                                 const LaunchSurroundings& surroundings);

}  // namespace topodb::capture
