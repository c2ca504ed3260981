#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/client.h"
#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "capture/browser/page_frames.h"
#include "capture/browser/page_log.h"
#include "capture/browser/storage_state.h"
#include "capture/browser/target_watch.h"
#include "capture/cdp/connection.h"
#include "capture/settle/page_clock.h"
#include "capture/snapshot/snapshotter.h"

namespace topodb::capture {

struct PageOptions {
  Viewport viewport;
  std::string locale = "en-US";
  std::optional<std::string> timezone_id;
  ClockKind clock = ClockKind::kVirtual;
  Timestamp clock_start;           // the page's first moment, by a virtual clock
  Millis script_patience{30'000};  // see VirtualClock
  Millis timeout{30'000};          // of one command, and of opening a page
  GuardSettings guard;
  Client client;
  UrlEntry entry;
  std::string channel;  // see MakePageScripts
  BrowserOwner owner = BrowserOwner::kUs;
  StorageState storage;  // that every clean page starts with
};

// The PageDriver of one tab of a real browser.
class CdpPage final : public PageDriver, private FrameSource {
 public:
  // Takes over a fresh tab: `session` is attached to it, `target_id` is its main frame, and it is
  // alone in the browser context `context_id`. `connection` must outlive the page.
  static Result<std::unique_ptr<CdpPage>> Open(cdp::Connection& connection,
                                               std::shared_ptr<cdp::Session> session,
                                               const std::string& target_id,
                                               const std::string& context_id, PageOptions options);
  ~CdpPage() override;

  Status Reset() override;
  Result<LoadReport> Navigate(const std::string& url) override;
  Result<PageSnapshot> Snapshot() override;
  Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action) override;

  // Why its clock cannot settle what the last Navigate or Perform led to; empty: it can.
  const std::string& Doubt() const { return doubt_; }
  // So much of the next timeout has passed elsewhere already.
  void Spend(Millis spent) { spent_ = spent; }
  TargetWatch& watch() { return watch_; }
  PageLog& log() { return log_; }

 private:
  CdpPage(cdp::Connection& connection, std::shared_ptr<cdp::Session> session, std::string target_id,
          std::string context_id, PageOptions options);

  Status SetUp();
  Result<FrameDrawn> DrawFrame(Millis limit, Millis horizon) override;
  std::vector<std::shared_ptr<cdp::Session>> FrameClocks() override;
  bool AwaitWorkers(Millis limit) override;
  // An error names the page `url`.
  Result<SettleReport> Settle(SettleKind kind, std::string_view url);
  // A timeout as people should hear of it.
  Error Named(const Error& error, std::string_view url) const;
  Result<PageSnapshot> LookThroughRoots();
  // Asks every frame what is there.
  Result<PageSnapshot> Look();
  Result<PageSnapshot> Assemble(const std::vector<FrameAnswer>& answers) const;
  // Finds out where frames stand whose parents could not tell by number; true when it did.
  Result<bool> PlaceFrames(const PageSnapshot& seen, std::vector<FrameAnswer>& answers);
  // Opens the closed shadow roots that were met; true when there is more to see.
  Result<bool> OpenRoots(const PageSnapshot& seen);
  Status Lost() const;
  bool StandsStill() const;
  // Cleans the tab around the document, which may stand until the next one takes its place; false
  // when it could still do something at its end.
  Result<bool> LeaveStanding();
  Status OpenEmptyPage();
  // Of cookies and storage of everything that was opened.
  struct Clearing {
    cdp::Pending<cdp::storage::ClearCookies> cookies;
    std::vector<cdp::Pending<cdp::storage::ClearDataForOrigin>> origins;
  };
  Clearing StartClearing();
  Status Finish(Clearing clearing);
  Status BringCookies();

  cdp::Connection& connection_;
  const std::shared_ptr<cdp::Session> session_;
  const std::string target_id_;
  const std::string context_id_;
  const PageOptions options_;
  const std::string restore_script_;  // of options_.storage
  PageLog log_;
  TargetWatch watch_;
  const std::unique_ptr<PageClock> clock_;
  Millis spent_{0};
  std::string doubt_;
  std::string unanswered_;  // see ActionReport
  uint64_t generation_ = 0;
  std::string url_;                // of the last Navigate
  bool fresh_ = true;              // nothing was opened yet
  bool stays_ = false;             // the document is done with, but stands
  std::vector<PageFrame> frames_;  // of the last snapshot; NodeRef::frame is an index into it
  std::set<std::string> origins_;  // opened so far: where storage may have been touched
};

}  // namespace topodb::capture
