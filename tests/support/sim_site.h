#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/page_driver.h"

// A model of a web site that is driven like a real page: what is on each page is declared, the
// snapshots are made of it. Deterministic.
namespace topodb::testing {

// What a widget does when it is acted on.
struct SimAct {
  enum class Kind : uint8_t {
    kNothing,
    kGoTo,        // opens `argument`: a path of the site, or an absolute URL elsewhere
    kOpenDialog,  // opens the page's dialog `argument`
    kCloseDialog,
    kSetFlag,  // page-local; widgets can depend on it
    kSay,      // the page's status line says `argument`
    kSend,     // POSTs to `argument`; the guard blocks it
    kAlert,
    kPopup,
    kDownload,
    kStore,  // writes local storage
    kCrashTab,
    kHang,
    kKillBrowser,
  };
  Kind kind = Kind::kNothing;
  std::string argument = {};
};

struct SimWidget {
  std::string role = "button", tag = "button", name;
  SimAct act;
  std::string href;        // links; as written
  std::string input_type;  // inputs
  std::string row;         // key of the table row that holds it; empty: none
  std::string dom_id;
  std::string covered_by;
  std::string only_with;  // there only while this flag is set
  std::string gone_with;  // there only while this flag is not set
  bool disabled = false, hidden = false;
  // How the driver's own check ends, whatever the snapshot said.
  capture::ActionOutcome outcome = capture::ActionOutcome::kDispatched;
};

SimWidget SimLink(std::string name, std::string href);
SimWidget SimButton(std::string name, SimAct act = {});
SimWidget SimInput(std::string name, std::string input_type = "text");

struct SimPage {
  std::string title = {};
  std::vector<std::string> headings = {};
  std::vector<SimWidget> widgets = {};
  std::map<std::string, std::vector<SimWidget>> dialogs = {};  // by name
  bool ticking = false;  // one heading is different on every load
  bool polling = false;  // POSTs by itself when loaded; the guard blocks it
  uint32_t http_status = 200;
  uint32_t closed_shadow_roots = 0;
  std::vector<SnapshotFrame> frames = {};  // besides the main one
  // Navigating here fails.
  std::optional<ErrorCode> broken = std::nullopt;
};

class SimSite final : public capture::PageDriver {
 public:
  static constexpr std::string_view kOrigin = "http://sim.test";

  void AddPage(std::string path, SimPage page) { pages_[std::move(path)] = std::move(page); }
  static std::string Url(std::string_view path) { return std::string(kOrigin) + std::string(path); }
  static bool InScope(const std::string& url) { return url.starts_with(kOrigin); }

  Status Reset() override;
  Result<capture::LoadReport> Navigate(const std::string& url) override;
  Result<PageSnapshot> Snapshot() override;
  Result<capture::ActionReport> Perform(const NodeRef& node,
                                        const capture::ActionRequest& action) override;

  // The n-th call of any verb (1-based) fails so; what the code means for the page holds from then
  // on until Reset.
  void FailCall(uint64_t n, ErrorCode code) { fail_call_ = n, fail_code_ = code; }
  // No page is different on another load any more.
  void HoldStill();
  // A killed browser cannot be started again.
  void StayDead() { stays_dead_ = true; }

  uint64_t calls() const { return calls_; }
  uint64_t loads() const { return loads_; }  // of any page
  // Names of the widgets that input reached, in order.
  const std::vector<std::string>& acted() const { return acted_; }
  // Every address that was opened, in order.
  const std::vector<std::string>& opened() const { return opened_; }
  // Every storage write that was still there when a later load began.
  uint64_t leaks() const { return leaks_; }

 private:
  struct Shown {
    const SimWidget* widget = nullptr;
    std::string dialog;  // that holds it; empty: the page itself
    uint32_t sibling = 0;
  };

  Status Begin();
  Error Fail(ErrorCode code);
  Status Open(const std::string& url, capture::PageEvents& events);
  Status Act(const SimWidget& widget, const capture::ActionRequest& action,
             capture::PageEvents& events);
  std::vector<Shown> Visible() const;
  SnapshotNode MakeNode(const std::vector<Shown>& shown, size_t index) const;
  void AddContext(SnapshotNode& node, const std::vector<Shown>& shown, size_t index) const;
  void AddMarks(PageSnapshot& snapshot) const;
  void AddHashes(PageSnapshot& snapshot) const;
  const SimPage& page() const;

  std::map<std::string, SimPage> pages_;

  std::string url_;
  std::string dialog_, status_line_;
  std::set<std::string> flags_;
  std::map<std::string, std::string> entered_;
  std::optional<size_t> focused_;
  std::optional<ErrorCode> lost_;  // tab or browser
  bool stored_ = false;

  uint64_t generation_ = 0, calls_ = 0, loads_ = 0, leaks_ = 0, fail_call_ = 0;
  ErrorCode fail_code_ = ErrorCode::kTimeout;
  bool stays_dead_ = false;
  std::vector<std::string> acted_, opened_;
};

}  // namespace topodb::testing
