#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/client.h"
#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "capture/browser/storage_state.h"
#include "capture/cdp/connection.h"
#include "capture/completion/region_page.h"
#include "capture/guard/network_guard.h"
#include "capture/guard/url.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::capture {

// What time pages live by (docs/adr/0008-clock.md).
enum class ClockMode : uint8_t {
  kVirtual,
  kReal,
  kAuto,  // virtual, and real where that cannot settle a page
};
std::string_view ToString(ClockMode mode);  // virtual | real | auto

// How pages are driven: what capture and replay share.
struct DriveOptions {
  std::string browser_path;  // empty: $TOPODB_BROWSER, then the usual names
  std::vector<std::string> browser_args;
  bool headed = false;
  std::string connect;          // a running browser to use instead, see AttachOptions; empty: none
  bool connect_remote = false;  // also on another machine
  Viewport viewport;
  std::string locale = "en-US";
  std::optional<std::string> timezone_id;
  ClockMode clock = ClockMode::kAuto;
  std::optional<Timestamp> date;  // the first moment by virtual clocks; absent: now, to the minute
  Millis timeout{30'000};         // of a page or a command
  Client client;
  GuardMode guard = GuardMode::kMutations;
  std::vector<std::string> guard_allow;       // as the user wrote them
  std::vector<std::string> allow_origins;     // as the user wrote them
  std::vector<std::string> include, exclude;  // pages, see PagePattern; as the user wrote them
  uint32_t rate = 0;  // page loads a second, of all tabs together; 0: no limit
  std::optional<StorageState> storage_state;  // to be logged in with
  // Actions are over only when the region that they fill is finished; needs the real clock.
  std::optional<RegionProfile> await_profile;
  cdp::ProtocolLog protocol_log;  // empty: none
};

// A browser of our own with guarded pages in it; all end with it. A browser that ends by itself is
// started again when the next clean page is wanted. In a browser that is only
// connected to, the page has a browser context of its own, with a copy of the cookies: other tabs
// are not looked at, and everything that was set goes with the context, whatever ends this process.
// A page is used by one thread at a time, several pages by as many threads. Pages on another clock
// have a tab of their own.
class Drive {
 public:
  // `clock` must outlive the drive. `entry.url`: where the run starts, unredacted: what "the same
  // origin" and "@entry" mean. kInvalidArgument (a rule in the options), kBrowserMissing,
  // kBrowserGone, kTimeout.
  static Result<std::unique_ptr<Drive>> Open(const DriveOptions& options, const UrlEntry& entry,
                                             const Clock& clock);
  ~Drive();

  PageDriver& page();
  // The region of that page, which is on the real clock. Of the page's own thread.
  RegionPage& region();
  // One more page like it, for another thread; lives as long as this. Any thread.
  Result<PageDriver*> OpenAnother();
  // Whether the run may open this address in the tab.
  bool InScope(const std::string& url) const;

  const RuntimeContext& runtime_context() const { return runtime_context_; }
  // Of the browser's start.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // What the user should know of the run so far: which pages were left to the real clock, and why;
  // that the browser was started again. While no page is used.
  std::vector<std::string> Notes() const;
  // Commands sent since the tab stood ready.
  uint64_t commands_sent() const;

 private:
  friend class DrivenPage;
  struct Parts;
  Drive();

  std::unique_ptr<Parts> parts_;
  RuntimeContext runtime_context_;
  std::vector<std::string> warnings_;
};

}  // namespace topodb::capture
