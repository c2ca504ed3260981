#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/keys.h"
#include "capture/browser/page_answer.h"
#include "capture/browser/page_driver.h"
#include "capture/browser/page_frames.h"
#include "capture/browser/page_log.h"
#include "capture/browser/target_watch.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/cdp/session.h"
#include "capture/settle/page_clock.h"

namespace topodb::capture {

// What performing needs of the page that it is done on; all of it must outlive the Performer.
struct PageAtHand {
  cdp::Session& session;  // of the main frame, which input is sent to
  cdp::Session& root;     // of the browser, which is asked for cookies
  const std::string& context_id;
  PageLog& log;
  TargetWatch& watch;
  const std::vector<PageFrame>& frames;  // of the last snapshot
  std::function<Result<SettleReport>(SettleKind)> settle;
  Millis timeout;
};

// Acts on one node of the last snapshot, and on nothing else: the node is checked, scrolled to and
// hit-tested through all frames around it; then input is sent as a mouse or a keyboard would, and a
// listener that hears it before the page does confirms the receiver, or stops the event.
//
//   click, check   a press of the left button
//   hover          a move of the pointer
//   fill           the focused text is selected and replaced, as by an input method
//   press          a key, see ParseKey
//   upload         the file is handed over as the file dialog would
//   select         the option is chosen
//
// Options, dates, times, colours and ranges cannot be entered by the same keys everywhere: the
// value is set, and the page is told by input and change events, which it can tell from trusted
// ones.
class Performer {
 public:
  explicit Performer(PageAtHand page) : page_(std::move(page)) {}

  // As PageDriver::Perform.
  Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action);

 private:
  struct Point {
    double x = 0, y = 0;
  };
  struct Aim {
    ActionOutcome outcome = ActionOutcome::kDispatched;  // kDispatched: ready
    std::string detail;
    Point point;  // in the main frame's viewport
  };

  // Evaluates in topodb's world of a frame; the value as JSON text.
  Result<std::string> Ask(const std::string& frame_id, const std::string& expression);
  static Aim AimOf(const PageAnswer& answer);
  // Calls a function of act.js about the node; `more`: its further arguments.
  Result<Aim> AskAbout(const NodeRef& node, std::string_view function, const std::string& more);
  Result<bool> Reach(const NodeRef& node, ActionReport& report);
  Result<Aim> TakeAim(const NodeRef& node, std::string_view kind);
  // Adds the places of the frames around it and hit-tests each of them.
  Result<Aim> ThroughFrames(size_t frame, Point point, std::string_view kind);

  // Each sends the input, and returns early, with what is wrong, before anything was sent.
  Result<Aim> Send(const NodeRef& node, const ActionRequest& action, const Aim& aim,
                   ActionReport& report);
  void Click(Point point);
  void Hover(Point point);
  Result<Aim> Enter(const NodeRef& node, const std::string& value, ActionReport& report);
  Result<Aim> Press(const NodeRef& node, const std::string& name);
  Result<Aim> HandOver(const NodeRef& node, const std::string& file, ActionReport& report);
  void SendKey(const Key& key);

  cdp::Pending<cdp::storage::GetCookies> AskForCookies();
  void NoteCookies(cdp::Pending<cdp::storage::GetCookies> before);
  void AwaitReceipt();
  void Confirm(ActionReport& report);
  // Lets the windows that the action opened say what they are for, and closes them.
  void AwaitPopups();
  void Disarm();
  Status Lost() const;

  const PageAtHand page_;
};

}  // namespace topodb::capture
