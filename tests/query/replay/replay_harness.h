#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "capture/explore/explorer.h"
#include "capture/risk/risk_policy.h"
#include "query/replay/replayer.h"
#include "store/graph_writer.h"
#include "tests/support/fake_clock.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"
#include "tests/support/sim_site.h"

namespace topodb::replay::testing {

using topodb::testing::BuildRun;
using topodb::testing::FakeClock;
using topodb::testing::MemKv;
using topodb::testing::SimSite;

// A database in memory with one recorded run of a simulated site.
class Recording {
 public:
  // Explores `site` from its entry page and publishes the run. False when that failed.
  bool Record(SimSite& site, const capture::ExploreOptions& options) {
    store::GraphWriter writer(kv_, store::Durability::kProcess);
    Run run = BuildRun("recorded");
    run.entry_url = SimSite::Url("/");
    if (!writer.BeginRun(run)) return false;
    capture::ExploreObserver observer;
    const auto outcome =
        capture::Explore({.first = site}, run.entry_url, writer, capture::RiskPolicy::BuiltIn(),
                         clock_, options, observer, never_);
    run.status = RunStatus::kComplete;
    return outcome && writer.EndRun(run).has_value();
  }

  Result<ReplayReport> Replay(capture::PageDriver& site, const ReplayOptions& options = {}) {
    return Replay(site, options, clock_);
  }
  Result<ReplayReport> Replay(capture::PageDriver& site, const ReplayOptions& options,
                              const capture::Clock& clock) {
    const store::GraphReader reader(kv_);
    const auto runs = reader.Runs();
    if (!runs || runs->empty()) return Error{ErrorCode::kNotFound, "nothing was recorded", ""};
    ReplayObserver observer;
    return replay::Replay(site, reader, runs->front().number, options,
                          capture::RiskPolicy::BuiltIn(), clock, observer, cancelled);
  }

  MemKv& kv() { return kv_; }
  std::atomic<bool> cancelled = false;

 private:
  MemKv kv_;
  FakeClock clock_;
  const std::atomic<bool> never_ = false;
};

// The step whose target is called so; nullptr when there is none.
inline const StepReport* FindStep(const ReplayReport& report, const std::string& name,
                                  size_t nth = 0) {
  for (const auto& step : report.steps) {
    if (step.name == name && nth-- == 0) return &step;
  }
  return nullptr;
}

}  // namespace topodb::replay::testing
