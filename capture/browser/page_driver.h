#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// The verbs that exploring and replaying need of one page. The real one is CdpPage; SimSite
// (tests/support) is a model of a site. Blocking; one thread at a time per driver.
namespace topodb::capture {

struct DialogSeen {
  std::string kind;    // alert | confirm | prompt | beforeunload
  std::string text;    // capped
  std::string answer;  // dismissed | accepted
  bool operator==(const DialogSeen&) const = default;
};

struct RequestSeen {
  std::string method;
  std::string url;  // redacted
  std::string resource_type;
  std::optional<uint32_t> status;  // absent: no response seen
  bool blocked = false;            // failed by the guard or by scope
  std::string blocked_by;          // "guard" | "scope"; empty unless blocked
  std::string allowed_by;          // by which exception of the guard; empty: it needed none
  bool operator==(const RequestSeen&) const = default;
};

// Something kept for later pages that was written or removed; what it holds is never looked at.
struct StorageTouched {
  std::string area;  // cookie | localStorage | sessionStorage | indexedDB
  std::string key;   // redacted; of indexedDB: database/store; empty: all of the area
  auto operator<=>(const StorageTouched&) const = default;
};

inline constexpr std::string_view kFileChooserPrompt = "file_chooser", kPrintPrompt = "print";

// Everything that happened on the page, beside its own content, since the previous report.
struct PageEvents {
  std::vector<DialogSeen> dialogs;
  std::vector<RequestSeen> requests;   // in order of sending; data: and blob: left out
  std::vector<std::string> popups;     // redacted URLs of windows the page opened; already closed
  std::vector<std::string> downloads;  // redacted URLs; denied
  std::vector<std::string> console_errors;      // capped
  std::vector<StorageTouched> storage_touched;  // sorted, each once
  // What else a person would have been asked, sorted: kFileChooserPrompt, kPrintPrompt, or a
  // permission such as "geolocation". Dismissed.
  std::vector<std::string> prompts;
  bool operator==(const PageEvents&) const = default;
};

struct LoadReport {
  std::optional<uint32_t> http_status;
  PageEvents events;
  SettleReport settle;
};

// What to do with a pinned node.
struct ActionRequest {
  ActionType type = ActionType::kClick;
  // fill: the text; select: an option's value or label, one a line where several may be chosen;
  // press: a key, see ParseKey; upload: a file. No report repeats it: it may be a secret.
  std::string value;
};

// Why an action was not, or not certainly, performed.
enum class ActionOutcome : uint8_t {
  kDispatched,  // a trusted event reached the pinned node
  kStale,       // the node is gone or is no longer what the snapshot said
  kNotVisible,
  kDisabled,
  kObscured,       // `detail` names what covers it
  kOffscreen,      // still outside the viewport after scrolling
  kUnstable,       // its box never came to rest
  kWrongReceiver,  // the event was caught at another node and stopped
  kUnconfirmed,    // sent, but no receipt within the deadline
  kNotTaken,       // the node does not take this value, key or file; nothing was sent
};

struct ActionReport {
  ActionOutcome outcome = ActionOutcome::kDispatched;
  std::string detail;
  bool scrolled = false;       // the tool itself scrolled to reach the node
  PageEvents scroll_events;    // caused by that scrolling, not by the action
  bool value_changed = false;  // of the control that something was entered into
  PageEvents events;
  SettleReport settle;
  // Redacted address of a page that the action asked for and that did not come in time; empty:
  // none. Asking was ended, and the page stands as it was.
  std::string unanswered;
  // Address, unredacted, of the one window that the action opened, when the run may open it; empty:
  // none, or several. The window is closed and loaded nothing: Navigate shows what it would have
  // shown.
  std::string window;
  // The action filled a region, which was waited for; its ids are the caller's to fill in.
  std::optional<CompletionObservation> completion;
};

class PageDriver {
 public:
  virtual ~PageDriver() = default;

  // Makes a clean page for the next Navigate: cookies and storage as they were at the start of the
  // run, and nothing of the last document left.
  // kBrowserGone when it cannot be had.
  virtual Status Reset() = 0;

  // Opens `url` and settles. kNavigation (unreachable, refused, out of scope), kTimeout,
  // kTargetCrashed, kBrowserGone.
  virtual Result<LoadReport> Navigate(const std::string& url) = 0;

  // Looks at the settled page. The returned NodeRefs are valid until the next call of Snapshot,
  // Navigate or Reset. kTimeout when the page does not answer, kTargetCrashed, kBrowserGone.
  virtual Result<PageSnapshot> Snapshot() = 0;

  // Acts on exactly this node: checks that it still is what the snapshot recorded, scrolls it into
  // view, waits until its box rests, hit-tests, dispatches real input, confirms the receiver and
  // settles. Anything but kDispatched means that no event took effect on a wrong node.
  virtual Result<ActionReport> Perform(const NodeRef& node, const ActionRequest& action) = 0;
};

}  // namespace topodb::capture
