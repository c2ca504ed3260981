#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "capture/browser/cdp_page.h"
#include "capture/browser/launcher.h"
#include "capture/browser/target_watch.h"
#include "schema/base/result.h"

namespace topodb::capture {

// A browser and the tabs opened in it, each alone in a browser context of its own, by which its
// popups and workers are known. Listens to the browser itself: hands those targets over to their
// tab before they run, and closes what nobody asked for. Thread-safe.
class BrowserTabs {
 public:
  explicit BrowserTabs(std::unique_ptr<Browser> browser) : browser_(std::move(browser)) {}
  ~BrowserTabs();
  BrowserTabs(const BrowserTabs&) = delete;
  BrowserTabs& operator=(const BrowserTabs&) = delete;

  // A new tab, which must be gone before this is. `options.channel` is filled in. kTimeout,
  // kBrowserGone, kInvalidArgument (as CdpPage::Open).
  Result<std::unique_ptr<CdpPage>> OpenTab(PageOptions options);

  Browser& browser() { return *browser_; }

 private:
  struct Owner {
    std::string target_id;         // of the tab
    TargetWatch* watch = nullptr;  // once it stands
  };

  // From here on every new target waits until it is armed or closed.
  Status WatchTargets(Millis timeout);
  void OnEvent(std::string_view method, std::string_view params);

  const std::unique_ptr<Browser> browser_;
  std::mutex starting_;
  bool watching_ = false;  // with starting_ held
  std::mutex mutex_;
  std::map<std::string, Owner> owners_;  // by browser context
};

}  // namespace topodb::capture
