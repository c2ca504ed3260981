#include "capture/capture.h"

#include <utility>

#include "capture/describe_run.h"
#include "capture/guard/url.h"

namespace topodb::capture {

Result<Run> Capture(const CaptureOptions& options, GraphSink& sink, const RiskPolicy& policy,
                    const Clock& clock, const RunStamp& stamp, ExploreObserver& observer,
                    const std::atomic<bool>& cancelled) {
  TOPODB_TRY(const std::string url, ResolveInput(options.input));
  const UrlEntry entry{.url = url,
                       .scope = options.seed ? EntryScope::kDirectory : EntryScope::kOrigin};
  TOPODB_TRY(const auto drive, Drive::Open(options.drive, entry, clock));
  Run run = DescribeRun({.input = options.input,
                         .seed = options.seed,
                         .name = options.name,
                         .mode = options.explore.mode},
                        options.drive, policy, clock, stamp, *drive);
  TOPODB_TRY_VOID(sink.BeginRun(run));

  ExploreOptions explore = options.explore;
  explore.auth_context = run.runtime_context.auth_context;
  explore.in_scope = [&](const std::string& target) { return drive->InScope(target); };
  auto outcome = Explore({.first = drive->page(),
                          .open_another = [&] { return drive->OpenAnother(); },
                          .limit = options.jobs},
                         url, sink, policy, clock, explore, observer, cancelled);
  if (!outcome) {
    // A store that fails keeps what it has; otherwise the entry did not open and there is nothing.
    const bool store_failed =
        outcome.error().code == ErrorCode::kIo || outcome.error().code == ErrorCode::kCorruption;
    if (!store_failed) TOPODB_TRY_VOID(sink.DiscardRun());
    return std::move(outcome).error();
  }
  run.status = outcome->status;
  run.status_reason = outcome->status_reason;
  run.entry_url = outcome->entry_url;
  run.site_base_url = Origin(outcome->entry_url);
  run.budgets = outcome->budgets;
  run.off_origin_hosts = outcome->off_origin_hosts;
  for (std::string& note : drive->Notes()) run.warnings.push_back(std::move(note));
  run.ended_at = clock.Now();
  run.protocol_commands = drive->commands_sent();
  TOPODB_TRY_VOID(sink.EndRun(run));
  return run;
}

}  // namespace topodb::capture
