#include "capture/drive.h"

#include <map>
#include <mutex>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/cdp_page.h"
#include "capture/browser/launcher.h"
#include "capture/cdp/protocol/target.h"
#include "capture/guard/scope.h"

namespace topodb::capture {
namespace {

constexpr int64_t kMinute = 60'000;

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

// Listens to the browser itself: hands out the session of the tab it asked for, and decides what
// becomes of targets nobody asked for.
struct Drive::Parts {
  std::unique_ptr<Browser> browser;
  std::unique_ptr<CdpPage> page;
  GuardSettings guard;
  uint64_t sent_at_start = 0;

  std::mutex mutex;
  std::string tab;               // the target id of our own tab
  TargetWatch* watch = nullptr;  // of that tab, once it stands

  ~Parts() {
    if (browser) browser->connection().root().SetEventHandler({});
    page.reset();
  }

  void OnEvent(std::string_view method, std::string_view params);
  Result<std::shared_ptr<cdp::Session>> OpenTab(const std::string& context_id, Millis timeout);
};

void Drive::Parts::OnEvent(std::string_view method, std::string_view params) {
  if (method != cdp::target::AttachedToTarget::kMethod) return;
  const auto attached = cdp::target::AttachedToTarget::Parse(params);
  if (!attached) return;
  const cdp::target::TargetInfo& info = attached->target_info;
  const std::lock_guard lock(mutex);
  if (info.type == "page") {
    if (info.target_id == tab) return;
    if (watch != nullptr) {
      watch->AdoptPopup(attached->session_id, info.target_id);
    } else {  // the tab that the browser started with
      browser->connection().root().Post(cdp::target::CloseTarget{.target_id = info.target_id});
    }
  } else if (watch != nullptr && (info.type == "shared_worker" || info.type == "service_worker")) {
    watch->AdoptWorker(attached->session_id);
  }
}

Result<std::shared_ptr<cdp::Session>> Drive::Parts::OpenTab(const std::string& context_id,
                                                            Millis timeout) {
  cdp::Session& root = browser->connection().root();
  TOPODB_TRY(const auto created,
             root.Call(cdp::target::CreateTarget{.browser_context_id = context_id}, timeout));
  {
    const std::lock_guard lock(mutex);
    tab = created.target_id;
  }
  TOPODB_TRY(const auto attached,
             root.Call(cdp::target::AttachToTarget{.target_id = created.target_id}, timeout));
  // From here on every new target waits until it is armed or closed.
  root.SetEventHandler(
      [this](std::string_view method, std::string_view params) { OnEvent(method, params); });
  TOPODB_TRY_VOID(root.Call(cdp::target::SetAutoAttach{.filter = {{.type = "page"},
                                                                  {.type = "shared_worker"},
                                                                  {.type = "service_worker"},
                                                                  {.exclude = true}}},
                            timeout));
  return browser->connection().OpenSession(attached.session_id);
}

Drive::Drive() : parts_(std::make_unique<Parts>()) {}
Drive::~Drive() = default;

Result<std::unique_ptr<Drive>> Drive::Open(const DriveOptions& options, const UrlEntry& entry,
                                           const Clock& clock) {
  std::unique_ptr<Drive> drive(new Drive());
  Parts& parts = *drive->parts_;
  TOPODB_TRY(parts.guard, MakeGuard(options, entry));
  TOPODB_TRY(parts.browser, Browser::Launch({.browser = options.browser_path,
                                             .window = options.headed ? WindowMode::kHeaded
                                                                      : WindowMode::kHeadless,
                                             .extra_arguments = options.browser_args,
                                             .connection = {.log = options.protocol_log}}));
  drive->warnings_ = parts.browser->warnings();
  cdp::Connection& connection = parts.browser->connection();
  TOPODB_TRY(const auto context,
             connection.root().Call(cdp::target::CreateBrowserContext{}, options.timeout));
  TOPODB_TRY(auto session, parts.OpenTab(context.browser_context_id, options.timeout));
  TOPODB_TRY(parts.page,
             CdpPage::Open(connection, std::move(session), parts.tab, context.browser_context_id,
                           {.viewport = options.viewport,
                            .locale = options.locale,
                            .timezone_id = options.timezone_id,
                            .clock_start = ClockStart(options, clock),
                            .timeout = options.timeout,
                            .guard = parts.guard,
                            .entry = entry,
                            .channel = NewChannel()}));
  {
    const std::lock_guard lock(parts.mutex);
    parts.watch = &parts.page->watch();
  }
  const std::string& version = parts.browser->version();
  drive->runtime_context_ = {.browser_name = "chromium",
                             .browser_version = version.substr(version.find('/') + 1),
                             .viewport = options.viewport,
                             .locale = options.locale,
                             .timezone_id = options.timezone_id,
                             .auth_context = AuthContext::kAnonymous};
  parts.sent_at_start = connection.commands_sent();
  return drive;
}

PageDriver& Drive::page() { return *parts_->page; }

bool Drive::InScope(const std::string& url) const {
  return Judge(parts_->guard.scope, url, RequestKind::kTopNavigation).allowed;
}

uint64_t Drive::commands_sent() const {
  return parts_->browser->connection().commands_sent() - parts_->sent_at_start;
}

}  // namespace topodb::capture
