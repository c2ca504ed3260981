#include "capture/explore/state_record.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/explore/action_choice.h"
#include "capture/locate/locator_builder.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::capture {
namespace {

constexpr size_t kMaxLandmarks = 32;
constexpr double kLandmarkScore = 0.9;

// What proves arrival best comes first.
int LandmarkRank(std::string_view role) {
  if (role == "dialog" || role == "alertdialog") return 0;
  if (role == "alert" || role == "status") return 1;
  if (role == "heading") return 2;
  return 3;
}

bool SameRoleAndName(const SnapshotMark& a, const SnapshotMark& b) {
  return a.role == b.role && a.name == b.name;
}

std::optional<Locator> LocatorOf(const PageSnapshot& snapshot, const SnapshotMark& mark,
                                 const LandmarkId& id, Timestamp now) {
  if (!mark.name || mark.name->empty()) return std::nullopt;
  const auto matches = std::ranges::count_if(
      snapshot.marks, [&](const SnapshotMark& other) { return SameRoleAndName(mark, other); });
  Locator locator;
  locator.descriptor = {.strategy = LocatorStrategy::kRole,
                        .role = mark.role,
                        .attribute = {},
                        .value = *mark.name,
                        .within = {},
                        .nth = std::nullopt};
  locator.expression = ToExpression(locator.descriptor);
  locator.id = ComputeLocatorId(ElementId{id.bytes}, locator.expression);
  locator.score = kLandmarkScore;
  locator.reason = "role and name of a landmark";
  locator.match_count = static_cast<uint32_t>(matches);
  locator.verified = matches == 1;
  if (locator.verified) locator.last_verified_at = now;
  return locator;
}

std::vector<Landmark> DescribeLandmarks(const PageSnapshot& snapshot, const StateId& state,
                                        Timestamp now) {
  std::vector<size_t> order(snapshot.marks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return LandmarkRank(snapshot.marks[i].role); });
  std::vector<Landmark> landmarks;
  for (const size_t i : order) {
    if (landmarks.size() == kMaxLandmarks) break;
    const SnapshotMark& mark = snapshot.marks[i];
    auto identity = BuildLandmarkIdentity(snapshot, mark);
    if (!identity) continue;
    Landmark landmark{.id = {},
                      .state_id = state,
                      .role = mark.role,
                      .name = mark.name,
                      .locator = std::nullopt,
                      .identity = *std::move(identity)};
    const auto twins = std::ranges::count_if(landmarks, [&](const Landmark& other) {
      return other.role == landmark.role && other.name == landmark.name;
    });
    landmark.id = ComputeLandmarkId(state, landmark, static_cast<uint32_t>(twins));
    landmark.locator = LocatorOf(snapshot, mark, landmark.id, now);
    landmarks.push_back(std::move(landmark));
  }
  return landmarks;
}

std::vector<FailedObservation> FailuresOfLooking(const PageSnapshot& snapshot, const StateId& state,
                                                 Timestamp now) {
  std::vector<FailedObservation> failures;
  std::string frames;
  for (const SnapshotFrame& frame : snapshot.frames) {
    if (frame.accessible) continue;
    // A frame whose document never came has no address yet.
    const std::string& name =
        frame.url.empty() && !frame.path.empty() ? frame.path.back() : frame.url;
    frames += fmt::format("{}{} ({})", frames.empty() ? "" : ", ", name,
                          frame.reason.empty() ? "no reason given" : frame.reason);
  }
  const auto add = [&](FailureReason reason, std::string message) {
    failures.push_back(
        MakeFailure(state, std::nullopt, std::nullopt, {reason, std::move(message)}, now));
  };
  if (!frames.empty()) {
    add(FailureReason::kFrameInaccessible, "frames that could not be entered: " + frames);
  }
  if (snapshot.closed_shadow_roots > 0) {
    add(FailureReason::kShadowRootClosed,
        fmt::format("{} closed shadow roots could not be entered", snapshot.closed_shadow_roots));
  }
  if (std::ranges::find(snapshot.truncated, "elements") != snapshot.truncated.end()) {
    add(FailureReason::kPageTooLarge,
        fmt::format("the page has more than the {} elements that were recorded",
                    snapshot.nodes.size()));
  }
  return failures;
}

SkippedAction MakeSkip(const Element& element, const Judgement& judgement, Timestamp now) {
  return {
      .id = ComputeSkipId(element.state_id, element.id, judgement.action, judgement.verdict.reason),
      .state_id = element.state_id,
      .element_id = element.id,
      .action_type = judgement.action,
      .risk_level = judgement.verdict.level,
      .risk_category = judgement.verdict.category,
      .reason = judgement.verdict.reason,
      .evidence = judgement.verdict.evidence,
      .created_at = now};
}

}  // namespace

FailedObservation MakeFailure(const StateId& state, const std::optional<ElementId>& element,
                              const std::optional<ActionType>& action, const Refusal& refusal,
                              Timestamp now) {
  return {.id = ComputeFailureId(state, element, action, refusal.reason),
          .state_id = state,
          .element_id = element,
          .action_type = action,
          .reason = refusal.reason,
          .message = refusal.message,
          .effects = {},
          .evidence = {{.level = EvidenceLevel::kObserved,
                        .source = "explore",
                        .description = refusal.message}},
          .created_at = now};
}

StateBundle DescribeState(const PageSnapshot& snapshot, const std::vector<UnstablePart>& unstable,
                          Timestamp now) {
  StateBundle bundle;
  bundle.state = BuildState(snapshot, unstable);
  bundle.state.lifecycle = Lifecycle::kFingerprinted;
  bundle.state.created_at = now;
  bundle.state.evidence.push_back({.level = EvidenceLevel::kObserved,
                                   .source = "snapshot",
                                   .description = "the page was looked at after it had settled"});
  if (!unstable.empty()) {
    bundle.state.evidence.push_back(
        {.level = EvidenceLevel::kDerived,
         .source = "unstable-node",
         .description = fmt::format("{} parts differ between two observations of the state",
                                    unstable.size())});
  }
  bundle.elements = BuildElements(snapshot, bundle.state);
  for (size_t i = 0; i < bundle.elements.size(); ++i) {
    Element& element = bundle.elements[i];
    element.locators = BuildLocators(snapshot, snapshot.nodes[i], now);
    for (Locator& locator : element.locators) {
      locator.id = ComputeLocatorId(element.id, locator.expression);
    }
  }
  bundle.landmarks = DescribeLandmarks(snapshot, bundle.state.id, now);
  bundle.failures = FailuresOfLooking(snapshot, bundle.state.id, now);
  return bundle;
}

ElementVerdicts AssessElements(const PageSnapshot& snapshot, const std::vector<Element>& elements,
                               const RiskPolicy& policy, const ExploreOptions& options,
                               Timestamp now) {
  ElementVerdicts verdicts;
  for (size_t i = 0; i < elements.size(); ++i) {
    const Element& element = elements[i];
    const RiskHints& hints = snapshot.nodes[i].hints;
    const RiskVerdict verdict =
        policy.Assess(element, hints, ActionTypeFor(element), options.allowed);
    Judgement judgement = JudgeElement(element, hints, verdict, options.in_scope, options.values);
    if (judgement.skipped) {
      verdicts.skips.push_back(MakeSkip(element, judgement, now));
    } else if (judgement.refusal) {
      verdicts.refusals.push_back(
          MakeFailure(element.state_id, element.id, judgement.action, *judgement.refusal, now));
    } else {
      verdicts.candidates.push_back({.state = 0,
                                     .element = element.id,
                                     .params = ParamsOf(element, *judgement.request),
                                     .request = *std::move(judgement.request),
                                     .locator = *std::move(judgement.locator),
                                     .verdict = std::move(judgement.verdict)});
    }
  }
  return verdicts;
}

}  // namespace topodb::capture
