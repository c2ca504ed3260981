#include "capture/explore/explorer.h"

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/explore/action_choice.h"
#include "capture/explore/attempt.h"
#include "capture/explore/frontier.h"
#include "capture/explore/known_states.h"
#include "capture/explore/state_record.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::capture {
namespace {

// An entry page that takes so long is worth another tab for the second look at it.
constexpr Millis kLongLook{700};

// States of one URL pattern, modal stack and structure explore alike.
std::string TemplateKey(const PageSnapshot& snapshot) {
  std::string key = PathTemplateOfKey(snapshot.url_canonical_key);
  key.append(1, '\0').append(snapshot.template_hash);
  for (const std::string& modal : snapshot.modal_stack) {
    key.append(1, '\0').append(MaskDigits(modal));
  }
  return key;
}

// "host[:port]" of a network URL, else empty.
std::string_view HostOf(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos || url.starts_with("file:")) return {};
  url.remove_prefix(scheme + 3);
  return url.substr(0, url.find_first_of("/?#"));
}

// What the page did on its own while it was loaded: what it tried to send and whom it asked.
std::vector<Evidence> LoadEvidence(const PageEvents& events) {
  std::set<std::string> lines;
  for (const RequestSeen& request : events.requests) {
    if (request.blocked) {
      lines.insert(
          fmt::format("{} {} of the page itself was blocked", request.method, request.url));
    } else if (!request.allowed_by.empty()) {
      lines.insert(fmt::format("{} {} of the page itself was let through by {}", request.method,
                               request.url, request.allowed_by));
    }
  }
  std::vector<Evidence> evidence;
  for (const std::string& line : lines) {
    evidence.push_back(
        {.level = EvidenceLevel::kObserved, .source = "network-guard", .description = line});
  }
  for (const std::string& what : events.prompts) {
    evidence.push_back(
        {.level = EvidenceLevel::kObserved,
         .source = "dialog",
         .description = fmt::format("the page by itself asked for {}, in vain", what)});
  }
  for (const DialogSeen& dialog : events.dialogs) {
    evidence.push_back({.level = EvidenceLevel::kObserved,
                        .source = "dialog",
                        .description = fmt::format("{} \"{}\" of the page itself was {}",
                                                   dialog.kind, dialog.text, dialog.answer)});
  }
  return evidence;
}

// The entry page after its two looks.
struct Entry {
  PageSnapshot snapshot;
  std::vector<UnstablePart> unstable;
  Lifecycle lifecycle = Lifecycle::kVerified;
  std::vector<Evidence> evidence;
  std::optional<Refusal> refusal;  // why the second look did not confirm the first
};

class Explorer {
 public:
  Explorer(const Tabs& tabs, const std::string& entry_url, GraphSink& sink,
           const RiskPolicy& policy, const Clock& clock, const ExploreOptions& options,
           ExploreObserver& observer, const std::atomic<bool>& cancelled)
      : entry_url_(entry_url),
        sink_(sink),
        policy_(policy),
        clock_(clock),
        options_(options),
        observer_(observer),
        cancelled_(cancelled),
        started_(clock.Steady()),
        frontier_({.max_depth = options.max_depth, .max_per_template = options.max_per_template}),
        pool_(tabs) {}

  Result<ExploreOutcome> Run();

 private:
  struct Look {
    PageSnapshot snapshot;
    PageEvents events;
  };

  // A candidate that is being tried.
  struct Trial {
    Candidate candidate;
    Route route;
    std::future<Attempt> attempt;
  };

  std::future<Result<Look>> LookAtEntry();
  Result<Entry> ObserveEntry();
  Status RecordEntry();

  // The bundle of a new state; its candidates join the frontier under number known_.size().
  StateBundle Describe(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable,
                       uint32_t depth);

  Status TryCandidates();
  bool MayStart();
  Trial Start(Candidate candidate);
  // As if every earlier candidate had been committed before it was tried.
  Attempt Finish(Trial& trial);
  Status Commit(const Candidate& candidate, Attempt attempt);
  Status CommitEdge(const Candidate& candidate, Attempt attempt);
  Status CommitFailure(const Candidate& candidate, const Attempt& attempt);
  Status StoreSights(const Visit& visit);
  // The known state that an action led to. When only a second look at a known state can tell
  // whether the difference is real, that look is taken.
  Result<std::optional<size_t>> FindDestination(const PageSnapshot& snapshot);
  ActionEdge MakeEdge(const Candidate& candidate, Attempt& attempt) const;

  void EndPartial(std::string_view reason);
  void NoteHosts(const std::vector<RequestSeen>& requests);
  void Tell(const StateBundle& bundle, uint32_t depth);
  std::vector<Budget> Budgets() const;

  const std::string& entry_url_;
  GraphSink& sink_;
  const RiskPolicy& policy_;
  const Clock& clock_;
  const ExploreOptions& options_;
  ExploreObserver& observer_;
  const std::atomic<bool>& cancelled_;
  const std::chrono::steady_clock::time_point started_;

  KnownStates known_;
  Frontier frontier_;
  ExploreOutcome outcome_;
  std::set<std::string, std::less<>> hosts_;
  uint64_t started_actions_ = 0;
  bool actions_hit_ = false, states_hit_ = false, time_hit_ = false;
  TabPool pool_;  // its work refers to what stands above
};

Result<ExploreOutcome> Explorer::Run() {
  TOPODB_TRY_VOID(RecordEntry());
  if (options_.mode == RunMode::kExplore) TOPODB_TRY_VOID(TryCandidates());
  const std::string_view own = HostOf(outcome_.entry_url);
  std::ranges::copy_if(hosts_, std::back_inserter(outcome_.off_origin_hosts),
                       [&](const std::string& host) { return host != own; });
  outcome_.budgets = Budgets();
  return std::move(outcome_);
}

// ---- the entry ---------------------------------------------------------------------------------

std::future<Result<Explorer::Look>> Explorer::LookAtEntry() {
  return pool_.Start([this](PageDriver& page) -> Result<Look> {
    if (cancelled_) {
      return Error{ErrorCode::kCancelled, "interrupted before the entry page was recorded", ""};
    }
    TOPODB_TRY_VOID(page.Reset());
    TOPODB_TRY(auto load, page.Navigate(entry_url_));
    TOPODB_TRY(auto snapshot, page.Snapshot());
    return Look{.snapshot = std::move(snapshot), .events = std::move(load.events)};
  });
}

// Two clean loads before the first record: what differs between them is left out of the identity.
Result<Entry> Explorer::ObserveEntry() {
  auto looking = LookAtEntry();
  // Side by side where that is worth another tab; a page that does not open is not tried again.
  std::future<Result<Look>> again;
  if (pool_.may_grow() && looking.wait_for(kLongLook) == std::future_status::timeout) {
    pool_.Grow();
    again = LookAtEntry();
  }
  TOPODB_TRY(auto first, looking.get());
  if (!again.valid()) again = LookAtEntry();
  auto second = again.get();
  NoteHosts(first.events.requests);
  if (second) NoteHosts(second->events.requests);
  Entry entry;
  entry.evidence = LoadEvidence(first.events);
  if (!second) {
    if (second.error().code == ErrorCode::kCancelled) return std::move(second).error();
    entry.lifecycle = Lifecycle::kFingerprinted;
    entry.refusal = RefusalOf(DriverCall::kNavigate, second.error());
  } else {
    entry.unstable = CompareObservations(first.snapshot, second->snapshot);
    if (ComputeIdentityParts(first.snapshot, entry.unstable) !=
        ComputeIdentityParts(second->snapshot, entry.unstable)) {
      entry.unstable.clear();
      entry.lifecycle = Lifecycle::kConflicted;
      entry.refusal =
          Refusal{FailureReason::kUnexpectedState,
                  fmt::format("a second clean load shows another page: {}", second->snapshot.url)};
    } else {
      entry.evidence.push_back({.level = EvidenceLevel::kVerified,
                                .source = "second-load",
                                .description = "a second clean load has the same identity"});
    }
  }
  entry.snapshot = std::move(first.snapshot);
  return entry;
}

Status Explorer::RecordEntry() {
  TOPODB_TRY(Entry entry, ObserveEntry());
  outcome_.entry_url = entry.snapshot.url;
  StateBundle bundle = Describe(entry.snapshot, entry.unstable, 0);
  bundle.state.lifecycle = entry.lifecycle;
  std::ranges::move(entry.evidence, std::back_inserter(bundle.state.evidence));
  if (entry.refusal) {
    bundle.failures.push_back(
        MakeFailure(bundle.state.id, std::nullopt, std::nullopt, *entry.refusal, clock_.Now()));
  }
  outcome_.entry_state = bundle.state.id;
  TOPODB_TRY_VOID(sink_.AddState(bundle));
  Tell(bundle, 0);
  known_.Add({.id = bundle.state.id,
              .reference = std::make_shared<const PageSnapshot>(std::move(entry.snapshot)),
              .unstable = std::move(entry.unstable),
              .path = {},
              .confirmed = !entry.refusal});
  return {};
}

// ---- states ------------------------------------------------------------------------------------

StateBundle Explorer::Describe(const PageSnapshot& snapshot,
                               const std::vector<UnstablePart>& unstable, uint32_t depth) {
  const Timestamp now = clock_.Now();
  StateBundle bundle = DescribeState(snapshot, unstable, now);
  const auto obstacle = ObstacleIn(snapshot, options_.auth_context);
  if (obstacle) {
    bundle.failures.push_back(
        MakeFailure(bundle.state.id, std::nullopt, std::nullopt, *obstacle, now));
  }
  if (options_.mode == RunMode::kScan) return bundle;
  auto verdicts = AssessElements(snapshot, bundle.elements, policy_, options_, now);
  bundle.skips = std::move(verdicts.skips);
  if (obstacle) return bundle;
  for (Candidate& candidate : verdicts.candidates) candidate.state = known_.size();
  if (frontier_.Offer(depth, TemplateKey(snapshot), std::move(verdicts.candidates))) {
    std::ranges::move(verdicts.refusals, std::back_inserter(bundle.failures));
  }
  return bundle;
}

Result<std::optional<size_t>> Explorer::FindDestination(const PageSnapshot& snapshot) {
  if (const auto number = known_.Find(snapshot)) return number;
  const auto twin = known_.FindUnconfirmedTwin(snapshot);
  if (!twin) return std::optional<size_t>();
  auto visit = pool_.StartNext([this, route = RouteTo(known_, *twin)](PageDriver& page) {
    return Reach(page, entry_url_, route);
  });
  TOPODB_TRY_VOID(StoreSights(visit.get()));
  return known_.Find(snapshot);
}

Status Explorer::StoreSights(const Visit& visit) {
  NoteHosts(visit.requests);
  for (const auto& [number, snapshot] : visit.seen) {
    if (const auto observation = known_.SeeAgain(number, snapshot)) {
      TOPODB_TRY_VOID(sink_.AddObservation(*observation));
    }
  }
  return {};
}

// ---- candidates --------------------------------------------------------------------------------

Status Explorer::TryCandidates() {
  std::deque<Trial> trials;
  const auto left = [&] {
    return std::min<uint64_t>(trials.size() + frontier_.size(),
                              options_.max_actions - outcome_.actions);
  };
  for (;;) {
    if (pool_.IsWorthwhile(left())) pool_.Grow();
    // One more than there are tabs, so that none is idle while a result is committed.
    const size_t window = pool_.size() == 1 ? 1 : pool_.size() + 1;
    while (trials.size() < window && MayStart()) trials.push_back(Start(*frontier_.Pop()));
    if (trials.empty()) return {};
    Trial trial = std::move(trials.front());
    trials.pop_front();
    Attempt attempt = Finish(trial);
    ++outcome_.actions;
    const bool browser_lost = attempt.visit.browser_lost;
    TOPODB_TRY_VOID(Commit(trial.candidate, std::move(attempt)));
    if (browser_lost) {
      EndPartial("the browser is gone and could not be started again");
      return {};
    }
    observer_.OnProgress(outcome_.actions, outcome_.actions + left());
    if (states_hit_) return {};
  }
}

bool Explorer::MayStart() {
  if (frontier_.size() == 0) return false;
  if (cancelled_) {
    EndPartial("interrupted");
    return false;
  }
  actions_hit_ = started_actions_ >= options_.max_actions;
  time_hit_ = clock_.Steady() - started_ >= options_.max_time;
  return !actions_hit_ && !time_hit_;
}

Explorer::Trial Explorer::Start(Candidate candidate) {
  ++started_actions_;
  Trial trial{.candidate = std::move(candidate), .route = {}, .attempt = {}};
  trial.route = RouteTo(known_, trial.candidate.state);
  trial.attempt =
      pool_.Start([this, candidate = trial.candidate, route = trial.route](PageDriver& page) {
        return Try(page, entry_url_, route, candidate, options_.in_scope);
      });
  return trial;
}

Attempt Explorer::Finish(Trial& trial) {
  Attempt attempt = trial.attempt.get();
  if (StillHolds(attempt, trial.route, trial.candidate, known_)) return attempt;
  auto again = pool_.StartNext(
      [this, &trial, route = RouteTo(known_, trial.candidate.state)](PageDriver& page) {
        return Try(page, entry_url_, route, trial.candidate, options_.in_scope);
      });
  return again.get();
}

Status Explorer::Commit(const Candidate& candidate, Attempt attempt) {
  TOPODB_TRY_VOID(StoreSights(attempt.visit));
  NoteHosts(attempt.report.scroll_events.requests);
  NoteHosts(attempt.report.events.requests);
  NoteHosts(attempt.window_load.requests);
  auto completion = std::move(attempt.report.completion);
  TOPODB_TRY_VOID(attempt.refusal ? CommitFailure(candidate, attempt)
                                  : CommitEdge(candidate, std::move(attempt)));
  if (!completion) return {};
  completion->state_id = known_[candidate.state].id;
  completion->element_id = candidate.element;
  completion->action_type = candidate.request.type;
  completion->id = ComputeObservationId(completion->state_id, completion->element_id,
                                        completion->action_type, completion->profile);
  return sink_.AddCompletion(*completion);
}

Status Explorer::CommitFailure(const Candidate& candidate, const Attempt& attempt) {
  FailedObservation failure = MakeFailure(known_[candidate.state].id, candidate.element,
                                          candidate.request.type, *attempt.refusal, clock_.Now());
  failure.effects = attempt.effects;
  TOPODB_TRY_VOID(sink_.AddFailure(failure));
  observer_.OnFailure(failure);
  return {};
}

Status Explorer::CommitEdge(const Candidate& candidate, Attempt attempt) {
  Transition transition{.edge = MakeEdge(candidate, attempt), .new_state = std::nullopt};
  ActionEdge& edge = transition.edge;
  PageSnapshot& after = *attempt.after;
  TOPODB_TRY(const auto destination, FindDestination(after));
  if (destination) {
    edge.to_state_id = known_[*destination].id;
    TOPODB_TRY_VOID(sink_.AddTransition(transition));
    observer_.OnEdge(edge);
    return {};
  }
  if (known_.size() >= options_.max_states) {
    states_hit_ = true;
    return {};
  }
  std::vector<PathStep> path = known_[candidate.state].path;
  path.push_back({.state = candidate.state,
                  .element = candidate.element,
                  .request = candidate.request,
                  .landing = attempt.landing});
  const auto depth = static_cast<uint32_t>(path.size());
  transition.new_state = Describe(after, {}, depth);
  StateBundle& bundle = *transition.new_state;
  bundle.state.opened_by_edge_id = edge.id;
  std::ranges::move(LoadEvidence(attempt.window_load), std::back_inserter(bundle.state.evidence));
  edge.to_state_id = bundle.state.id;
  TOPODB_TRY_VOID(sink_.AddTransition(transition));
  observer_.OnEdge(edge);
  Tell(bundle, depth);
  known_.Add({.id = bundle.state.id,
              .reference = std::make_shared<const PageSnapshot>(std::move(after)),
              .unstable = {},
              .path = std::move(path),
              .confirmed = false});
  return {};
}

ActionEdge Explorer::MakeEdge(const Candidate& candidate, Attempt& attempt) const {
  ActionEdge edge;
  edge.from_state_id = known_[candidate.state].id;
  edge.element_id = candidate.element;
  edge.action_type = candidate.request.type;
  edge.action_params = candidate.params;
  edge.id =
      ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, edge.action_params);
  edge.locator_id = candidate.locator.id;
  edge.confidence = candidate.locator.score;
  edge.effects = std::move(attempt.effects);
  edge.risk_level = candidate.verdict.level;
  edge.risk_category = candidate.verdict.category;
  edge.created_at = clock_.Now();
  edge.evidence = {{.level = EvidenceLevel::kObserved,
                    .source = "perform",
                    .description = "a trusted event reached the element"}};
  if (attempt.landing == Landing::kWindow) {
    edge.evidence.push_back({.level = EvidenceLevel::kObserved,
                             .source = "window",
                             .description = "it leads to the window that it opened"});
  }
  std::ranges::copy(candidate.verdict.evidence, std::back_inserter(edge.evidence));
  edge.target = std::move(attempt.target);
  edge.settle = attempt.report.settle;
  return edge;
}

// ---- reporting ---------------------------------------------------------------------------------

void Explorer::EndPartial(std::string_view reason) {
  outcome_.status = RunStatus::kPartial;
  outcome_.status_reason = reason;
}

void Explorer::NoteHosts(const std::vector<RequestSeen>& requests) {
  for (const RequestSeen& request : requests) {
    const std::string_view host = HostOf(request.url);
    if (!host.empty() && !hosts_.contains(host)) hosts_.emplace(host);
  }
}

void Explorer::Tell(const StateBundle& bundle, uint32_t depth) {
  observer_.OnState(bundle.state, depth);
  for (const SkippedAction& skip : bundle.skips) observer_.OnSkip(skip);
  for (const FailedObservation& failure : bundle.failures) observer_.OnFailure(failure);
}

std::vector<Budget> Explorer::Budgets() const {
  if (options_.mode == RunMode::kScan) return {};
  return {
      {.name = "max-depth", .limit = options_.max_depth, .hit = frontier_.depth_hit()},
      {.name = "max-actions", .limit = options_.max_actions, .hit = actions_hit_},
      {.name = "max-states", .limit = options_.max_states, .hit = states_hit_},
      {.name = "max-per-template",
       .limit = options_.max_per_template,
       .hit = frontier_.template_hit()},
      {.name = "max-time",
       .limit = static_cast<uint64_t>(options_.max_time.count()),
       .hit = time_hit_},
  };
}

}  // namespace

Result<ExploreOutcome> Explore(const Tabs& tabs, const std::string& entry_url, GraphSink& sink,
                               const RiskPolicy& policy, const Clock& clock,
                               const ExploreOptions& options, ExploreObserver& observer,
                               const std::atomic<bool>& cancelled) {
  return Explorer(tabs, entry_url, sink, policy, clock, options, observer, cancelled).Run();
}

}  // namespace topodb::capture
