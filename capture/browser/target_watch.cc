#include "capture/browser/target_watch.h"

#include <algorithm>
#include <utility>

#include <simdjson.h>

#include "capture/cdp/protocol/accessibility.h"
#include "capture/cdp/protocol/browser.h"
#include "capture/cdp/protocol/dom_storage.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/cdp/protocol/fetch.h"
#include "capture/cdp/protocol/network.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/target.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {

namespace {

// More dialogs than this in a row are a storm: the script that makes them is stopped.
constexpr uint32_t kMaxDialogs = 20;
// A document that was not read within this time is not opened.
constexpr Millis kReadDocument{30'000};

RequestKind KindOf(const cdp::fetch::RequestPaused& paused, const std::string& main_frame_id) {
  if (paused.resource_type != "Document") return RequestKind::kResource;
  return paused.frame_id == main_frame_id ? RequestKind::kTopNavigation
                                          : RequestKind::kFrameNavigation;
}

// The icon of a page, which the browser fetches on its own and whenever it likes: nothing that the
// page or an action did.
bool IsBrowsersOwn(const cdp::network::RequestWillBeSent& sent) {
  return sent.type == "Other" && sent.initiator_type == "other";
}

// The value of an X-HTTP-Method-Override header, by which a harmless method asks for another one.
std::string MethodOverride(const std::string& headers_json) {
  simdjson::dom::parser parser;
  simdjson::dom::object headers;
  if (parser.parse(headers_json).get(headers) != simdjson::SUCCESS) return {};
  std::string_view value;
  for (const char* name : {"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"}) {
    if (headers.at_key_case_insensitive(name).get(value) == simdjson::SUCCESS) {
      return std::string(value);
    }
  }
  return {};
}

// Everything, and documents once more when their response is there.
std::vector<cdp::fetch::RequestPattern> Patterns(BrowserOwner owner) {
  std::vector<cdp::fetch::RequestPattern> patterns(1);
  if (owner == BrowserOwner::kOthers)
    patterns.push_back({.resource_type = "Document", .request_stage = "Response"});
  return patterns;
}

cdp::network::EmulateNetworkConditionsByRule AsCommand(SocketRules rules) {
  return {.online_url_patterns = std::move(rules.open),
          .offline_url_patterns = std::move(rules.shut)};
}

std::vector<std::shared_ptr<cdp::Session>> Alive(
    const std::vector<std::shared_ptr<cdp::Session>>& sessions) {
  std::vector<std::shared_ptr<cdp::Session>> alive;
  for (const auto& session : sessions) {
    if (!session->closed()) alive.push_back(session);
  }
  return alive;
}

}  // namespace

TargetWatch::TargetWatch(cdp::Connection& connection, PageLog& log, TargetSetup setup)
    : connection_(connection),
      log_(log),
      setup_(std::move(setup)),
      socket_rules_(AsCommand(RulesForSockets(setup_.guard.rules))) {
  if (setup_.owner == BrowserOwner::kOthers) sealer_.emplace(kReadDocument);
}

TargetWatch::~TargetWatch() { Stop(); }

void TargetWatch::Stop() {
  std::vector<SessionPtr> sessions;
  {
    const std::lock_guard lock(mutex_);
    sessions.swap(sessions_);
    frame_sessions_.clear();
    worker_sessions_.clear();
  }
  for (const SessionPtr& session : sessions) {
    session->SetEventHandler({});
    session->SetCloseHandler({});
  }
  sealer_.reset();
}

Status TargetWatch::WatchPage(std::shared_ptr<cdp::Session> session, const std::string& frame_id,
                              Millis timeout) {
  main_frame_id_ = frame_id;
  session->SetCloseHandler([this](const Error& why) { log_.SetClosed(why); });
  Listen(session, Role::kPage);
  // Everything is sent first; the guard's own replies decide.
  auto fetch = session->Start(
      cdp::fetch::Enable{.patterns = Patterns(setup_.owner), .handle_auth_requests = true});
  auto attach = session->Start(cdp::target::SetAutoAttach{});
  auto page = session->Start(cdp::page::Enable{});
  auto runtime = session->Start(cdp::runtime::Enable{});
  auto network = session->Start(cdp::network::Enable{});
  auto sockets = session->Start(socket_rules_);
  session->Post(cdp::dom_storage::Enable{});
  Install(setup_.scripts, *session);
  SetUserAgent(*session);
  auto chooser = session->Start(cdp::page::SetInterceptFileChooserDialog{});
  // Fails on builds that know it on the browser session only; downloads are denied there too.
  session->Post(cdp::browser::SetDownloadBehavior{.behavior = "deny", .events_enabled = true});
  TOPODB_TRY_VOID(fetch.Await(timeout));
  TOPODB_TRY_VOID(attach.Await(timeout));
  TOPODB_TRY_VOID(page.Await(timeout));
  TOPODB_TRY_VOID(runtime.Await(timeout));
  TOPODB_TRY_VOID(network.Await(timeout));
  TOPODB_TRY_VOID(sockets.Await(timeout));
  TOPODB_TRY_VOID(chooser.Await(timeout));
  return {};
}

void TargetWatch::Listen(const SessionPtr& session, Role role) {
  {
    const std::lock_guard lock(mutex_);
    sessions_.push_back(session);
    if (role == Role::kFrame) frame_sessions_.push_back(session);
    if (role == Role::kWorker) worker_sessions_.push_back(session);
  }
  // The session outlives its handler's calls; a weak pointer avoids a cycle.
  session->SetEventHandler([this, weak = std::weak_ptr(session), role](std::string_view method,
                                                                       std::string_view params) {
    if (const SessionPtr strong = weak.lock()) Handle(strong, role, method, params);
  });
}

void TargetWatch::AdoptWorker(const std::string& session_id) {
  const SessionPtr session = connection_.OpenSession(session_id);
  log_.AddSpeaker();
  Listen(session, Role::kWorker);
  ArmChild(session, Role::kWorker);
}

void TargetWatch::AdoptPopup(const std::string& session_id, const std::string& target_id) {
  const SessionPtr session = connection_.OpenSession(session_id);
  {
    const std::lock_guard lock(mutex_);
    popups_.push_back(target_id);
  }
  Listen(session, Role::kPopup);
  ArmChild(session, Role::kPopup);
}

void TargetWatch::ClosePopups() {
  std::vector<std::string> popups;
  {
    const std::lock_guard lock(mutex_);
    popups.swap(popups_);
  }
  for (const std::string& popup : popups) {
    connection_.root().Post(cdp::target::CloseTarget{.target_id = popup});
  }
}

bool TargetWatch::has_popups() const {
  const std::lock_guard lock(mutex_);
  return !popups_.empty();
}

void TargetWatch::SetUserAgent(cdp::Session& session) const {
  const std::string& name = setup_.client.user_agent;
  if (!name.empty()) session.Post(cdp::emulation::SetUserAgentOverride{.user_agent = name});
}

void TargetWatch::ArmChild(const SessionPtr& session, Role role) {
  session->Post(
      cdp::fetch::Enable{.patterns = Patterns(setup_.owner), .handle_auth_requests = true});
  session->Post(cdp::network::Enable{});
  session->Post(socket_rules_);
  SetUserAgent(*session);
  session->Post(cdp::target::SetAutoAttach{});
  if (role != Role::kWorker) session->Post(cdp::page::Enable{});
  if (role == Role::kPopup) InstallInWindow(setup_.scripts, *session);
  if (role == Role::kWorker) InstallInWorker(setup_.scripts, *session);
  if (role == Role::kFrame) {
    // As the page's own session is set up, see CdpPage.
    session->Post(cdp::runtime::Enable{});
    session->Post(cdp::accessibility::Enable{});
    session->Post(cdp::dom_storage::Enable{});
    Install(setup_.scripts, *session);
    if (setup_.clock_start) {
      session->Post(cdp::emulation::SetVirtualTimePolicy{
          .policy = "pause",
          .initial_time_s = static_cast<double>(setup_.clock_start->millis) / 1000.0});
    }
  }
  session->Post(cdp::runtime::RunIfWaitingForDebugger{});
}

void TargetWatch::Handle(const SessionPtr& session, Role role, std::string_view method,
                         std::string_view params) {
  if (method == cdp::fetch::RequestPaused::kMethod) return OnRequestPaused(session, role, params);
  if (method == cdp::fetch::AuthRequired::kMethod) return OnAuthRequired(*session, params);
  if (method == cdp::target::AttachedToTarget::kMethod) return OnAttached(params);
  if (OnNetwork(role, method, params) || OnStorage(method, params)) return;
  if (OnContext(session, method, params)) return;
  OnPage(*session, role, method, params);
}

void TargetWatch::OnRequestPaused(const SessionPtr& session, Role role, std::string_view params) {
  const auto paused = cdp::fetch::RequestPaused::Parse(params);
  if (!paused) return;
  if (paused->response_status_code) {
    sealer_->Seal(session, *paused);
    return;
  }
  const cdp::network::Request& request = paused->request;
  const RequestKind kind =
      role == Role::kWorker ? RequestKind::kResource : KindOf(*paused, main_frame_id_);
  const std::string override = MethodOverride(request.headers_json);
  const bool may_leave =
      MayLeave({.id = paused->network_id,
                .method = request.method,
                .url = request.url,
                .type = paused->resource_type},
               {.method = request.method,
                .url = request.url,
                .body = request.has_post_data ? std::optional<std::string_view>(request.post_data)
                                              : std::nullopt,
                .method_override = override,
                .phase = phase_},
               kind);
  if (may_leave && role != Role::kPopup) {
    cdp::fetch::ContinueRequest go{.request_id = paused->request_id};
    const std::vector<HttpHeader>& own = setup_.client.headers;
    if (!own.empty() && IsOfTheSite(request.url)) {
      go.headers = WithHeaders(request.headers_json, own);
    }
    session->Post(go);
    return;
  }
  if (role == Role::kPopup && paused->resource_type == "Document") {
    const bool may_open =
        may_leave && request.method == "GET" &&
        Judge(setup_.guard.scope, request.url, RequestKind::kTopNavigation).allowed;
    log_.AddPopupDocument(may_open ? request.url + request.url_fragment : std::string());
  }
  // An aborted navigation leaves the page where it is; a blocked one would show an error page.
  session->Post(cdp::fetch::FailRequest{
      .request_id = paused->request_id,
      .error_reason = paused->resource_type == "Document" ? "Aborted" : "BlockedByClient"});
}

bool TargetWatch::IsOfTheSite(std::string_view url) const {
  return capture::IsOfTheSite(setup_.guard.scope, url);
}

void TargetWatch::OnAuthRequired(cdp::Session& session, std::string_view params) {
  const auto asked = cdp::fetch::AuthRequired::Parse(params);
  if (!asked) return;
  cdp::fetch::ContinueWithAuth answer{.request_id = asked->request_id};
  const auto& known = setup_.client.credentials;
  if (known && asked->source == "Server" && IsOfTheSite(asked->origin) &&
      authenticated_.insert(asked->request_id).second) {
    answer.response = "ProvideCredentials";
    answer.username = known->user;
    answer.password = known->password;
  }
  // Otherwise nobody is asked: the page that says what is closed is what there is to see.
  session.Post(answer);
}

bool TargetWatch::MayLeave(const PageLog::Judged& request, const GuardRequest& judged,
                           RequestKind kind) {
  if (!Judge(setup_.guard.scope, request.url, kind).allowed) {
    log_.BlockRequest(request, "scope");
    return false;
  }
  const GuardVerdict verdict = JudgeRequest(judged, setup_.guard.rules);
  if (!verdict.allowed) {
    log_.BlockRequest(request, "guard");
  } else if (verdict.recorded) {
    log_.AllowRequest(request, verdict.detail.empty() ? verdict.rule : verdict.detail);
  }
  return verdict.allowed;
}

// The browser has the rules and has acted on them already; this only says what they did.
void TargetWatch::OnSocket(Role role, std::string_view params) {
  const auto created = cdp::network::WebSocketCreated::Parse(params);
  if (!created) return;
  const bool open = MayLeave(
      {.id = created->request_id, .method = "GET", .url = created->url, .type = "WebSocket"},
      {.method = "GET", .url = created->url, .phase = phase_}, RequestKind::kResource);
  if (role == Role::kPopup) return;
  log_.AddRequest(created->request_id, "GET", created->url, "WebSocket", "");
  if (!open) return;  // pending until the page is told
  log_.EndRequest(created->request_id);
  log_.AddSpeaker();
}

// Never leaves, see shut.js.
void TargetWatch::OnTransport(std::string_view params) {
  const auto created = cdp::network::WebTransportCreated::Parse(params);
  if (!created || setup_.guard.rules.mode == GuardMode::kOff) return;
  // Its query is what the page wanted, which may be anything.
  const std::string wanted = PercentDecode(SplitUrl(created->url).query.value_or(""));
  log_.BlockRequest(
      {.id = created->transport_id, .method = "CONNECT", .url = wanted, .type = "WebTransport"},
      "guard");
}

void TargetWatch::OnDialog(cdp::Session& session, std::string_view params) {
  const auto dialog = cdp::page::JavascriptDialogOpening::Parse(params);
  const bool leaving = dialog && dialog->type == "beforeunload";
  // Answered whatever it says: the page stands still until then.
  session.Post(cdp::page::HandleJavaScriptDialog{.accept = leaving});
  if (!dialog) return;
  if (++dialogs_in_a_row_ <= kMaxDialogs) {
    log_.AddDialog({.kind = dialog->type,
                    .text = dialog->message,
                    .answer = leaving ? "accepted" : "dismissed"});
  } else {
    session.Post(cdp::runtime::TerminateExecution{});
  }
}

void TargetWatch::OnAttached(std::string_view params) {
  const auto attached = cdp::target::AttachedToTarget::Parse(params);
  if (!attached) return;
  const SessionPtr child = connection_.OpenSession(attached->session_id);
  const bool frame = attached->target_info.type == "iframe";
  if (frame) {
    log_.EndDocument(attached->target_info.target_id);
    log_.AddAsyncSource();
  } else {
    log_.AddSpeaker();
  }
  Listen(child, frame ? Role::kFrame : Role::kWorker);
  ArmChild(child, frame ? Role::kFrame : Role::kWorker);
}

bool TargetWatch::OnNetwork(Role role, std::string_view method, std::string_view params) {
  if (!method.starts_with("Network.")) return false;
  if (method == cdp::network::WebSocketCreated::kMethod) {
    OnSocket(role, params);
    return true;
  }
  if (method == cdp::network::WebTransportCreated::kMethod) {
    OnTransport(params);
    return true;
  }
  // What a window asks for it does not get, see OnRequestPaused.
  if (role == Role::kPopup) return true;
  if (method == cdp::network::RequestWillBeSent::kMethod) {
    if (const auto sent = cdp::network::RequestWillBeSent::Parse(params);
        sent && !IsBrowsersOwn(*sent)) {
      log_.AddRequest(sent->request_id, sent->request.method, sent->request.url, sent->type,
                      sent->type == "Document" ? sent->frame_id : std::string());
    }
  } else if (method == cdp::network::ResponseReceived::kMethod) {
    if (const auto received = cdp::network::ResponseReceived::Parse(params)) {
      const auto status = static_cast<uint32_t>(received->response.status);
      log_.AddResponse(received->request_id, status,
                       received->response.mime_type == "text/event-stream");
      if (received->type == "Document" && received->frame_id == main_frame_id_) {
        log_.SetMainStatus(status);
      }
    }
  } else if (method == cdp::network::LoadingFinished::kMethod) {
    if (const auto done = cdp::network::LoadingFinished::Parse(params)) {
      log_.EndRequest(done->request_id);
    }
  } else if (method == cdp::network::LoadingFailed::kMethod) {
    if (const auto failed = cdp::network::LoadingFailed::Parse(params)) {
      log_.EndRequest(failed->request_id);
    }
  } else if (method == cdp::network::WebSocketClosed::kMethod) {
    if (const auto closed = cdp::network::WebSocketClosed::Parse(params)) {
      log_.EndRequest(closed->request_id);
    }
  } else if (method == cdp::network::WebSocketFrameReceived::kMethod ||
             method == cdp::network::EventSourceMessageReceived::kMethod) {
    log_.AddMessage();
  }
  return true;
}

bool TargetWatch::OnStorage(std::string_view method, std::string_view params) {
  if (!method.starts_with("DOMStorage.")) return false;
  const auto touched = [&](bool is_local, std::string_view key) {
    log_.AddStorageTouched(is_local ? "localStorage" : "sessionStorage", key);
  };
  namespace storage = cdp::dom_storage;
  if (method == storage::ItemAdded::kMethod) {
    if (const auto item = storage::ItemAdded::Parse(params)) touched(item->is_local, item->key);
  } else if (method == storage::ItemUpdated::kMethod) {
    if (const auto item = storage::ItemUpdated::Parse(params)) touched(item->is_local, item->key);
  } else if (method == storage::ItemRemoved::kMethod) {
    if (const auto item = storage::ItemRemoved::Parse(params)) touched(item->is_local, item->key);
  } else if (method == storage::ItemsCleared::kMethod) {
    if (const auto all = storage::ItemsCleared::Parse(params)) touched(all->is_local, "");
  }
  return true;
}

bool TargetWatch::OnContext(const SessionPtr& session, std::string_view method,
                            std::string_view params) {
  if (method == cdp::runtime::ExecutionContextCreated::kMethod) {
    const auto created = cdp::runtime::ExecutionContextCreated::Parse(params);
    if (created && created->name == kWorldName) {
      const std::lock_guard lock(mutex_);
      worlds_[created->frame_id] = {session, created->unique_id, created->id};
    }
    return true;
  }
  if (method == cdp::runtime::ExecutionContextDestroyed::kMethod) {
    const auto destroyed = cdp::runtime::ExecutionContextDestroyed::Parse(params);
    if (!destroyed) return true;
    const std::lock_guard lock(mutex_);
    std::erase_if(worlds_, [&](const auto& world) {
      return world.second.context_id == destroyed->unique_id;
    });
    return true;
  }
  if (method == cdp::runtime::ExecutionContextsCleared::kMethod) {
    const std::lock_guard lock(mutex_);
    std::erase_if(worlds_, [&](const auto& world) { return world.second.session == session; });
    return true;
  }
  return false;
}

void TargetWatch::OnPage(cdp::Session& session, Role role, std::string_view method,
                         std::string_view params) {
  if (method == cdp::page::JavascriptDialogOpening::kMethod) {
    OnDialog(session, params);
  } else if (method == cdp::runtime::BindingCalled::kMethod) {
    const auto called = cdp::runtime::BindingCalled::Parse(params);
    if (!called || called->name != kSignalBinding) return;
    if (called->payload == kRegionSignal) {
      log_.AddRegionChange();
    } else {
      log_.AddReceipt(called->payload);
    }
  } else if (method == cdp::emulation::VirtualTimeBudgetExpired::kMethod) {
    dialogs_in_a_row_ = 0;
    if (role == Role::kPage) log_.AddBudgetExpired();
    if (role == Role::kFrame) log_.AddFrameBudgetExpired();
  } else if (method == cdp::page::WindowOpen::kMethod) {
    if (const auto opened = cdp::page::WindowOpen::Parse(params)) log_.AddPopup(opened->url);
  } else if (method == cdp::page::FileChooserOpened::kMethod) {
    log_.AddPrompt(kFileChooserPrompt);
  } else if (method == cdp::browser::DownloadWillBegin::kMethod) {
    if (const auto begun = cdp::browser::DownloadWillBegin::Parse(params)) {
      log_.AddDownload(begun->url);
    }
  } else if (method == cdp::runtime::ExceptionThrown::kMethod) {
    if (const auto thrown = cdp::runtime::ExceptionThrown::Parse(params)) {
      log_.AddConsoleError(thrown->exception.description);
    }
  } else if (method == cdp::runtime::ConsoleApiCalled::kMethod) {
    const auto called = cdp::runtime::ConsoleApiCalled::Parse(params);
    if (called && called->type == "error") log_.AddConsoleError(called->text);
  }
}

std::vector<std::shared_ptr<cdp::Session>> TargetWatch::FrameSessions() const {
  const std::lock_guard lock(mutex_);
  return Alive(frame_sessions_);
}

std::vector<std::shared_ptr<cdp::Session>> TargetWatch::WorkerSessions() const {
  const std::lock_guard lock(mutex_);
  return Alive(worker_sessions_);
}

std::vector<FrameWorld> TargetWatch::RemoteWorlds() const {
  const std::lock_guard lock(mutex_);
  std::vector<FrameWorld> remote;
  for (const auto& [frame, world] : worlds_) {
    if (IsRemote(world) && !world.session->closed()) remote.push_back(world);
  }
  return remote;
}

std::vector<FrameWorld> TargetWatch::LocalWorlds() const {
  const std::lock_guard lock(mutex_);
  std::vector<FrameWorld> local;
  for (const auto& [frame, world] : worlds_) {
    if (frame != main_frame_id_ && !IsRemote(world)) local.push_back(world);
  }
  return local;
}

bool TargetWatch::IsRemote(const FrameWorld& world) const {
  return std::ranges::find(frame_sessions_, world.session) != frame_sessions_.end();
}

std::optional<FrameWorld> TargetWatch::WorldOf(const std::string& frame_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = worlds_.find(frame_id);
  if (found == worlds_.end()) return std::nullopt;
  return found->second;
}

}  // namespace topodb::capture
