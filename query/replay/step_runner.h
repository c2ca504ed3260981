#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/browser/page_driver.h"
#include "capture/risk/risk_policy.h"
#include "query/replay/arrival.h"
#include "query/replay/base_map.h"
#include "query/replay/binding.h"
#include "query/replay/plan.h"
#include "query/replay/replayer.h"
#include "query/replay/report.h"

// One recorded action on the live page. Internal to query/replay.
namespace topodb::replay {

// What a replay looks up in the store as it goes.
struct RecordedEdge {
  const ActionEdge& edge;
  Element element;
  // Null: none was recorded.
  const RecordedPlace* source = nullptr;
  const RecordedPlace* destination = nullptr;
};

class StepRunner {
 public:
  StepRunner(capture::PageDriver& driver, const BaseMap& base, const capture::RiskPolicy& policy,
             const ReplayOptions& options)
      : driver_(driver), base_(base), policy_(policy), options_(options) {}

  // A clean page at the entry. The driver's error when it could not be opened.
  Status OpenEntry();
  // Looks at the page; false with the step filled in when it could not be looked at.
  bool Look(StepReport& step);
  // Whether the page just opened is the recorded entry state, if drifted; fills `step` when not.
  bool IsEntry(const RecordedPlace& entry, StepReport& step);
  // Acts, and fills in the step's verdict. Afterwards the page is the destination if it passed.
  void Run(const RecordedEdge& recorded, StepReport& step);

  // The browser is gone for good: no further step can be run.
  bool browser_gone() const { return browser_gone_; }

 private:
  // The node to act on; nullopt with the step's verdict filled in when there is none.
  std::optional<size_t> Choose(const RecordedEdge& recorded, StepReport& step);
  bool MayAct(const RecordedEdge& recorded, const Binding& binding, StepReport& step);
  std::optional<capture::ActionRequest> RequestFor(const RecordedEdge& recorded,
                                                   StepReport& step) const;
  void Judge(const RecordedEdge& recorded, const PageSnapshot& before,
             const capture::ActionReport& report, StepReport& step);
  bool InScope(const std::string& url) const;
  ActionClass ClassOf(const RecordedEdge& recorded, size_t node) const;
  void FailStep(const Error& error, StepReport& step);

  capture::PageDriver& driver_;
  const BaseMap& base_;
  const capture::RiskPolicy& policy_;
  const ReplayOptions& options_;

  PageSnapshot page_;                           // as last looked at, in recorded addresses
  std::vector<capture::RequestSeen> requests_;  // since the entry was opened
  bool browser_gone_ = false;
};

}  // namespace topodb::replay
