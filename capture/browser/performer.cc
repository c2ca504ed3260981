#include "capture/browser/performer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/page_answer.h"
#include "capture/cdp/json.h"
#include "capture/cdp/protocol/dom.h"
#include "capture/cdp/protocol/input.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/guard/redact.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Input that nobody answers within this time waits for a dialog or a navigation; settling goes on.
constexpr Millis kInputTimeout{3'000};
// A receipt comes with the event itself.
constexpr Millis kReceiptTimeout{3'000};
// A window that the page opened asks for its document within this time, or never.
constexpr Millis kPopupTimeout{2'000};

ActionOutcome OutcomeOf(std::string_view text) {
  if (text == "ready") return ActionOutcome::kDispatched;
  if (text == "notVisible") return ActionOutcome::kNotVisible;
  if (text == "disabled") return ActionOutcome::kDisabled;
  if (text == "obscured") return ActionOutcome::kObscured;
  if (text == "offscreen") return ActionOutcome::kOffscreen;
  if (text == "notTaken") return ActionOutcome::kNotTaken;
  return ActionOutcome::kStale;
}

// By what act.js tells the right events from others.
std::string_view KindOf(ActionType type) {
  switch (type) {
    case ActionType::kFill:
    case ActionType::kSelect:
      return "text";
    case ActionType::kPress:
      return "key";
    case ActionType::kUpload:
      return "none";
    case ActionType::kHover:
      return "hover";
    case ActionType::kClick:
    case ActionType::kCheck:
      break;
  }
  return "pointer";
}

std::string Target(const NodeRef& node) {
  return fmt::format("{{generation:{},index:{}}}", node.generation, node.index);
}

}  // namespace

Result<ActionReport> Performer::Perform(const NodeRef& node, const ActionRequest& action) {
  ActionReport report;
  TOPODB_TRY(const bool reached, Reach(node, report));
  if (!reached) return report;
  TOPODB_TRY(Aim aim, TakeAim(node, KindOf(action.type)));
  std::optional<cdp::Pending<cdp::storage::GetCookies>> cookies;
  if (aim.outcome == ActionOutcome::kDispatched) {
    (void)page_.log.TakeReceipts();
    (void)page_.log.TakeWindows();
    cookies.emplace(AskForCookies());
    TOPODB_TRY(aim, Send(node, action, aim, report));
  }
  report.outcome = aim.outcome;
  report.detail = std::move(aim.detail);
  if (report.outcome != ActionOutcome::kDispatched) {
    Disarm();
    return report;
  }
  TOPODB_TRY_VOID(Lost());
  TOPODB_TRY(report.settle, page_.settle(SettleKind::kAction));
  AwaitPopups();
  if (auto windows = page_.log.TakeWindows(); windows.size() == 1) {
    report.window = std::move(windows.front());
  }
  NoteCookies(*std::move(cookies));
  Confirm(report);
  Disarm();
  TOPODB_TRY_VOID(Lost());
  return report;
}

Status Performer::Lost() const {
  if (const auto closed = page_.log.closed()) return *closed;
  return {};
}

// ---- finding the way ----------------------------------------------------------------------------

Result<std::string> Performer::Ask(const std::string& frame_id, const std::string& expression) {
  const auto world = page_.watch.WorldOf(frame_id);
  if (!world) {
    TOPODB_TRY_VOID(Lost());
    return Error{ErrorCode::kProtocol, "the frame has no document that can be asked", ""};
  }
  return AskPage(*world, expression, page_.timeout);
}

Performer::Aim Performer::AimOf(const PageAnswer& answer) {
  return {.outcome = OutcomeOf(answer.Text("outcome")),
          .detail = RedactText(answer.Text("detail")),
          .point = {answer.Number("x"), answer.Number("y")}};
}

Result<Performer::Aim> Performer::AskAbout(const NodeRef& node, std::string_view function,
                                           const std::string& more) {
  TOPODB_TRY(const auto json, Ask(page_.frames[node.frame].id,
                                  fmt::format("topodb.{}({}{})", function, Target(node), more)));
  TOPODB_TRY(const auto answer, PageAnswer::Parse(json));
  return AimOf(*answer);
}

Result<bool> Performer::Reach(const NodeRef& node, ActionReport& report) {
  const auto& frames = page_.frames;
  TOPODB_TRY(const auto json,
             Ask(frames[node.frame].id, fmt::format("topodb.reach({})", Target(node))));
  TOPODB_TRY(const auto answer, PageAnswer::Parse(json));
  report.outcome = OutcomeOf(answer->Text("outcome"));
  report.detail = RedactText(answer->Text("detail"));
  if (report.outcome != ActionOutcome::kDispatched) return false;
  report.scrolled = answer->Flag("scrolled");
  for (size_t i = node.frame; frames[i].parent; i = *frames[i].parent) {
    if (!frames[i].owner) continue;
    TOPODB_TRY(const auto revealed,
               Ask(frames[*frames[i].parent].id,
                   fmt::format("topodb.reveal({{owner:{}}})", *frames[i].owner)));
    TOPODB_TRY(const auto moved, PageAnswer::Parse(revealed));
    report.scrolled = report.scrolled || moved->Flag("scrolled");
  }
  if (report.scrolled) {
    TOPODB_TRY_VOID(page_.settle(SettleKind::kScroll));
    report.scroll_events = page_.log.TakeEvents();
  }
  return true;
}

Result<Performer::Aim> Performer::TakeAim(const NodeRef& node, std::string_view kind) {
  TOPODB_TRY(Aim aim, AskAbout(node, "aim", fmt::format(", '{}'", kind)));
  if (aim.outcome != ActionOutcome::kDispatched) return aim;
  return ThroughFrames(node.frame, aim.point, kind);
}

Result<Performer::Aim> Performer::ThroughFrames(size_t frame, Point point, std::string_view kind) {
  while (page_.frames[frame].parent) {
    const size_t parent = *page_.frames[frame].parent;
    const PageFrame& inner = page_.frames[frame];
    const std::string which = inner.owner ? fmt::format("owner:{}", *inner.owner)
                                          : fmt::format("frame:{}", inner.child.value_or(0));
    TOPODB_TRY(const auto json, Ask(page_.frames[parent].id,
                                    fmt::format("topodb.throughFrame({{{},x:{},y:{}}}, '{}')",
                                                which, point.x, point.y, kind)));
    TOPODB_TRY(const auto answer, PageAnswer::Parse(json));
    const ActionOutcome outcome = OutcomeOf(answer->Text("outcome"));
    if (outcome != ActionOutcome::kDispatched) {
      return Aim{.outcome = outcome, .detail = RedactText(answer->Text("detail")), .point = {}};
    }
    point = {answer->Number("x"), answer->Number("y")};
    frame = parent;
  }
  return Aim{.outcome = ActionOutcome::kDispatched, .detail = {}, .point = point};
}

// ---- sending ------------------------------------------------------------------------------------

Result<Performer::Aim> Performer::Send(const NodeRef& node, const ActionRequest& action,
                                       const Aim& aim, ActionReport& report) {
  switch (action.type) {
    case ActionType::kFill:
    case ActionType::kSelect:
      return Enter(node, action.value, report);
    case ActionType::kPress:
      return Press(node, action.value);
    case ActionType::kUpload:
      return HandOver(node, action.value, report);
    case ActionType::kHover:
      // The page hears of it with its next frame, which settling draws.
      Hover(aim.point);
      return aim;
    case ActionType::kClick:
    case ActionType::kCheck:
      break;
  }
  Click(aim.point);
  return aim;
}

void Performer::Click(Point point) {
  using cdp::input::DispatchMouseEvent;
  Hover(point);
  auto pressed = page_.session.Start(DispatchMouseEvent{.type = "mousePressed",
                                                        .x = point.x,
                                                        .y = point.y,
                                                        .button = "left",
                                                        .buttons = 1,
                                                        .click_count = 1});
  auto released = page_.session.Start(DispatchMouseEvent{
      .type = "mouseReleased", .x = point.x, .y = point.y, .button = "left", .click_count = 1});
  // A dialog or a navigation may keep the replies back; the receipt says what happened.
  (void)released.Await(kInputTimeout);
  AwaitReceipt();
}

void Performer::Hover(Point point) {
  page_.session.Post(
      cdp::input::DispatchMouseEvent{.type = "mouseMoved", .x = point.x, .y = point.y});
}

Result<Performer::Aim> Performer::Enter(const NodeRef& node, const std::string& value,
                                        ActionReport& report) {
  const std::string& frame = page_.frames[node.frame].id;
  TOPODB_TRY(const auto json,
             Ask(frame, fmt::format("topodb.enter({}, {})", Target(node), cdp::QuoteJson(value))));
  TOPODB_TRY(const auto answer, PageAnswer::Parse(json));
  Aim aim = AimOf(*answer);
  report.value_changed = answer->Flag("changed");
  if (aim.outcome != ActionOutcome::kDispatched || !answer->Flag("typing")) return aim;
  if (value.empty()) {
    SendKey(*ParseKey("Delete"));
  } else {
    (void)page_.session.Call(cdp::input::InsertText{.text = value}, kInputTimeout);
  }
  AwaitReceipt();
  const auto changed = Ask(frame, "topodb.entered()");
  if (!changed && changed.error().code != ErrorCode::kProtocol) return changed.error();
  report.value_changed = changed && *changed == "true";
  return aim;
}

Result<Performer::Aim> Performer::Press(const NodeRef& node, const std::string& name) {
  const auto key = ParseKey(name);
  if (!key) {
    return Aim{.outcome = ActionOutcome::kNotTaken, .detail = "there is no such key", .point = {}};
  }
  TOPODB_TRY(Aim aim, AskAbout(node, "focusOn", ""));
  if (aim.outcome != ActionOutcome::kDispatched) return aim;
  SendKey(*key);
  AwaitReceipt();
  return aim;
}

Result<Performer::Aim> Performer::HandOver(const NodeRef& node, const std::string& file,
                                           ActionReport& report) {
  Aim aim{.outcome = ActionOutcome::kNotTaken, .detail = "there is no such file", .point = {}};
  std::error_code error;
  const auto path = std::filesystem::absolute(file, error);
  if (error || !std::filesystem::is_regular_file(path, error)) return aim;
  const auto world = page_.watch.WorldOf(page_.frames[node.frame].id);
  if (!world) return Aim{.outcome = ActionOutcome::kStale, .detail = {}, .point = {}};
  TOPODB_TRY(const auto input,
             world->session->Call(cdp::runtime::Evaluate{.expression = fmt::format(
                                                             "topodb.fileInput({})", Target(node)),
                                                         .unique_context_id = world->context_id},
                                  page_.timeout));
  aim.detail = "it takes no file";
  if (input.exception || input.result.object_id.empty()) return aim;
  TOPODB_TRY_VOID(world->session->Call(
      cdp::dom::SetFileInputFiles{.files = {path.string()}, .object_id = input.result.object_id},
      page_.timeout));
  AwaitReceipt();
  report.value_changed = true;
  return Aim{.outcome = ActionOutcome::kDispatched, .detail = {}, .point = {}};
}

void Performer::SendKey(const Key& key) {
  cdp::input::DispatchKeyEvent event{.type = key.text ? "keyDown" : "rawKeyDown",
                                     .key = key.key,
                                     .code = key.code,
                                     .modifiers = key.modifiers,
                                     .text = key.text,
                                     .windows_virtual_key_code = key.windows_virtual_key_code};
  page_.session.Post(event);
  event.type = "keyUp";
  event.text.reset();
  (void)page_.session.Call(event, kInputTimeout);
}

// ---- afterwards ---------------------------------------------------------------------------------

void Performer::AwaitReceipt() {
  (void)page_.log.WaitFor([](const PageLog::View& view) { return view.receipts > 0; },
                          SteadyClock::now() + kReceiptTimeout);
}

cdp::Pending<cdp::storage::GetCookies> Performer::AskForCookies() {
  return page_.root.Start(cdp::storage::GetCookies{.browser_context_id = page_.context_id});
}

// No event tells of every change: scripts, responses and workers all set cookies.
void Performer::NoteCookies(cdp::Pending<cdp::storage::GetCookies> before) {
  const auto then = before.Await(page_.timeout);
  const auto now = AskForCookies().Await(page_.timeout);
  if (!then || !now) return;
  const auto note = [&](const auto& these, const auto& those) {
    for (const cdp::storage::Cookie& cookie : these) {
      if (std::ranges::find(those, cookie) == those.end()) {
        page_.log.AddStorageTouched("cookie", cookie.name);
      }
    }
  };
  note(then->cookies, now->cookies);
  note(now->cookies, then->cookies);
}

void Performer::Confirm(ActionReport& report) {
  const auto receipts = page_.log.TakeReceipts();
  report.events = page_.log.TakeEvents();
  const auto wrong = std::find_if(receipts.begin(), receipts.end(),
                                  [](const auto& text) { return text.starts_with("wrong "); });
  if (wrong != receipts.end()) {
    report.outcome = ActionOutcome::kWrongReceiver;
    report.detail = RedactText(wrong->substr(6));
  } else if (receipts.empty()) {
    report.outcome = ActionOutcome::kUnconfirmed;
  }
}

void Performer::AwaitPopups() {
  (void)page_.log.WaitFor([](const PageLog::View& view) { return view.popups_opening == 0; },
                          SteadyClock::now() + kPopupTimeout);
  page_.watch.ClosePopups();
}

void Performer::Disarm() {
  for (const PageFrame& frame : page_.frames) {
    const auto world = page_.watch.WorldOf(frame.id);
    if (!world) continue;
    world->session->Post(cdp::runtime::Evaluate{.expression = "topodb.disarm()",
                                                .unique_context_id = world->context_id});
  }
}

}  // namespace topodb::capture
