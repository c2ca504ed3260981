#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "capture/risk/risk_policy.h"
#include "query/replay/plan.h"
#include "query/replay/report.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

// Performs recorded edges on a live site and proves, step by step, that it did what was recorded.
// Nothing is acted on whose recorded identity the page does not carry.
namespace topodb::replay {

enum class PositionalTargets : uint8_t {
  kReadOnly,  // a target told from its twins by position alone may be read or revealed
  kAllowed,   // and changed
};

// Where an earlier replay is to be taken up.
struct Resumption {
  size_t from_step = 1;     // 1-based; earlier steps are left out
  std::string plan_digest;  // of the earlier report
};

struct ReplayOptions {
  Selection selection = {};
  std::string base = {};  // where the site is now; empty: where it was recorded
  // Acted on besides low risk {navigation, ui_reveal, read_only}; the live element decides, what
  // the run says about its risk is never trusted.
  std::vector<RiskCategory> allowed = {};
  PositionalTargets positional = PositionalTargets::kReadOnly;
  // True for addresses that may be opened; empty: all. Asked with addresses of the live site.
  std::function<bool(const std::string& url)> in_scope = {};
  capture::Millis deadline{0};  // for the whole replay; 0: none
  // What to enter where the run does not hold it (secrets, files), by the control's name or its
  // accessible name.
  std::vector<NameValue> values = {};
  std::optional<Resumption> resume = {};
};

// Reports only; must not call back.
class ReplayObserver {
 public:
  virtual ~ReplayObserver() = default;
  virtual void OnStep(const StepReport& /*step*/, size_t /*total*/) {}
};

// One step for each selected edge. Each starts on a clean page, goes to the edge's source state by
// the shortest recorded path (each action on it verified in the same way), acts on exactly the node
// that the recorded identity denotes, and checks what came of it.
//
// `options.resume`: kInvalidArgument unless it names this very plan and a step of it.
//
// An action that diverges is a step's verdict, never an Error. Errors: a run, edge or state that is
// not there, stored records that do not decode, a redacted entry without a base, and an entry page
// that could not be opened at all (the driver's error; no step was run).
Result<ReplayReport> Replay(capture::PageDriver& driver, const store::GraphReader& reader,
                            store::RunNumber run, const ReplayOptions& options,
                            const capture::RiskPolicy& policy, const capture::Clock& clock,
                            ReplayObserver& observer, const std::atomic<bool>& cancelled);

}  // namespace topodb::replay
