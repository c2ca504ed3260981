#include "capture/completion/await_run.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/describe_run.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "capture/guard/url_parts.h"
#include "capture/locate/resolve.h"
#include "schema/fingerprint.h"

namespace topodb::capture {
namespace {

constexpr Millis kAskLimit{5'000};

// button "Send"
std::optional<LocatorDescriptor> ParseRoleAndName(std::string_view text) {
  const size_t quote = text.find(" \"");
  if (quote == 0 || quote == std::string_view::npos || !text.ends_with('"')) return std::nullopt;
  if (text.size() < quote + 3) return std::nullopt;
  const std::string_view role = text.substr(0, quote);
  const bool word =
      std::all_of(role.begin(), role.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!word) return std::nullopt;
  LocatorDescriptor descriptor;
  descriptor.strategy = LocatorStrategy::kRole;
  descriptor.role = role;
  descriptor.value = text.substr(quote + 2, text.size() - quote - 3);
  return descriptor;
}

class Await {
 public:
  Await(const AwaitRunOptions& options, Drive& drive, const Clock& clock)
      : options_(options), drive_(drive), clock_(clock) {}

  Result<CompletionObservation> Run(const std::string& url, AwaitObserver& observer,
                                    const std::atomic<bool>& cancelled) {
    TOPODB_TRY_VOID(drive_.page().Navigate(url));
    const RegionProfile& profile = options_.profile;
    const bool counts = !options_.submit.empty() || options_.new_items == NewItems::kSinceOpen;
    TOPODB_TRY(const TakenBaseline baseline, counts ? TakeBaseline(region(), profile, clock_)
                                                    : BaselineOfNothing(region(), profile, clock_));
    entry_url_ = baseline.baseline.url;
    if (options_.fill) {
      TOPODB_TRY_VOID(Click(options_.fill->locator));
      TOPODB_TRY_VOID(region().Type(options_.fill->text, kAskLimit));
    }
    if (!options_.submit.empty()) TOPODB_TRY_VOID(Click(options_.submit));
    return AwaitRegion(region(), profile, baseline, options_.wait, clock_, observer, cancelled);
  }

  const std::string& entry_url() const { return entry_url_; }
  std::vector<std::string> TakeWarnings() { return std::move(warnings_); }

 private:
  RegionPage& region() { return drive_.region(); }

  Result<NodeRef> Find(const PageSnapshot& page, const std::string& locator) {
    std::vector<NodeRef> found;
    if (const auto descriptor = ParseRoleAndName(locator)) {
      for (const size_t index : Resolve(*descriptor, page)) found.push_back(page.nodes[index].ref);
    } else {
      TOPODB_TRY(const auto handles, region().FindElements(locator, kAskLimit));
      for (const SnapshotNode& node : page.nodes) {
        const bool matches = node.ref.frame == 0 && std::find(handles.begin(), handles.end(),
                                                              node.ref.index) != handles.end();
        if (matches) found.push_back(node.ref);
      }
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
      return Error{ErrorCode::kElementNotFound,
                   fmt::format("the page has no control '{}'", locator),
                   "name it by role and name, as in: button \"Send\", or by a selector"};
    }
    return Error{ErrorCode::kAmbiguous,
                 fmt::format("the page has {} controls '{}'", found.size(), locator),
                 "say more of the one that is meant"};
  }

  Status Click(const std::string& locator) {
    TOPODB_TRY(const PageSnapshot page, drive_.page().Snapshot());
    TOPODB_TRY(const NodeRef node, Find(page, locator));
    TOPODB_TRY(const ActionReport report,
               drive_.page().Perform(node, {.type = ActionType::kClick, .value = {}}));
    for (const RequestSeen& request : report.events.requests) {
      if (!request.blocked || request.blocked_by != "guard") continue;
      warnings_.push_back(
          fmt::format("the network guard stopped {} {}; --guard-allow lets it through",
                      request.method, request.url));
    }
    const bool acted = report.outcome == ActionOutcome::kDispatched ||
                       report.outcome == ActionOutcome::kUnconfirmed;
    if (acted) return {};
    return Error{ErrorCode::kElementNotActionable,
                 fmt::format("'{}' cannot be clicked{}{}", locator,
                             report.detail.empty() ? "" : ": ", report.detail),
                 ""};
  }

  const AwaitRunOptions& options_;
  Drive& drive_;
  const Clock& clock_;
  std::string entry_url_;
  std::vector<std::string> warnings_;
};

Status Store(const CompletionObservation& observation, Run run, GraphSink& sink) {
  TOPODB_TRY_VOID(sink.BeginRun(run));
  TOPODB_TRY_VOID(sink.AddCompletion(observation));
  return sink.EndRun(run);
}

}  // namespace

Result<AwaitedRun> AwaitRun(const AwaitRunOptions& options, GraphSink* sink,
                            const RiskPolicy& policy, const Clock& clock, const RunStamp& stamp,
                            AwaitObserver& observer, const std::atomic<bool>& cancelled) {
  TOPODB_TRY(const std::string url, ResolveInput(options.input));
  if (const std::string host = SplitUrl(url).host; !options.profile.IsFor(host)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("profile '{}' is not for {}", options.profile.name, host),
                 fmt::format("it is for {}; write a profile of your own for other pages",
                             fmt::join(options.profile.hosts, ", "))};
  }
  TOPODB_TRY(const auto drive,
             Drive::Open(options.drive, {.url = url, .scope = EntryScope::kOrigin}, clock));
  Run run = DescribeRun({.input = options.input, .seed = {}, .name = {}, .mode = RunMode::kScan},
                        options.drive, policy, clock, stamp, *drive);
  Await await(options, *drive, clock);
  TOPODB_TRY(CompletionObservation observation, await.Run(url, observer, cancelled));
  observation.id = ComputeObservationId({}, {}, {}, observation.profile);
  AwaitedRun awaited{.observation = std::move(observation), .warnings = await.TakeWarnings()};
  run.entry_url = RedactUrl(await.entry_url());
  run.site_base_url = Origin(run.entry_url);
  run.status = RunStatus::kComplete;
  run.warnings.insert(run.warnings.end(), awaited.warnings.begin(), awaited.warnings.end());
  run.ended_at = clock.Now();
  run.protocol_commands = drive->commands_sent();
  if (sink != nullptr) TOPODB_TRY_VOID(Store(awaited.observation, std::move(run), *sink));
  awaited.warnings.insert(awaited.warnings.begin(), drive->warnings().begin(),
                          drive->warnings().end());
  return awaited;
}

}  // namespace topodb::capture
