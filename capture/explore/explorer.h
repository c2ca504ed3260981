#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "capture/explore/refusal.h"
#include "capture/explore/tab_pool.h"
#include "capture/risk/risk_policy.h"
#include "schema/graph_sink.h"
#include "schema/model.h"

// The exploring loop: pages in, a GraphSink out, an ExploreObserver beside.
namespace topodb::capture {

struct ExploreOptions {
  RunMode mode = RunMode::kExplore;

  // Budgets. A run that one of them ended is complete.
  uint32_t max_depth = 1;     // actions on a path; 1: the entry page's own actions
  uint32_t max_actions = 50;  // actions tried
  uint32_t max_states = 200;
  uint32_t max_per_template = 3;  // states of one URL pattern and structure that are explored
  Millis max_time{600'000};

  // Explored besides low risk {navigation, ui_reveal, read_only}.
  std::vector<RiskCategory> allowed = {};
  // What to enter into a control, by its name or accessible name.
  std::vector<NameValue> values = {};
  // True for addresses that may be opened; empty: all.
  ScopeCheck in_scope = {};
  // With a storage state, a page that asks for a password means that the login was lost.
  AuthContext auth_context = AuthContext::kAnonymous;
};

// Told after the record is in the sink. Reports only; must not call back.
class ExploreObserver {
 public:
  virtual ~ExploreObserver() = default;
  virtual void OnState(const State& /*state*/, uint32_t /*depth*/) {}
  virtual void OnEdge(const ActionEdge& /*edge*/) {}
  virtual void OnSkip(const SkippedAction& /*skip*/) {}
  virtual void OnFailure(const FailedObservation& /*failure*/) {}
  // `total`: actions tried and still to be tried, as known now.
  virtual void OnProgress(uint64_t /*done*/, uint64_t /*total*/) {}
};

struct ExploreOutcome {
  RunStatus status = RunStatus::kComplete;
  std::string status_reason;  // empty for complete
  std::string entry_url;      // after navigation, redacted
  StateId entry_state;
  uint64_t actions = 0;                       // tried
  std::vector<Budget> budgets;                // all of them, with those that ended something marked
  std::vector<std::string> off_origin_hosts;  // hosts that the pages loaded from, sorted
};

// Opens `entry_url`, records its state and, in explore mode, everything that low-risk actions reach
// within the budgets. Breadth first and in document order: equal sites give equal graphs, on
// however many tabs. The caller has begun the run on `sink` and ends it; sink, clock and observer
// are used on the calling thread only.
//
// An action that did not work becomes a FailedObservation and the run goes on. `cancelled`, and a
// browser that cannot be had again, end it as partial; what was stored stays.
// An Error only when the entry page could not be opened (nothing is stored then: the driver's
// error, kCancelled) or when the sink refused a record.
Result<ExploreOutcome> Explore(const Tabs& tabs, const std::string& entry_url, GraphSink& sink,
                               const RiskPolicy& policy, const Clock& clock,
                               const ExploreOptions& options, ExploreObserver& observer,
                               const std::atomic<bool>& cancelled);

}  // namespace topodb::capture
