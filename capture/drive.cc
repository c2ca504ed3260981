#include "capture/drive.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/auto_clock_page.h"
#include "capture/browser/browser_tabs.h"
#include "capture/browser/cdp_page.h"
#include "capture/browser/launcher.h"
#include "capture/browser/pace.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/completion/cdp_region.h"
#include "capture/completion/completing_page.h"
#include "capture/guard/scope.h"

namespace topodb::capture {
namespace {

constexpr int64_t kMinute = 60'000;
// A script that runs on for longer, where there is a real clock too, may wait for time to pass.
constexpr Millis kScriptPatience{500};
// A site that ends the browser again and again is left alone.
constexpr size_t kMaxRestarts = 5;

// The page's first moment: today's, so that logins and tokens hold, but the same for a minute.
Timestamp ClockStart(const DriveOptions& options, const Clock& clock) {
  if (options.date) return *options.date;
  return Timestamp{clock.Now().millis / kMinute * kMinute};
}

Result<GuardSettings> MakeGuard(const DriveOptions& options, const UrlEntry& entry) {
  GuardSettings guard;
  guard.rules.mode = options.guard;
  guard.scope.entry_url = entry.url;
  for (const std::string& text : options.guard_allow) {
    TOPODB_TRY(auto rule, ParseGuardAllow(text, entry.url));
    guard.rules.allow.push_back(std::move(rule));
  }
  for (const std::string& text : options.allow_origins) {
    TOPODB_TRY(auto origin, ParseAllowOrigin(text));
    guard.scope.allow_origins.push_back(std::move(origin));
  }
  for (const std::string& text : options.include) {
    TOPODB_TRY(guard.scope.include.emplace_back(), ParsePagePattern(text));
  }
  for (const std::string& text : options.exclude) {
    TOPODB_TRY(guard.scope.exclude.emplace_back(), ParsePagePattern(text));
  }
  return guard;
}

}  // namespace

std::string_view ToString(ClockMode mode) {
  switch (mode) {
    case ClockMode::kVirtual:
      return "virtual";
    case ClockMode::kReal:
      return "real";
    case ClockMode::kAuto:
      return "auto";
  }
  return "";
}

class DrivenPage;

// The browsers of a run, of which only the last one runs, and its pages.
struct Drive::Parts {
  DriveOptions options;
  const Clock* clock = nullptr;
  PageOptions page_options;  // of every tab but for the clock
  std::unique_ptr<Pace> pace;
  std::mutex mutex;
  std::vector<std::unique_ptr<BrowserTabs>> browsers;  // each until its pages are gone
  std::vector<std::unique_ptr<DrivenPage>> pages;      // the run's first one first
  std::set<std::string> notes;
  uint64_t sent_at_start = 0;

  // Launches or attaches, as the options say. With `mutex` held.
  Status StartBrowser();
  // The browser that runs, which is another one than `gone`. Starts one if need be.
  Result<BrowserTabs*> BrowserAfter(const BrowserTabs* gone);
  Result<PageDriver*> OpenPage();
};

// What the run drives as one page: a tab, beside it another one on the real clock once a page
// needed that, and the same in another browser when the one they are in is gone.
class DrivenPage final : public PageDriver {
 public:
  explicit DrivenPage(Drive::Parts& parts) : parts_(parts) {}

  Status Open() {
    TOPODB_TRY(browser_, parts_.BrowserAfter(browser_));
    completing_.reset(), region_.reset();
    auto_page_.reset(), on_real_clock_.reset(), tab_.reset();
    const ClockMode mode = parts_.options.clock;
    TOPODB_TRY(tab_, OpenTab(mode == ClockMode::kReal ? ClockKind::kReal : ClockKind::kVirtual));
    current_ = tab_.get();
    if (mode == ClockMode::kReal) WatchRegion();
    if (mode != ClockMode::kAuto) return {};
    auto_page_ = std::make_unique<AutoClockPage>(
        AutoClockPage::Tabs{.on_virtual_clock = *tab_,
                            .doubt = [this] { return tab_->Doubt(); },
                            .on_real_clock = [this](Millis spent) -> Result<PageDriver*> {
                              if (!on_real_clock_) {
                                TOPODB_TRY(on_real_clock_, OpenTab(ClockKind::kReal));
                              }
                              on_real_clock_->Spend(spent);
                              return on_real_clock_.get();
                            }});
    current_ = auto_page_.get();
    return {};
  }

  Status Reset() override {
    auto reset = current_->Reset();
    if (reset || reset.error().code != ErrorCode::kBrowserGone) return reset;
    TakeNotes();
    TOPODB_TRY_VOID(Open());
    return current_->Reset();
  }
  Result<LoadReport> Navigate(const std::string& url) override {
    AwaitTurn();
    return current_->Navigate(url);
  }
  Result<PageSnapshot> Snapshot() override { return current_->Snapshot(); }
  Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action) override {
    AwaitTurn();  // it may open a page, too
    return current_->Perform(node, action);
  }

  // Only on the real clock.
  RegionPage& region() { return *region_; }

  void TakeNotes() const {
    if (!auto_page_) return;
    const std::lock_guard lock(parts_.mutex);
    for (std::string& note : auto_page_->Notes()) parts_.notes.insert(std::move(note));
  }

 private:
  void AwaitTurn() {
    std::this_thread::sleep_until(parts_.pace->Next(std::chrono::steady_clock::now()));
  }

  void WatchRegion() {
    region_ = std::make_unique<CdpRegion>(tab_->watch(), tab_->log());
    if (!parts_.options.await_profile) return;
    completing_ = std::make_unique<CompletingPage>(*tab_, *region_, *parts_.options.await_profile,
                                                   *parts_.clock);
    current_ = completing_.get();
  }

  Result<std::unique_ptr<CdpPage>> OpenTab(ClockKind clock) {
    PageOptions options = parts_.page_options;
    options.clock = clock;
    return browser_->OpenTab(std::move(options));
  }

  Drive::Parts& parts_;
  BrowserTabs* browser_ = nullptr;
  std::unique_ptr<CdpPage> tab_, on_real_clock_;
  std::unique_ptr<AutoClockPage> auto_page_;    // over both; absent unless the mode is auto
  std::unique_ptr<CdpRegion> region_;           // of the tab; on the real clock
  std::unique_ptr<CompletingPage> completing_;  // over the tab; when actions are waited for
  PageDriver* current_ = nullptr;
};

Status Drive::Parts::StartBrowser() {
  const cdp::ConnectionOptions connection{.log = options.protocol_log};
  if (options.connect.empty()) {
    TOPODB_TRY(auto browser, Browser::Launch({.browser = options.browser_path,
                                              .window = options.headed ? WindowMode::kHeaded
                                                                       : WindowMode::kHeadless,
                                              .extra_arguments = options.browser_args,
                                              .connection = connection}));
    browsers.push_back(std::make_unique<BrowserTabs>(std::move(browser)));
    return {};
  }
  TOPODB_TRY(auto browser, Browser::Attach({.endpoint = options.connect,
                                            .allow_remote = options.connect_remote,
                                            .timeout = options.timeout,
                                            .connection = connection}));
  TOPODB_TRY(auto jar,
             browser->connection().root().Call(cdp::storage::GetCookies{}, options.timeout));
  page_options.owner = BrowserOwner::kOthers;
  auto& cookies = page_options.storage.cookies;
  cookies.insert(cookies.begin(), std::make_move_iterator(jar.cookies.begin()),
                 std::make_move_iterator(jar.cookies.end()));
  browsers.push_back(std::make_unique<BrowserTabs>(std::move(browser)));
  return {};
}

Result<BrowserTabs*> Drive::Parts::BrowserAfter(const BrowserTabs* gone) {
  const std::lock_guard lock(mutex);
  if (browsers.back().get() != gone) return browsers.back().get();
  if (!options.connect.empty()) {
    return Error{ErrorCode::kBrowserGone, "the browser that was connected to is gone", ""};
  }
  if (browsers.size() > kMaxRestarts) {
    return Error{ErrorCode::kBrowserGone,
                 fmt::format("the browser ended {} times", browsers.size()), ""};
  }
  TOPODB_TRY_VOID(StartBrowser());
  notes.insert("the browser ended by itself and was started again");
  return browsers.back().get();
}

Result<PageDriver*> Drive::Parts::OpenPage() {
  auto page = std::make_unique<DrivenPage>(*this);
  TOPODB_TRY_VOID(page->Open());
  const std::lock_guard lock(mutex);
  return pages.emplace_back(std::move(page)).get();
}

Drive::Drive() : parts_(std::make_unique<Parts>()) {}
Drive::~Drive() = default;

Result<std::unique_ptr<Drive>> Drive::Open(const DriveOptions& options, const UrlEntry& entry,
                                           const Clock& clock) {
  std::unique_ptr<Drive> drive(new Drive());
  Parts& parts = *drive->parts_;
  if (options.await_profile && options.clock != ClockMode::kReal) {
    return Error{ErrorCode::kInvalidArgument, "only on the real clock can a page be waited for",
                 "give --clock real"};
  }
  parts.clock = &clock;
  TOPODB_TRY(auto guard, MakeGuard(options, entry));
  parts.page_options = {.viewport = options.viewport,
                        .locale = options.locale,
                        .timezone_id = options.timezone_id,
                        .clock_start = ClockStart(options, clock),
                        .timeout = options.timeout,
                        .guard = std::move(guard),
                        .client = options.client,
                        .entry = entry,
                        .storage = options.storage_state.value_or(StorageState())};
  parts.page_options.script_patience = options.clock == ClockMode::kAuto
                                           ? std::min(kScriptPatience, options.timeout / 4)
                                           : options.timeout;
  parts.options = options;
  parts.pace = std::make_unique<Pace>(options.rate);
  TOPODB_TRY_VOID(parts.StartBrowser());
  Browser& browser = parts.browsers.front()->browser();
  drive->warnings_ = browser.warnings();
  TOPODB_TRY_VOID(parts.OpenPage());
  const std::string& version = browser.version();
  drive->runtime_context_ = {.browser_name = "chromium",
                             .browser_version = version.substr(version.find('/') + 1),
                             .viewport = options.viewport,
                             .locale = options.locale,
                             .timezone_id = options.timezone_id,
                             .auth_context = options.storage_state ? AuthContext::kStorageState
                                             : browser.attached()  ? AuthContext::kAttached
                                                                   : AuthContext::kAnonymous};
  parts.sent_at_start = browser.connection().commands_sent();
  return drive;
}

PageDriver& Drive::page() { return *parts_->pages.front(); }

RegionPage& Drive::region() { return parts_->pages.front()->region(); }

Result<PageDriver*> Drive::OpenAnother() { return parts_->OpenPage(); }

std::vector<std::string> Drive::Notes() const {
  for (const auto& page : parts_->pages) page->TakeNotes();
  return {parts_->notes.begin(), parts_->notes.end()};
}

bool Drive::InScope(const std::string& url) const {
  return Judge(parts_->page_options.guard.scope, url, RequestKind::kTopNavigation).allowed;
}

uint64_t Drive::commands_sent() const {
  uint64_t sent = 0;
  for (const auto& one : parts_->browsers) sent += one->browser().connection().commands_sent();
  return sent - parts_->sent_at_start;
}

}  // namespace topodb::capture
