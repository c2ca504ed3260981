#include "capture/browser/cdp_page.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/page_answer.h"
#include "capture/browser/performer.h"
#include "capture/browser/shadow_roots.h"
#include "capture/cdp/protocol/accessibility.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/cdp/protocol/input.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "capture/settle/real_clock.h"
#include "capture/settle/virtual_clock.h"
#include "schema/names.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Closed shadow roots within one another that are entered.
constexpr int kMaxShadowDepth = 8;
// A page may have to wait for its frames of other processes to draw, and these do not while they
// are out of sight: neither is waited for longer than this.
constexpr Millis kPageDraw{250}, kRemoteDraw{30};
// A document that stands still answers at once.
constexpr Millis kLeaveTimeout{1'000};

// In the page's world, which alone is told: whether anything hears that the document ends. Syntax
// only, because the page may have changed every function.
constexpr std::string_view kEndListeners =
    "(() => { for (const target of [getEventListeners(window), getEventListeners(document)]) {"
    " for (const type in target) if (type === 'pagehide' || type === 'unload' || type === "
    "'beforeunload' || type === 'visibilitychange' || type === 'freeze') return true; }"
    " return false; })()";

std::unique_ptr<PageClock> MakeClock(const PageOptions& options, cdp::Session& session,
                                     PageLog& log, FrameSource& frames) {
  if (options.clock == ClockKind::kReal) {
    return std::make_unique<RealClock>(session, log, frames);
  }
  return std::make_unique<VirtualClock>(
      session, log, frames,
      VirtualClock::Options{.start = options.clock_start,
                            .timeout = options.timeout,
                            .script_patience = options.script_patience});
}

std::string IcuLocale(std::string locale) {
  std::replace(locale.begin(), locale.end(), '-', '_');
  return locale;
}

}  // namespace

CdpPage::CdpPage(cdp::Connection& connection, std::shared_ptr<cdp::Session> session,
                 std::string target_id, std::string context_id, PageOptions options)
    : connection_(connection),
      session_(std::move(session)),
      target_id_(std::move(target_id)),
      context_id_(std::move(context_id)),
      options_(std::move(options)),
      restore_script_(RestoreScript(options_.storage)),
      watch_(
          connection, log_,
          {.owner = options_.owner,
           .guard = options_.guard,
           .client = options_.client,
           .scripts = MakePageScripts(options_.channel, options_.clock, options_.guard.rules.mode),
           .clock_start = options_.clock == ClockKind::kVirtual
                              ? std::optional(options_.clock_start)
                              : std::nullopt}),
      clock_(MakeClock(options_, *session_, log_, *this)) {}

CdpPage::~CdpPage() { watch_.Stop(); }

Result<std::unique_ptr<CdpPage>> CdpPage::Open(cdp::Connection& connection,
                                               std::shared_ptr<cdp::Session> session,
                                               const std::string& target_id,
                                               const std::string& context_id, PageOptions options) {
  std::unique_ptr<CdpPage> page(
      new CdpPage(connection, std::move(session), target_id, context_id, std::move(options)));
  TOPODB_TRY_VOID(page->SetUp());
  return page;
}

Status CdpPage::SetUp() {
  const Viewport& viewport = options_.viewport;
  auto size = session_->Start(cdp::emulation::SetDeviceMetricsOverride{
      .width = static_cast<int>(viewport.width), .height = static_cast<int>(viewport.height)});
  auto access = session_->Start(cdp::accessibility::Enable{});
  auto locale =
      session_->Start(cdp::emulation::SetLocaleOverride{.locale = IcuLocale(options_.locale)});
  auto media = session_->Start(
      cdp::emulation::SetEmulatedMedia{.features = {{"prefers-reduced-motion", "reduce"}}});
  auto focus = session_->Start(cdp::emulation::SetFocusEmulationEnabled{});
  if (options_.timezone_id) {
    const auto zone =
        session_->Call(cdp::emulation::SetTimezoneOverride{.timezone_id = *options_.timezone_id},
                       options_.timeout);
    if (!zone) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("unknown time zone '{}'", *options_.timezone_id),
                   "give an IANA name like Europe/Berlin"};
    }
  }
  TOPODB_TRY_VOID(watch_.WatchPage(session_, target_id_, options_.timeout));
  TOPODB_TRY_VOID(size.Await(options_.timeout));
  TOPODB_TRY_VOID(access.Await(options_.timeout));
  TOPODB_TRY_VOID(locale.Await(options_.timeout));
  TOPODB_TRY_VOID(media.Await(options_.timeout));
  TOPODB_TRY_VOID(focus.Await(options_.timeout));
  TOPODB_TRY_VOID(BringCookies());
  return clock_->Start();
}

Status CdpPage::Lost() const {
  if (const auto closed = log_.closed()) return *closed;
  return {};
}

// ---- opening pages ------------------------------------------------------------------------------

Status CdpPage::Reset() {
  TOPODB_TRY_VOID(Lost());
  if (fresh_ || stays_) return {};
  // The pointer of the last click must not hover over the next document.
  auto pointer = session_->Start(cdp::input::DispatchMouseEvent{.type = "mouseMoved"});
  if (StandsStill()) {
    TOPODB_TRY(stays_, LeaveStanding());
  }
  if (!stays_) TOPODB_TRY_VOID(OpenEmptyPage());
  (void)pointer.Await(options_.timeout);
  origins_.clear();
  frames_.clear();
  (void)log_.TakeEvents();
  (void)log_.TakeReceipts();
  return {};
}

// An empty page in between costs a third of what opening a small page does. It is there for what a
// document can still do when it is left, and for what goes on beside it; a document that stands
// still and has asked for no word at its end can do nothing.

bool CdpPage::StandsStill() const {
  return options_.clock == ClockKind::kVirtual && doubt_.empty() && !log_.has_async_source() &&
         log_.PendingUrls().empty() && !watch_.has_popups() && watch_.LocalWorlds().empty() &&
         watch_.RemoteWorlds().empty();
}

Result<bool> CdpPage::LeaveStanding() {
  const auto world = watch_.WorldOf(target_id_);
  if (!world) return false;
  auto clearing = StartClearing();
  auto end = session_->Start(cdp::runtime::Evaluate{.expression = std::string(kEndListeners),
                                                    .return_by_value = true,
                                                    .include_command_line_api = true});
  auto leave = world->session->Start(cdp::runtime::Evaluate{.expression = "topodb.leave()",
                                                            .unique_context_id = world->context_id,
                                                            .return_by_value = true});
  const auto listens = end.Await(kLeaveTimeout);
  const auto left = leave.Await(kLeaveTimeout);
  if (!listens || !left) {
    TOPODB_TRY_VOID(Lost());
    return false;
  }
  const bool ends_silently = !listens->exception && listens->result.value_json == "false";
  if (!ends_silently || left->exception) return false;
  TOPODB_TRY_VOID(Finish(std::move(clearing)));
  return true;
}

Status CdpPage::OpenEmptyPage() {
  stays_ = false;
  watch_.ClosePopups();
  TOPODB_TRY_VOID(session_->Call(cdp::page::Navigate{.url = "about:blank"}, options_.timeout));
  // Until the empty page answers, the page that was left may still hear of its end and store
  // something, and a navigation would hang that Chromium waits with for its beforeunload handler.
  TOPODB_TRY_VOID(session_->Call(
      cdp::runtime::Evaluate{.expression = "window.name = ''", .return_by_value = true},
      options_.timeout));
  TOPODB_TRY_VOID(Finish(StartClearing()));
  log_.BeginDocument();
  return {};
}

CdpPage::Clearing CdpPage::StartClearing() {
  Clearing clearing{.cookies = connection_.root().Start(
                        cdp::storage::ClearCookies{.browser_context_id = context_id_}),
                    .origins = {}};
  for (const std::string& origin : origins_) {
    clearing.origins.push_back(session_->Start(cdp::storage::ClearDataForOrigin{.origin = origin}));
  }
  return clearing;
}

// A document that was opened before the answers could still find what its process remembers.
Status CdpPage::Finish(Clearing clearing) {
  TOPODB_TRY_VOID(clearing.cookies.Await(options_.timeout));
  for (auto& origin : clearing.origins) TOPODB_TRY_VOID(origin.Await(options_.timeout));
  return BringCookies();
}

Status CdpPage::BringCookies() {
  const auto& cookies = options_.storage.cookies;
  if (cookies.empty()) return {};
  const auto set = connection_.root().Call(
      cdp::storage::SetCookies{.cookies = cookies, .browser_context_id = context_id_},
      options_.timeout);
  if (!set) return set.error();
  return {};
}

Result<LoadReport> CdpPage::Navigate(const std::string& url) {
  doubt_.clear();
  TOPODB_TRY_VOID(Lost());
  fresh_ = false;
  url_ = url;
  frames_.clear();
  // Within the document that stands, an address with a fragment may be only another place.
  if (stays_ && url.find('#') != std::string::npos) TOPODB_TRY_VOID(OpenEmptyPage());
  stays_ = false;
  log_.BeginDocument();
  watch_.SetPhase(LoadPhase::kLoading);
  const ScopeVerdict scope = Judge(options_.guard.scope, url, RequestKind::kTopNavigation);
  if (!scope.allowed) {
    return Error{ErrorCode::kNavigation,
                 fmt::format("'{}' is out of scope: {}", RedactUrl(url), scope.reason), ""};
  }
  std::optional<cdp::Pending<cdp::page::AddScriptToEvaluateOnNewDocument>> restoring;
  if (!restore_script_.empty()) {
    restoring = session_->Start(cdp::page::AddScriptToEvaluateOnNewDocument{
        .source = restore_script_, .world_name = std::string(kWorldName)});
  }
  auto committed = session_->Call(cdp::page::Navigate{.url = url}, options_.timeout);
  // Documents that the page opens itself find what it left in its storage.
  if (restoring) {
    TOPODB_TRY(const auto script, restoring->Await(options_.timeout));
    session_->Post(cdp::page::RemoveScriptToEvaluateOnNewDocument{.identifier = script.identifier});
  }
  if (!committed) {
    if (committed.error().code != ErrorCode::kTimeout) return committed.error();
    session_->Post(cdp::page::StopLoading{});
    return Error{ErrorCode::kTimeout,
                 fmt::format("'{}' did not answer within {} s", RedactUrl(url),
                             options_.timeout.count() / 1000),
                 "raise --timeout if the site is slow"};
  }
  if (!committed->error_text.empty()) {
    return Error{ErrorCode::kNavigation,
                 fmt::format("cannot open '{}': {}", RedactUrl(url), committed->error_text), ""};
  }
  origins_.insert(Origin(url));
  TOPODB_TRY(SettleReport settle, Settle(SettleKind::kLoad, url));
  TOPODB_TRY_VOID(Lost());
  watch_.SetPhase(LoadPhase::kLoaded);
  return LoadReport{
      .http_status = log_.main_status(), .events = log_.TakeEvents(), .settle = std::move(settle)};
}

// ---- looking ------------------------------------------------------------------------------------

Result<FrameDrawn> CdpPage::DrawFrame(Millis limit, Millis horizon) {
  struct Asked {
    cdp::Pending<cdp::runtime::Evaluate> answer;
    Millis limit;
    bool must_answer;
  };
  // Sent to all frames at once: the page draws only when frames of other processes do.
  std::vector<Asked> asked;
  const auto ask = [&](const FrameWorld& world, std::string_view function, Millis until) {
    asked.push_back({.answer = world.session->Start(cdp::runtime::Evaluate{
                         .expression = fmt::format("topodb.{}({})", function, horizon.count()),
                         .unique_context_id = world.context_id,
                         .return_by_value = true,
                         .await_promise = true}),
                     .limit = until,
                     .must_answer = until == limit});
  };
  const auto remote = watch_.RemoteWorlds();
  const auto page = watch_.WorldOf(target_id_);
  // Frames of the page's own process are drawn with it, if at all.
  for (const FrameWorld& world : watch_.LocalWorlds()) ask(world, "facts", limit);
  if (page) ask(*page, "frame", remote.empty() ? limit : std::min(limit, kPageDraw));
  for (const FrameWorld& world : remote) ask(world, "frame", std::min(limit, kRemoteDraw));
  FrameDrawn drawn{.between = !page};
  for (Asked& one : asked) {
    const auto reply = one.answer.Await(one.limit);
    // A navigation in between: the old document's frame will never come, and need not.
    if (!reply && reply.error().code == ErrorCode::kProtocol) {
      drawn.between = true;
      continue;
    }
    if (!reply && !one.must_answer && reply.error().code == ErrorCode::kTimeout) continue;
    if (!reply) return reply.error();
    if (reply->exception) continue;
    TOPODB_TRY(const auto answer, PageAnswer::Parse(reply->result.value_json));
    drawn.changes += static_cast<uint64_t>(answer->Number("changes"));
    drawn.animations += static_cast<uint64_t>(answer->Number("animations"));
    drawn.outside += static_cast<uint64_t>(answer->Number("outside"));
    drawn.outside_begun += static_cast<uint64_t>(answer->Number("outsideBegun"));
    for (const std::string& name : answer->Texts("stored")) {
      log_.AddStorageTouched("indexedDB", name);
    }
    for (const std::string& what : answer->Texts("prompts")) log_.AddPrompt(what);
    const double timer = answer->Number("nextTimer");
    if (timer < 0) continue;
    const Millis due(static_cast<int64_t>(timer));
    drawn.next_timer = std::min(drawn.next_timer.value_or(due), due);
  }
  if (drawn.between) {
    // That the thread of the page is there must be certain all the same.
    const auto alive = session_->Call(cdp::runtime::Evaluate{.expression = "0"}, limit);
    if (!alive && alive.error().code != ErrorCode::kProtocol) return alive.error();
  }
  return drawn;
}

std::vector<std::shared_ptr<cdp::Session>> CdpPage::FrameClocks() { return watch_.FrameSessions(); }

bool CdpPage::AwaitWorkers(Millis limit) {
  const auto begin = SteadyClock::now();
  std::vector<cdp::Pending<cdp::runtime::Evaluate>> asked;
  for (const auto& worker : watch_.WorkerSessions()) {
    asked.push_back(
        worker->Start(cdp::runtime::Evaluate{.expression = "0", .return_by_value = true}));
  }
  bool all = true;
  for (auto& one : asked) {
    const auto answer = one.Await(std::max(Millis(0), limit - ElapsedSince(begin)));
    all = all && (answer || answer.error().code != ErrorCode::kTimeout);
  }
  return all;
}

Result<SettleReport> CdpPage::Settle(SettleKind kind, std::string_view url) {
  const Millis limit =
      std::max(kLeastToAnswer, options_.timeout - std::exchange(spent_, Millis(0)));
  auto report = clock_->Settle(kind, limit);
  if (kind == SettleKind::kAction && (report || report.error().code == ErrorCode::kTimeout)) {
    unanswered_ = log_.PendingDocument(target_id_);
  }
  if (!unanswered_.empty()) {
    // It is the other page that lets wait: this one still answers, and no other clock helps.
    session_->Post(cdp::page::StopLoading{});
    SettleReport ended;
    ended.clock = options_.clock == ClockKind::kReal ? "real" : "virtual";
    ended.still_busy = {unanswered_};
    return ended;
  }
  if (doubt_.empty()) doubt_ = clock_->Doubt();
  if (!report) return Named(report.error(), url);
  return report;
}

Error CdpPage::Named(const Error& error, std::string_view url) const {
  if (error.code != ErrorCode::kTimeout) return error;
  const bool real = options_.clock == ClockKind::kReal;
  return Error{ErrorCode::kTimeout,
               fmt::format("'{}' does not answer within {} s: {}", RedactUrl(url),
                           options_.timeout.count() / 1000, error.message),
               real ? "raise --timeout if the page needs longer"
                    : "raise --timeout if the page needs longer, or try --clock real"};
}

Result<PageSnapshot> CdpPage::Snapshot() {
  TOPODB_TRY_VOID(Lost());
  ++generation_;
  auto page = LookThroughRoots();
  if (!page) return Named(page.error(), url_);
  return page;
}

Result<PageSnapshot> CdpPage::LookThroughRoots() {
  TOPODB_TRY(PageSnapshot page, Look());
  // What is inside a closed root may hold another one; a page without end is cut off.
  for (int depth = 0; depth < kMaxShadowDepth && page.closed_shadow_roots > 0; ++depth) {
    TOPODB_TRY(const bool opened, OpenRoots(page));
    if (!opened) {
      page.closed_shadow_roots = 0;  // they only looked like hosts
      break;
    }
    TOPODB_TRY(page, Look());
  }
  return page;
}

Result<PageSnapshot> CdpPage::Look() {
  TOPODB_TRY(frames_, ListFrames(*session_, watch_, options_.timeout));
  const std::string expression = SnapshotExpression(generation_);
  std::vector<FrameAnswer> answers(frames_.size());
  std::vector<std::optional<cdp::Pending<cdp::runtime::Evaluate>>> pending(frames_.size());
  for (size_t i = 0; i < frames_.size(); ++i) {
    answers[i] = {.url = frames_[i].url, .parent = frames_[i].parent, .child = frames_[i].child};
    const auto world = watch_.WorldOf(frames_[i].id);
    if (!world) {
      answers[i].failure = "the frame has no document that can be asked";
      continue;
    }
    // Gives every frame's document an accessibility context, without which each computed name
    // would build the whole tree anew.
    auto context =
        world->session->Start(cdp::accessibility::GetRootAxNode{.frame_id = frames_[i].id});
    pending[i].emplace(
        world->session->Start(cdp::runtime::Evaluate{.expression = expression,
                                                     .unique_context_id = world->context_id,
                                                     .return_by_value = true,
                                                     .include_command_line_api = true}));
  }
  for (size_t i = 0; i < frames_.size(); ++i) {
    if (!pending[i]) continue;
    auto reply = pending[i]->Await(options_.timeout);
    if (!reply) {
      if (reply.error().code != ErrorCode::kProtocol) return reply.error();
      answers[i].failure = reply.error().message;
    } else if (reply->exception) {
      answers[i].failure = reply->exception->description;
    } else {
      answers[i].json = std::move(reply->result.value_json);
    }
  }
  TOPODB_TRY(PageSnapshot page, Assemble(answers));
  TOPODB_TRY(const bool placed, PlaceFrames(page, answers));
  return placed ? Assemble(answers) : std::move(page);
}

Result<PageSnapshot> CdpPage::Assemble(const std::vector<FrameAnswer>& answers) const {
  return AssembleSnapshot(
      answers,
      {.entry = options_.entry, .generation = generation_, .http_status = log_.main_status()});
}

Result<bool> CdpPage::PlaceFrames(const PageSnapshot& seen, std::vector<FrameAnswer>& answers) {
  bool any = false;
  for (size_t i = 0; i < seen.frames.size(); ++i) {
    if (seen.frames[i].placed || !frames_[i].parent) continue;
    auto place = FindOwner(frames_[i], frames_[*frames_[i].parent], watch_, options_.timeout);
    if (!place && place.error().code != ErrorCode::kProtocol) return place.error();
    if (!place) continue;  // stays unplaced, and is reported so
    answers[i].place_json = *std::move(place);
    any = true;
  }
  return any;
}

Result<bool> CdpPage::OpenRoots(const PageSnapshot& seen) {
  bool any = false;
  for (size_t i = 0; i < seen.frames.size(); ++i) {
    const uint32_t count = seen.frames[i].closed_shadow_roots;
    const auto world = count > 0 ? watch_.WorldOf(frames_[i].id) : std::nullopt;
    if (!world) continue;
    TOPODB_TRY(const bool opened, OpenShadowRoots(*world, count, options_.timeout));
    any = any || opened;
  }
  return any;
}

// ---- acting -------------------------------------------------------------------------------------

Result<ActionReport> CdpPage::Perform(const NodeRef& node, const ActionRequest& action) {
  doubt_.clear();
  TOPODB_TRY_VOID(Lost());
  (void)log_.TakeEvents();
  if (node.generation != generation_ || node.frame >= frames_.size()) {
    ActionReport report;
    report.outcome = ActionOutcome::kStale;
    report.detail = "the page was looked at again since";
    return report;
  }
  const std::string url = frames_.front().url;
  Performer performer({.session = *session_,
                       .root = connection_.root(),
                       .context_id = context_id_,
                       .log = log_,
                       .watch = watch_,
                       .frames = frames_,
                       .settle = [&](SettleKind kind) { return Settle(kind, url); },
                       .timeout = options_.timeout});
  auto report = performer.Perform(node, action);
  const std::string unanswered = std::exchange(unanswered_, {});
  if (report) report->unanswered = unanswered;
  return report;
}

}  // namespace topodb::capture
