#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/browser/page_driver.h"

namespace topodb::capture {

// What happened on one page and on everything it started (frames, workers, popups), collected by
// the connection's I/O thread and read by the page's own thread, which can wait for more. Texts
// and URLs are redacted as they enter.
class PageLog {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // ---- written on the I/O thread ----
  void AddDialog(DialogSeen dialog);
  // `frame`: whose document is asked for; empty for anything but documents.
  void AddRequest(const std::string& id, std::string_view method, std::string_view url,
                  std::string_view type, std::string_view frame);
  void AddResponse(const std::string& id, uint32_t status, bool is_event_stream);
  void EndRequest(const std::string& id);
  // The frame moved to another process, where its document has arrived.
  void EndDocument(std::string_view frame);
  // What was judged about a request; `id` is its network id, empty when it has none.
  struct Judged {
    std::string_view id, method, url, type;
  };
  // It was failed before it left the browser.
  void BlockRequest(const Judged& request, std::string_view blocked_by);
  // It may leave, by an exception that is to be recorded.
  void AllowRequest(const Judged& request, std::string_view allowed_by);
  void AddPopup(std::string_view url);
  // A window that was opened got as far as asking for its document; `url`, which stays as it is,
  // is empty when the run may not open it.
  void AddPopupDocument(std::string_view url);
  void AddDownload(std::string_view url);
  void AddConsoleError(std::string_view text);
  void AddStorageTouched(std::string_view area, std::string_view key);
  void AddPrompt(std::string_view what);
  // Something that needs another process than the page's: a frame.
  void AddAsyncSource();
  // One that also may speak unasked: a socket, an event stream, a worker.
  void AddSpeaker();
  // A socket or an event stream said something.
  void AddMessage();
  void AddReceipt(std::string_view payload);
  // The document changed since the last look at its region.
  void AddRegionChange();
  void AddBudgetExpired();
  void AddFrameBudgetExpired();         // of a frame with a clock of its own
  void SetMainStatus(uint32_t status);  // of the main frame's document
  void SetClosed(const Error& why);

  // ---- read on the page's thread ----
  // Everything since the last call.
  PageEvents TakeEvents();
  // Addresses of windows since the last call, as they were given.
  std::vector<std::string> TakeWindows();
  // Receipts since the last call, in order.
  std::vector<std::string> TakeReceipts();
  // Waits until `done` holds, the page is lost or `until` has passed; true when it holds. `done` is
  // called with the log's state locked and must not call back into it.
  struct View {
    uint64_t budgets_expired = 0;
    uint64_t frame_budgets_expired = 0;  // of all frames with clocks of their own together
    uint64_t dialogs = 0;
    size_t receipts = 0;
    uint64_t region_changes = 0;
    size_t popups_opening = 0;  // that have not asked for their document yet
    TimePoint last_network;
    TimePoint last_message;                                       // of a socket or an event stream
    const std::map<std::string, std::string>* pending = nullptr;  // id -> redacted URL
    const std::set<std::string>* streams = nullptr;  // ids that never end by themselves
    size_t documents_pending = 0;                    // of the page and its frames
  };
  bool WaitFor(const std::function<bool(const View&)>& done, TimePoint until);
  uint64_t budgets_expired() const;
  uint64_t frame_budgets_expired() const;
  bool has_async_source() const;  // speakers included
  bool has_speaker() const;
  std::optional<uint32_t> main_status() const;
  std::vector<std::string> PendingUrls() const;
  // The redacted address of the document that the frame has asked for; empty: of none.
  std::string PendingDocument(std::string_view frame) const;
  std::optional<Error> closed() const;
  // A new document begins: what was pending and seen of the old one is forgotten.
  void BeginDocument();
  // Hosts that anything was loaded from, since the page was made.
  std::set<std::string> Hosts() const;

 private:
  View MakeView() const;
  void Touch();                              // with mutex_ held: network activity now
  RequestSeen* Find(const Judged& request);  // with mutex_ held; null when there are too many

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PageEvents events_;
  std::map<std::string, size_t> request_index_;  // id -> events_.requests
  std::set<std::string> judged_first_;           // ids that were judged before they were announced
  std::map<std::string, std::string> pending_;
  std::set<std::string> streams_;
  std::map<std::string, std::string> documents_;  // pending ones: id -> frame
  std::set<std::string> hosts_;
  std::vector<std::string> receipts_, windows_;
  uint64_t budgets_expired_ = 0, frame_budgets_expired_ = 0;
  uint64_t dialogs_ = 0, region_changes_ = 0;
  size_t popup_documents_due_ = 0, popup_documents_ = 0;
  bool async_source_ = false, speaker_ = false;
  std::optional<uint32_t> main_status_;
  std::optional<Error> closed_;
  TimePoint last_network_{}, last_message_{};
};

}  // namespace topodb::capture
