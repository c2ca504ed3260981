#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "capture/risk/risk_policy.h"
#include "query/replay/report.h"
#include "query/script/script.h"
#include "schema/base/result.h"
#include "schema/model.h"

// Performs a script (docs/script.md) on a live site under the rules of a replay: each action on
// exactly the recorded target, if the policy allows it on what is there now.
namespace topodb::replay {

struct PlayOptions {
  std::string base = {};  // where the site is now; empty: where the script says
  // Acted on besides low risk; nothing in the script can add to it.
  std::vector<RiskCategory> allowed = {};
  std::vector<NameValue> values = {};  // of the script's variables
  // True for addresses that may be opened; empty: all.
  std::function<bool(const std::string& url)> in_scope = {};
  capture::Millis deadline{0};                      // for the whole script; 0: none
  capture::Millis patience{10'000};                 // for each landmark
  capture::Millis poll{300};                        // between two looks at it
  std::function<void(capture::Millis)> pause = {};  // waits; empty: in real time
};

struct PlayedStep {
  script::Verb verb = script::Verb::kClick;
  StepReport report;  // without the ids of records: there are none
};

struct PlayReport {
  std::string url;  // to open
  ReplayEnd end = ReplayEnd::kCompleted;
  std::vector<PlayedStep> steps;

  VerdictCounts Count() const;
  // Every step passed, the guard among them, and nothing ended it early.
  bool AllPassed() const;
};

class PlayObserver {
 public:
  virtual ~PlayObserver() = default;
  virtual void OnStep(const PlayedStep& /*step*/, size_t /*total*/) {}
};

// The address that a script opens, `base` considered. kInvalidArgument: it was redacted and no base
// says where it is; the base is no URL; a variable of the script has no value.
Result<std::string> CheckPlayable(const script::Script& script, const PlayOptions& options);

// One step for each of the script's, in order, on one page; after the first that does not pass,
// the others are not run. What diverges is a verdict and no Error. Errors: those of CheckPlayable,
// no guard, and an entry page that could not be opened.
Result<PlayReport> Play(capture::PageDriver& driver, const script::Script& script,
                        const PlayOptions& options, const capture::RiskPolicy& policy,
                        const capture::Clock& clock, PlayObserver& observer,
                        const std::atomic<bool>& cancelled);

// The report of a script whose entry must not be opened: every step is skipped.
PlayReport NothingPlayed(const script::Script& script, std::string url, std::string_view reason);

}  // namespace topodb::replay
