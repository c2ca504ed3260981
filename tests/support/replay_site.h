#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/drive.h"
#include "query/replay/replayer.h"
#include "tests/support/live_site.h"

// Replays of one page that was captured and then changed, in one real browser. Pages tell the
// server which thing each click was truly for: GET /log?<thing>.
namespace topodb::testing {

class ReplaySite {
 public:
  // Serves `page` at "/" and captures it with every risk category allowed, to that depth.
  // False, with an expectation failed, when that did not work.
  bool Record(const std::string& page, uint32_t depth = 1);
  // The page as it is from now on.
  void Serve(const std::string& page) { site_.server().HandlePage("/", page); }

  // With every risk category allowed unless `options` says otherwise; forgets earlier clicks.
  replay::ReplayReport Replay(replay::ReplayOptions options);
  // Only the edge of the recorded target of this role, name and row; empty: any row.
  replay::ReplayReport ReplayOf(std::string_view role, std::string_view name,
                                std::string_view row = {}, replay::ReplayOptions options = {});
  // The recorded edge of that target; fails an expectation when there is not exactly one.
  const ActionEdge& EdgeOf(std::string_view role, std::string_view name,
                           std::string_view row) const;

  // What was truly clicked since the last replay began, in order.
  std::vector<std::string> Clicks() const;

  LiveSite& site() { return site_; }
  const query::RunGraph& recorded() const { return recorded_; }

 private:
  bool OpenDrive();

  const capture::SystemClock clock_;
  const std::atomic<bool> never_ = false;
  LiveSite site_;
  std::unique_ptr<capture::Drive> drive_;
  query::RunGraph recorded_;
};

// Every category there is, so that a wrong click would not be stopped by its risk.
std::vector<RiskCategory> AllRisks();

// `verdict(kind: cause)`, or `verdict(reason)`: of the only step.
std::string VerdictOf(const replay::ReplayReport& report);

}  // namespace topodb::testing
