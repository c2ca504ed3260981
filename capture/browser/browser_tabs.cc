#include "capture/browser/browser_tabs.h"

#include <random>
#include <utility>

#include <fmt/format.h>

#include "capture/cdp/protocol/browser.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/target.h"

namespace topodb::capture {
namespace {

// A name that no page can guess. Nothing that is stored depends on it.
std::string NewChannel() {
  std::random_device random;
  return fmt::format("topodb-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

BrowserTabs::~BrowserTabs() { browser_->connection().root().SetEventHandler({}); }

Result<std::unique_ptr<CdpPage>> BrowserTabs::OpenTab(PageOptions options) {
  cdp::Connection& connection = browser_->connection();
  cdp::Session& root = connection.root();
  const Millis timeout = options.timeout;
  options.channel = NewChannel();
  TOPODB_TRY(const auto context,
             root.Call(cdp::target::CreateBrowserContext{.dispose_on_detach = browser_->attached()},
                       timeout));
  const std::string& id = context.browser_context_id;
  // Or a page that asks for one would wait for a person.
  root.Post(cdp::browser::GrantPermissions{.browser_context_id = id});
  {
    const std::lock_guard lock(mutex_);
    owners_[id] = {};
  }
  TOPODB_TRY(const auto created,
             root.Call(cdp::target::CreateTarget{.browser_context_id = id}, timeout));
  {
    const std::lock_guard lock(mutex_);
    owners_[id].target_id = created.target_id;
  }
  TOPODB_TRY(const auto attached,
             root.Call(cdp::target::AttachToTarget{.target_id = created.target_id}, timeout));
  TOPODB_TRY_VOID(WatchTargets(timeout));
  TOPODB_TRY(auto tab, CdpPage::Open(connection, connection.OpenSession(attached.session_id),
                                     created.target_id, id, std::move(options)));
  const std::lock_guard lock(mutex_);
  owners_[id].watch = &tab->watch();
  return tab;
}

Status BrowserTabs::WatchTargets(Millis timeout) {
  const std::lock_guard lock(starting_);
  // Of a browser that others use, no target but our own may be stopped or even seen. Of our own,
  // the tab that it started with is closed, but not before another one is there.
  if (watching_ || browser_->attached()) return {};
  cdp::Session& root = browser_->connection().root();
  root.SetEventHandler(
      [this](std::string_view method, std::string_view params) { OnEvent(method, params); });
  const auto watching = root.Call(cdp::target::SetAutoAttach{.filter = {{.type = "page"},
                                                                        {.type = "shared_worker"},
                                                                        {.type = "service_worker"},
                                                                        {.exclude = true}}},
                                  timeout);
  if (!watching) return watching.error();
  watching_ = true;
  return {};
}

void BrowserTabs::OnEvent(std::string_view method, std::string_view params) {
  if (method != cdp::target::AttachedToTarget::kMethod) return;
  const auto attached = cdp::target::AttachedToTarget::Parse(params);
  if (!attached) return;
  const cdp::target::TargetInfo& info = attached->target_info;
  const std::lock_guard lock(mutex_);
  const auto found = owners_.find(info.browser_context_id);
  if (found != owners_.end() && info.type == "page") {
    std::string& own = found->second.target_id;
    if (own.empty()) {  // the first page of a context that was made for it
      own = info.target_id;
      browser_->connection()
          .OpenSession(attached->session_id)
          ->Post(cdp::runtime::RunIfWaitingForDebugger{});
    }
    if (own == info.target_id) return;
  }
  TargetWatch* const watch = found == owners_.end() ? nullptr : found->second.watch;
  if (info.type == "page") {
    if (watch != nullptr) {
      watch->AdoptPopup(attached->session_id, info.target_id);
    } else {  // the tab that the browser started with
      browser_->connection().root().Post(cdp::target::CloseTarget{.target_id = info.target_id});
    }
  } else if (watch != nullptr && (info.type == "shared_worker" || info.type == "service_worker")) {
    watch->AdoptWorker(attached->session_id);
  }
}

}  // namespace topodb::capture
