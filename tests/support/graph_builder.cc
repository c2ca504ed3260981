#include "tests/support/graph_builder.h"

#include <utility>

#include "schema/base/hash.h"
#include "schema/fingerprint.h"

namespace topodb::testing {
namespace {

constexpr std::string_view kOrigin = "https://shop.test";
constexpr int64_t kEpochMillis = 1'700'000'000'000;

std::vector<Evidence> Observed(std::string_view description) {
  return {{EvidenceLevel::kObserved, "test", std::string(description)}};
}

std::string HexHash(std::string_view text) { return ToHex(HashBytes(text)); }

Locator BuildLocator(const Element& element) {
  Locator locator;
  locator.descriptor = {.strategy = LocatorStrategy::kRole,
                        .role = *element.role,
                        .attribute = {},
                        .value = *element.accessible_name,
                        .within = {},
                        .nth = {}};
  locator.expression =
      "getByRole('" + *element.role + "', { name: '" + *element.accessible_name + "' })";
  locator.id = ComputeLocatorId(element.id, locator.expression);
  locator.score = 0.95;
  locator.reason = "role and name";
  locator.verified = true;
  locator.match_count = 1;
  locator.evidence = {{EvidenceLevel::kVerified, "test", "resolved to the element alone"}};
  return locator;
}

Element BuildElement(const State& state, const ElementSpec& spec, uint32_t equal_before) {
  Element element;
  element.state_id = state.id;
  element.tag = spec.tag;
  element.role = spec.role;
  element.accessible_name = spec.name;
  element.text = spec.name;
  element.bbox = {10, 20, 100, 30};
  element.interactability = {
      .visible = true, .enabled = true, .editable = false, .receives_events = true, .blocker = {}};
  element.anchor_key = ComputeAnchorKey(element);
  element.id = ComputeElementId(state.id, element, equal_before);
  element.locators = {BuildLocator(element)};
  element.evidence = Observed("seen on the page");
  return element;
}

State BuildStateRecord(std::string_view path) {
  State state;
  state.url = std::string(kOrigin) + std::string(path);
  state.route = path;
  state.url_canonical_key = "@entry" + std::string(path);
  state.title = "Page " + std::string(path);
  state.language = "en";
  state.state_hash = HexHash("state" + state.route);
  state.dom_hash = HexHash("dom" + state.route);
  state.visible_text_hash = HexHash("text" + state.route);
  state.actionable_signature_hash = HexHash("actionable" + state.route);
  state.template_key = HexHash("template" + state.route);
  state.form_state_hash = HexHash("form" + state.route);
  state.http_status = 200;
  state.lifecycle = Lifecycle::kFingerprinted;
  state.created_at = {kEpochMillis + 1000};
  state.identity_parts = {{"url", state.url_canonical_key}, {"heading", state.title}};
  state.id = ComputeStateId(state.identity_parts);
  state.evidence = Observed("page " + state.route);
  return state;
}

Landmark BuildLandmark(const State& state) {
  Landmark landmark;
  landmark.state_id = state.id;
  landmark.role = "heading";
  landmark.name = state.title;
  landmark.identity.role = "heading";
  landmark.identity.name = state.title;
  landmark.identity.verification = Verification::kVerified;
  landmark.id = ComputeLandmarkId(state.id, landmark, 0);
  return landmark;
}

}  // namespace

Run BuildRun(std::string_view name, uint32_t serial) {
  Run run;
  run.id = {HashBytes("run " + std::to_string(serial))};
  run.name = name;
  run.input_url = std::string(kOrigin) + "/";
  run.entry_url = run.input_url;
  run.generated_at = {kEpochMillis + int64_t{serial} * 60'000};
  run.ended_at = {run.generated_at.millis + 5'000};
  run.engine_version = "0.1.0";
  run.mode = RunMode::kExplore;
  run.input_seed = run.input_url;
  run.policy_hash = HexHash("policy");
  run.risk_policy_version = "topodb-risk-1";
  run.normalization_rule_version = kNormalizationRuleVersion;
  run.locator_scoring_version = "topodb-locators-1";
  run.input_fingerprint =
      ComputeInputFingerprint(run.input_seed, run.mode, run.risk_policy_version, run.policy_hash,
                              run.normalization_rule_version, run.locator_scoring_version);
  run.runtime_context.browser_name = "chromium";
  run.runtime_context.browser_version = "100.0";
  run.runtime_context.locale = "en-US";
  run.site_base_url = kOrigin;
  run.status = RunStatus::kComplete;
  run.clock = "virtual";
  run.guard = "mutations";
  return run;
}

StateBundle BuildState(std::string_view path, const std::vector<ElementSpec>& elements) {
  StateBundle bundle;
  bundle.state = BuildStateRecord(path);
  for (const ElementSpec& spec : elements) {
    uint32_t equal_before = 0;
    Element element = BuildElement(bundle.state, spec, equal_before);
    for (const Element& other : bundle.elements) {
      if (other.anchor_key == element.anchor_key) ++equal_before;
    }
    if (equal_before > 0) element = BuildElement(bundle.state, spec, equal_before);
    bundle.elements.push_back(std::move(element));
  }
  bundle.landmarks.push_back(BuildLandmark(bundle.state));
  return bundle;
}

ActionEdge BuildEdge(const StateBundle& from, size_t element, const StateId& to) {
  const Element& target = from.elements.at(element);
  ActionEdge edge;
  edge.from_state_id = from.state.id;
  edge.to_state_id = to;
  edge.element_id = target.id;
  edge.locator_id = target.locators.front().id;
  edge.action_type = ActionType::kClick;
  edge.id = ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, {});
  edge.effects = {{.type = EffectType::kDom,
                   .before = "a",
                   .after = "b",
                   .description = "DOM changed after action",
                   .details = {}}};
  edge.risk_level = RiskLevel::kLow;
  edge.risk_category = RiskCategory::kNavigation;
  edge.confidence = 0.9;
  edge.created_at = {kEpochMillis + 2000};
  edge.evidence = Observed("clicked");
  edge.target.role = *target.role;
  edge.target.name = *target.accessible_name;
  edge.target.verification = Verification::kVerified;
  edge.settle = {.settled = true,
                 .clock = "virtual",
                 .tier = "quick",
                 .elapsed_ms = 5,
                 .virtual_ms = 50,
                 .still_busy = {}};
  return edge;
}

Transition BuildTransition(const StateBundle& from, size_t element, StateBundle to) {
  Transition transition;
  transition.edge = BuildEdge(from, element, to.state.id);
  to.state.opened_by_edge_id = transition.edge.id;
  transition.new_state = std::move(to);
  return transition;
}

SkippedAction BuildSkip(const Element& element) {
  SkippedAction skip;
  skip.state_id = element.state_id;
  skip.element_id = element.id;
  skip.action_type = ActionType::kClick;
  skip.risk_level = RiskLevel::kHigh;
  skip.risk_category = RiskCategory::kDestructive;
  skip.reason = "blocked:destructive";
  skip.id = ComputeSkipId(skip.state_id, skip.element_id, skip.action_type, skip.reason);
  skip.evidence = {{EvidenceLevel::kHeuristic, "risk", "name says so"}};
  skip.created_at = {kEpochMillis + 1500};
  return skip;
}

FailedObservation BuildFailure(const Element& element) {
  FailedObservation failure;
  failure.state_id = element.state_id;
  failure.element_id = element.id;
  failure.action_type = ActionType::kClick;
  failure.reason = FailureReason::kElementDisabled;
  failure.message = "the element is disabled";
  failure.id =
      ComputeFailureId(failure.state_id, failure.element_id, failure.action_type, failure.reason);
  failure.evidence = Observed("disabled");
  failure.created_at = {kEpochMillis + 1600};
  return failure;
}

FailedObservation BuildEarlyFailure(FailureReason reason) {
  FailedObservation failure;
  failure.reason = reason;
  failure.message = "failed before any state";
  failure.id = ComputeFailureId({}, {}, {}, reason);
  failure.evidence = Observed("failed");
  failure.created_at = {kEpochMillis + 500};
  return failure;
}

Status WriteSmallGraph(GraphSink& sink, const Run& run) {
  StateBundle home =
      BuildState("/", {{"link", "Docs", "a"}, {"button", "Delete account", "button"}});
  home.skips = {BuildSkip(home.elements[1])};
  StateBundle docs = BuildState("/docs", {{"link", "Guide", "a"}, {"button", "Print", "button"}});
  docs.failures = {BuildFailure(docs.elements[1])};
  StateBundle guide = BuildState("/docs/guide", {{"link", "Home", "a"}});
  TOPODB_TRY_VOID(sink.BeginRun(run));
  TOPODB_TRY_VOID(sink.AddFailure(BuildEarlyFailure(FailureReason::kNetworkError)));
  TOPODB_TRY_VOID(sink.AddState(home));
  TOPODB_TRY_VOID(sink.AddTransition(BuildTransition(home, 0, docs)));
  TOPODB_TRY_VOID(sink.AddTransition(BuildTransition(docs, 0, guide)));
  TOPODB_TRY_VOID(
      sink.AddTransition({.edge = BuildEdge(guide, 0, home.state.id), .new_state = {}}));
  return sink.EndRun(run);
}

}  // namespace topodb::testing
