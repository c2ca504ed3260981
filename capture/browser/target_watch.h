#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/client.h"
#include "capture/browser/document_sealer.h"
#include "capture/browser/page_log.h"
#include "capture/browser/page_scripts.h"
#include "capture/cdp/connection.h"
#include "capture/cdp/protocol/network.h"
#include "capture/guard/network_guard.h"
#include "capture/guard/scope.h"

namespace topodb::capture {

// What may leave the browser.
struct GuardSettings {
  GuardRules rules;
  ScopePolicy scope;
};

// What every target of a page starts with.
struct TargetSetup {
  // Of others: documents may open no windows, of which nobody would be told before they run.
  BrowserOwner owner = BrowserOwner::kUs;
  GuardSettings guard;
  Client client;
  PageScripts scripts;
  std::optional<Timestamp> clock_start;  // absent: clocks are real and never stopped
};

// Where topodb's scripts of one frame can be called.
struct FrameWorld {
  std::shared_ptr<cdp::Session> session;
  std::string context_id;        // unique execution context id
  int64_t short_context_id = 0;  // unique in its session only
};

// Listens, on the connection's I/O thread, to one page and to every target that it starts: answers
// dialogs, judges every request before it leaves, arms new targets before they run, and writes down
// what happens in the page's log. Thread-safe; must outlive the connection's event delivery, that
// is: destroy it after the sessions it watches were closed or silenced with Stop().
class TargetWatch {
 public:
  TargetWatch(cdp::Connection& connection, PageLog& log, TargetSetup setup);
  ~TargetWatch();

  // Takes over the page's session: enables the domains that report and guard. Blocks until the
  // guard stands. `frame_id` is the page's main frame (its target id).
  Status WatchPage(std::shared_ptr<cdp::Session> session, const std::string& frame_id,
                   Millis timeout);
  // A service worker of the page's browser context; or a shared one, which pages cannot make, see
  // capture/js/confine.js. I/O thread.
  void AdoptWorker(const std::string& session_id);
  // A window that the page opened and that waits to be let go. It runs, because its opener may
  // stand still until it does, but it loads nothing. I/O thread.
  void AdoptPopup(const std::string& session_id, const std::string& target_id);
  // Closes all windows adopted so far.
  void ClosePopups();
  bool has_popups() const;  // that were not closed
  // No further event is handled when it returns.
  void Stop();

  // The world of a frame; nullopt while it has none.
  std::optional<FrameWorld> WorldOf(const std::string& frame_id) const;
  // The worlds of all frames that live in processes of their own.
  std::vector<FrameWorld> RemoteWorlds() const;
  // The worlds of the main frame's descendants in its own process.
  std::vector<FrameWorld> LocalWorlds() const;
  // Dedicated, shared and service workers that still run.
  std::vector<std::shared_ptr<cdp::Session>> WorkerSessions() const;
  // The frames that live in processes of their own, in the order in which they came.
  std::vector<std::shared_ptr<cdp::Session>> FrameSessions() const;
  // From now on requests are made by a page that is being opened, or by one that has loaded.
  void SetPhase(LoadPhase phase) { phase_ = phase; }
  const std::string& main_frame_id() const { return main_frame_id_; }

 private:
  enum class Role { kPage, kFrame, kWorker, kPopup };
  using SessionPtr = std::shared_ptr<cdp::Session>;

  void Listen(const SessionPtr& session, Role role);
  void Handle(const SessionPtr& session, Role role, std::string_view method,
              std::string_view params);
  void OnRequestPaused(const SessionPtr& session, Role role, std::string_view params);
  // Writes a block or an exception down; whether the request may leave the browser.
  bool MayLeave(const PageLog::Judged& request, const GuardRequest& judged, RequestKind kind);
  // Whether the address is one that the client is known at.
  bool IsOfTheSite(std::string_view url) const;
  // The browser asks again when what it was given did not help.
  void OnAuthRequired(cdp::Session& session, std::string_view params);
  void OnSocket(Role role, std::string_view params);
  void OnTransport(std::string_view params);
  void OnDialog(cdp::Session& session, std::string_view params);
  void OnAttached(std::string_view params);
  bool OnNetwork(Role role, std::string_view method, std::string_view params);
  bool OnStorage(std::string_view method, std::string_view params);
  bool OnContext(const SessionPtr& session, std::string_view method, std::string_view params);
  void OnPage(cdp::Session& session, Role role, std::string_view method, std::string_view params);
  void SetUserAgent(cdp::Session& session) const;
  void ArmChild(const SessionPtr& session, Role role);
  bool IsRemote(const FrameWorld& world) const;  // with mutex_ held

  cdp::Connection& connection_;
  PageLog& log_;
  const TargetSetup setup_;
  const cdp::network::EmulateNetworkConditionsByRule socket_rules_;
  std::optional<DocumentSealer> sealer_;  // in a browser of others
  mutable std::mutex mutex_;
  std::vector<SessionPtr> sessions_;
  std::vector<SessionPtr> frame_sessions_, worker_sessions_;
  std::vector<std::string> popups_;           // target ids of windows still open
  std::map<std::string, FrameWorld> worlds_;  // by frame id
  std::string main_frame_id_;                 // set before any event
  std::atomic<LoadPhase> phase_ = LoadPhase::kLoading;
  uint32_t dialogs_in_a_row_ = 0;        // I/O thread only
  std::set<std::string> authenticated_;  // requests that were given credentials; I/O thread only
};

}  // namespace topodb::capture
