#include "capture/drive.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/auto_clock_page.h"
#include "capture/browser/cdp_page.h"
#include "capture/browser/launcher.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/cdp/protocol/target.h"
#include "capture/guard/scope.h"

namespace topodb::capture {
namespace {

constexpr int64_t kMinute = 60'000;
// A script that runs on for longer, where there is a real clock too, may wait for time to pass.
constexpr Millis kScriptPatience{500};

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
  return guard;
}

// A name that no page can guess. Nothing that is stored depends on it.
std::string NewChannel() {
  std::random_device random;
  return fmt::format("topodb-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
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

// What the run drives as one page.
struct DrivenPage {
  std::unique_ptr<CdpPage> tab;
  std::unique_ptr<CdpPage> on_real_clock;    // beside the tab, once a page needed it
  std::unique_ptr<AutoClockPage> auto_page;  // over both; absent unless the mode is auto

  PageDriver& driver() const { return auto_page ? static_cast<PageDriver&>(*auto_page) : *tab; }
};

// Listens to the browser itself: hands out the sessions of the tabs it asked for, and decides what
// becomes of targets nobody asked for.
struct Drive::Parts {
  PageOptions page_options;  // of every tab but for the clock
  ClockMode clock_mode = ClockMode::kAuto;
  std::unique_ptr<Browser> browser;
  std::mutex pages_mutex;
  std::vector<std::unique_ptr<DrivenPage>> pages;  // the run's first one first
  uint64_t sent_at_start = 0;

  // Each tab is alone in its browser context, by which its popups and workers are known.
  struct Owner {
    std::string target_id;         // of the tab
    TargetWatch* watch = nullptr;  // once it stands
  };
  std::mutex mutex;
  std::map<std::string, Owner> owners;  // by browser context

  ~Parts() {
    if (browser) browser->connection().root().SetEventHandler({});
    pages.clear();
  }

  void OnEvent(std::string_view method, std::string_view params);
  // Launches or attaches, as the options say.
  Status StartBrowser(const DriveOptions& options);
  // From here on every new target waits until it is armed or closed.
  Status WatchTargets();
  Result<std::unique_ptr<CdpPage>> OpenTab(ClockKind clock);
  // A new page, in the end of `pages`.
  Result<PageDriver*> OpenPage();
};

void Drive::Parts::OnEvent(std::string_view method, std::string_view params) {
  if (method != cdp::target::AttachedToTarget::kMethod) return;
  const auto attached = cdp::target::AttachedToTarget::Parse(params);
  if (!attached) return;
  const cdp::target::TargetInfo& info = attached->target_info;
  const std::lock_guard lock(mutex);
  const auto found = owners.find(info.browser_context_id);
  if (found != owners.end() && info.type == "page") {
    std::string& own = found->second.target_id;
    if (own.empty()) {  // the first page of a context that was made for it
      own = info.target_id;
      browser->connection()
          .OpenSession(attached->session_id)
          ->Post(cdp::runtime::RunIfWaitingForDebugger{});
    }
    if (own == info.target_id) return;
  }
  TargetWatch* const watch = found == owners.end() ? nullptr : found->second.watch;
  if (info.type == "page") {
    if (watch != nullptr) {
      watch->AdoptPopup(attached->session_id, info.target_id);
    } else {  // the tab that the browser started with
      browser->connection().root().Post(cdp::target::CloseTarget{.target_id = info.target_id});
    }
  } else if (watch != nullptr && (info.type == "shared_worker" || info.type == "service_worker")) {
    watch->AdoptWorker(attached->session_id);
  }
}

Status Drive::Parts::StartBrowser(const DriveOptions& options) {
  const cdp::ConnectionOptions connection{.log = options.protocol_log};
  if (options.connect.empty()) {
    TOPODB_TRY(browser, Browser::Launch(
                            {.browser = options.browser_path,
                             .window = options.headed ? WindowMode::kHeaded : WindowMode::kHeadless,
                             .extra_arguments = options.browser_args,
                             .connection = connection}));
    return {};
  }
  TOPODB_TRY(browser, Browser::Attach({.endpoint = options.connect,
                                       .allow_remote = options.connect_remote,
                                       .timeout = options.timeout,
                                       .connection = connection}));
  TOPODB_TRY(auto jar,
             browser->connection().root().Call(cdp::storage::GetCookies{}, options.timeout));
  page_options.owner = BrowserOwner::kOthers;
  page_options.cookies = std::move(jar.cookies);
  return {};
}

Status Drive::Parts::WatchTargets() {
  // Of a browser that others use, no target but our own may be stopped or even seen.
  if (browser->attached()) return {};
  cdp::Session& root = browser->connection().root();
  root.SetEventHandler(
      [this](std::string_view method, std::string_view params) { OnEvent(method, params); });
  const auto watching = root.Call(cdp::target::SetAutoAttach{.filter = {{.type = "page"},
                                                                        {.type = "shared_worker"},
                                                                        {.type = "service_worker"},
                                                                        {.exclude = true}}},
                                  page_options.timeout);
  if (!watching) return watching.error();
  return {};
}

Result<std::unique_ptr<CdpPage>> Drive::Parts::OpenTab(ClockKind clock) {
  cdp::Session& root = browser->connection().root();
  PageOptions options = page_options;
  options.clock = clock;
  options.channel = NewChannel();
  TOPODB_TRY(const auto context,
             root.Call(cdp::target::CreateBrowserContext{.dispose_on_detach = browser->attached()},
                       options.timeout));
  const std::string& id = context.browser_context_id;
  {
    const std::lock_guard lock(mutex);
    owners[id] = {};
  }
  TOPODB_TRY(const auto created,
             root.Call(cdp::target::CreateTarget{.browser_context_id = id}, options.timeout));
  {
    const std::lock_guard lock(mutex);
    owners[id].target_id = created.target_id;
  }
  TOPODB_TRY(
      const auto attached,
      root.Call(cdp::target::AttachToTarget{.target_id = created.target_id}, options.timeout));
  cdp::Connection& connection = browser->connection();
  TOPODB_TRY(auto tab, CdpPage::Open(connection, connection.OpenSession(attached.session_id),
                                     created.target_id, id, std::move(options)));
  const std::lock_guard lock(mutex);
  owners[id].watch = &tab->watch();
  return tab;
}

Result<PageDriver*> Drive::Parts::OpenPage() {
  auto page = std::make_unique<DrivenPage>();
  TOPODB_TRY(page->tab,
             OpenTab(clock_mode == ClockMode::kReal ? ClockKind::kReal : ClockKind::kVirtual));
  if (clock_mode == ClockMode::kAuto) {
    DrivenPage* const self = page.get();
    page->auto_page = std::make_unique<AutoClockPage>(
        AutoClockPage::Tabs{.on_virtual_clock = *page->tab,
                            .doubt = [self] { return self->tab->Doubt(); },
                            .on_real_clock = [this, self](Millis spent) -> Result<PageDriver*> {
                              if (!self->on_real_clock) {
                                TOPODB_TRY(self->on_real_clock, OpenTab(ClockKind::kReal));
                              }
                              self->on_real_clock->Spend(spent);
                              return self->on_real_clock.get();
                            }});
  }
  const std::lock_guard lock(pages_mutex);
  return &pages.emplace_back(std::move(page))->driver();
}

Drive::Drive() : parts_(std::make_unique<Parts>()) {}
Drive::~Drive() = default;

Result<std::unique_ptr<Drive>> Drive::Open(const DriveOptions& options, const UrlEntry& entry,
                                           const Clock& clock) {
  std::unique_ptr<Drive> drive(new Drive());
  Parts& parts = *drive->parts_;
  TOPODB_TRY(auto guard, MakeGuard(options, entry));
  parts.page_options = {.viewport = options.viewport,
                        .locale = options.locale,
                        .timezone_id = options.timezone_id,
                        .clock_start = ClockStart(options, clock),
                        .timeout = options.timeout,
                        .guard = std::move(guard),
                        .entry = entry};
  parts.clock_mode = options.clock;
  parts.page_options.script_patience = options.clock == ClockMode::kAuto
                                           ? std::min(kScriptPatience, options.timeout / 4)
                                           : options.timeout;
  TOPODB_TRY_VOID(parts.StartBrowser(options));
  drive->warnings_ = parts.browser->warnings();
  TOPODB_TRY_VOID(parts.OpenPage());
  TOPODB_TRY_VOID(parts.WatchTargets());
  const std::string& version = parts.browser->version();
  drive->runtime_context_ = {
      .browser_name = "chromium",
      .browser_version = version.substr(version.find('/') + 1),
      .viewport = options.viewport,
      .locale = options.locale,
      .timezone_id = options.timezone_id,
      .auth_context = parts.browser->attached() ? AuthContext::kAttached : AuthContext::kAnonymous};
  parts.sent_at_start = parts.browser->connection().commands_sent();
  return drive;
}

PageDriver& Drive::page() { return parts_->pages.front()->driver(); }

Result<PageDriver*> Drive::OpenAnother() { return parts_->OpenPage(); }

std::vector<std::string> Drive::ClockNotes() const {
  std::set<std::string> notes;
  const std::lock_guard lock(parts_->pages_mutex);
  for (const auto& page : parts_->pages) {
    if (!page->auto_page) continue;
    for (std::string& note : page->auto_page->Notes()) notes.insert(std::move(note));
  }
  return {notes.begin(), notes.end()};
}

bool Drive::InScope(const std::string& url) const {
  return Judge(parts_->page_options.guard.scope, url, RequestKind::kTopNavigation).allowed;
}

uint64_t Drive::commands_sent() const {
  return parts_->browser->connection().commands_sent() - parts_->sent_at_start;
}

}  // namespace topodb::capture
