#include "tests/support/full_graph.h"

#include <string>
#include <string_view>
#include <utility>

#include "schema/fingerprint.h"
#include "tests/support/graph_builder.h"

namespace topodb::testing {
namespace {

using namespace std::string_view_literals;

// Quotes, controls, NUL, ESC, a bidi override, four-byte characters.
constexpr std::string_view kHostile =
    "a\"b\\c\0\x01\x1B[31m\n\xE2\x80\xAE\xF0\x9F\x98\x80\xC2\x85"sv;

Run FullRun(uint32_t serial) {
  Run run = BuildRun("full-" + std::to_string(serial), serial);
  run.runtime_context.timezone_id = "Europe/Berlin";
  run.runtime_context.auth_context = AuthContext::kAttached;
  run.status = RunStatus::kPartial;
  run.status_reason = "interrupted";
  run.budgets = {{"max-actions", 50, true}, {"max-time", 600000, false}};
  run.protocol_commands = 100 + serial;
  run.warnings = {std::string(kHostile)};
  run.off_origin_hosts = {"cdn.test", "fonts.test"};
  return run;
}

LocatorDescriptor FullDescriptor(LocatorStrategy strategy) {
  LocatorDescriptor descriptor;
  descriptor.strategy = strategy;
  if (strategy == LocatorStrategy::kRole) descriptor.role = "button";
  if (strategy == LocatorStrategy::kTestId) descriptor.attribute = "data-qa";
  descriptor.value = kHostile;
  descriptor.within = {{ContextKind::kRow, "row", "Acme", "Acme Co 12"},
                       {ContextKind::kForm, "", std::nullopt, std::nullopt}};
  descriptor.nth = 3;
  return descriptor;
}

Locator FullLocator(const ElementId& element, LocatorStrategy strategy, int64_t time) {
  Locator locator;
  locator.descriptor = FullDescriptor(strategy);
  locator.expression =
      std::string(ToHex(element.bytes)) + "." + std::to_string(static_cast<int>(strategy));
  locator.id = ComputeLocatorId(element, locator.expression);
  locator.score = 0.1 + 0.2;
  locator.reason = "why";
  locator.verified = true;
  locator.match_count = 2;
  locator.failure_count = 1;
  locator.last_verified_at = Timestamp{time};
  locator.scopes = locator.descriptor.within;
  locator.identity = LocatorIdentity{true, false, true, false, true};
  locator.evidence = {{EvidenceLevel::kVerified, "locator", std::string(kHostile)}};
  return locator;
}

ParameterSurface FullSurface() {
  ParameterSurface surface;
  surface.name = "quantity";
  surface.input_type = "number";
  surface.required = surface.readonly = surface.disabled = surface.multiple = surface.secret = true;
  surface.pattern = "[0-9]+";
  surface.min = "0";
  surface.max = "9";
  surface.step = "0.5";
  surface.accept = "image/*";
  surface.autocomplete = "off";
  surface.min_length = -1;
  surface.max_length = 9007199254740993;  // beyond what a double holds
  surface.options = {{"One", "1", true, false}, {"Two", "2", false, true}};
  surface.form_method = "post";
  surface.form_action = "/order";
  return surface;
}

void FillElement(Element& element, int64_t time) {
  element.name_source = NameSource::kInPage;
  element.label = kHostile;
  element.placeholder = "type here";
  element.attributes = {{"data-qa", std::string(kHostile)}, {"href", "/x?a=1&b=2"}};
  element.bbox = {-1.5, 1e21, 0.1, 3};
  element.frame_path = {"outer", "inner"};
  element.shadow_path = {"x-host"};
  element.interactability = {true, true, true, true, "div.cover"};
  element.context = {{ContextKind::kDialog, "dialog", "Edit", "Edit it", "k1"},
                     {ContextKind::kForm, "form", std::nullopt, "text", std::nullopt},
                     {ContextKind::kListItem, "listitem", "item", std::nullopt, "k2"}};
  element.parameter_surface = FullSurface();
  element.anchor_key = ComputeAnchorKey(element);
  element.id = ComputeElementId(element.state_id, element, 0);
  element.locators.clear();
  for (int strategy = 1; strategy <= static_cast<int>(LocatorStrategy::kCss); ++strategy) {
    element.locators.push_back(
        FullLocator(element.id, static_cast<LocatorStrategy>(strategy), time));
  }
  element.truncated = {"text"};
  element.unstable = true;
  element.evidence.push_back({EvidenceLevel::kExternal, "annotation", "a person said so"});
}

TargetIdentity FullIdentity() {
  TargetIdentity identity;
  identity.scope = {"@entry", "/docs/#", {"frame"}, {"x-host"}, "dialog Edit"};
  identity.ids = {{IdKind::kTestId, "data-qa", "save", 1}, {IdKind::kHref, "", "/docs", 2}};
  identity.role = "button";
  identity.name = "Save 12";
  identity.name_hash = 0xFEDCBA9876543210;
  identity.masked_hash = 1;
  identity.ancestry = {{"row", "Acme"}, {"table", std::nullopt}};
  identity.row_key = "Acme";
  identity.sibling = 1;
  identity.region_order = 2;
  identity.region = "main";
  identity.identity_count = 3;
  identity.matched_count = 4;
  identity.state = {true, true, true, false, "text"};
  identity.verification = Verification::kPositional;
  identity.verification_reason = "two of them";
  return identity;
}

void FillState(StateBundle& bundle, int64_t time) {
  State& state = bundle.state;
  state.frame_context = {"outer"};
  state.modal_stack = {"dialog Edit"};
  state.lifecycle = Lifecycle::kVerified;
  state.unstable_parts = {{"text", "now 12:00"}, {"title", "Page"}};
  state.title = kHostile;
  state.created_at.millis += time;
  for (Landmark& landmark : bundle.landmarks) {
    landmark.identity = FullIdentity();
    landmark.id = ComputeLandmarkId(state.id, landmark, 0);
    landmark.locator = FullLocator({}, LocatorStrategy::kRole, time);
  }
  for (Element& element : bundle.elements) FillElement(element, time);
}

std::vector<Effect> AllEffects() {
  std::vector<Effect> effects;
  for (int type = 1; type <= static_cast<int>(EffectType::kFocus); ++type) {
    effects.push_back({static_cast<EffectType>(type),
                       "before",
                       "after",
                       "it changed",
                       {{"method", "GET"}, {"status", "200"}}});
  }
  return effects;
}

void FillEdge(ActionEdge& edge, uint32_t serial) {
  edge.action_params = {{"key", "Enter"}, {"value", std::string(kHostile)}};
  edge.id =
      ComputeEdgeId(edge.from_state_id, edge.element_id, edge.action_type, edge.action_params);
  edge.preconditions = {"visible"};
  edge.parameter_specs = {"text"};
  edge.effects = AllEffects();
  edge.created_at.millis += serial;
  edge.target = FullIdentity();
  edge.settle = {true, "real", "fallback", 1000 + serial, 50, {"timer"}};
}

CompletionObservation Finished(const ActionEdge& edge, int64_t time) {
  CompletionObservation done;
  done.state_id = edge.from_state_id;
  done.element_id = edge.element_id;
  done.action_type = edge.action_type;
  done.profile = "chatgpt";
  done.id = ComputeObservationId(done.state_id, done.element_id, done.action_type, done.profile);
  done.status = CompletionStatus::kComplete;
  done.text = kHostile;
  done.baseline = {.url = "http://shop.test/c/1", .conversation_id = "1", .item_count = 2};
  done.proof = {.finished = true,
                .message_id = "m3",
                .turn_id = "conversation-turn-3",
                .turn_index = 2,
                .control = "button.copy"};
  done.warnings = {std::string(kHostile)};
  done.used_fallbacks = {"recovery", "copy-markdown"};
  done.stable_ms = 1200;
  done.elapsed_ms = 5000;
  done.evidence = {{EvidenceLevel::kObserved, "completion", "the control is in the item"}};
  done.created_at.millis = time;
  return done;
}

CompletionObservation Unfinished(int64_t time) {
  CompletionObservation deferred;
  deferred.profile = "generic-log";
  deferred.id = ComputeObservationId({}, {}, {}, deferred.profile);
  deferred.status = CompletionStatus::kDeferred;
  deferred.recoverable = true;
  deferred.retry_hint = "wait longer";
  deferred.error_code = "recovery-deferred-unverified";
  deferred.evidence = {{EvidenceLevel::kObserved, "completion", "no control was seen"}};
  deferred.created_at.millis = time;
  return deferred;
}

}  // namespace

Status WriteFullGraph(GraphSink& sink, uint32_t serial) {
  const int64_t time = int64_t{serial} * 60'000;
  StateBundle home =
      BuildState("/", {{"link", "Docs", "a"}, {"button", "Delete account", "button"}});
  StateBundle docs = BuildState("/docs", {{"button", "Print", "button"}, {"link", "Up", "a"}});
  FillState(home, time);
  FillState(docs, time);
  home.skips = {BuildSkip(home.elements[1])};
  home.skips[0].created_at.millis += time;
  docs.failures = {BuildFailure(docs.elements[0])};
  docs.failures[0].effects = AllEffects();
  docs.failures[0].created_at.millis += time;
  Transition open = BuildTransition(home, 0, docs);
  FillEdge(open.edge, serial);
  open.new_state->state.opened_by_edge_id = open.edge.id;
  ActionEdge stay = BuildEdge(docs, 1, docs.state.id);
  FillEdge(stay, serial);
  stay.other_to_state_ids = {home.state.id};
  stay.lifecycle = Lifecycle::kConflicted;
  FailedObservation early = BuildEarlyFailure(FailureReason::kNetworkError);
  early.message = kHostile;

  const Run run = FullRun(serial);
  TOPODB_TRY_VOID(sink.BeginRun(run));
  TOPODB_TRY_VOID(sink.AddFailure(early));
  TOPODB_TRY_VOID(sink.AddState(home));
  TOPODB_TRY_VOID(sink.AddTransition(open));
  TOPODB_TRY_VOID(sink.AddTransition({.edge = stay, .new_state = std::nullopt}));
  TOPODB_TRY_VOID(sink.AddCompletion(Finished(open.edge, time)));
  TOPODB_TRY_VOID(sink.AddCompletion(Unfinished(time)));
  return sink.EndRun(run);
}

}  // namespace topodb::testing
