#pragma once

#include "schema/model.h"

// Records with every field set to something of its own, for codec and content hash tests.
namespace topodb {

// A distinct id: `number` in the last byte, 0xA5 in the others.
template <class IdType>
IdType SampleId(uint8_t number) {
  IdType id;
  id.bytes.fill(0xA5);
  id.bytes.back() = number;
  return id;
}

inline std::vector<Evidence> SampleEvidence() {
  return {{EvidenceLevel::kObserved, "browser", "seen"},
          {EvidenceLevel::kExternal, "", ""},
          {EvidenceLevel::kHeuristic, "risk", "\xF0\x9F\x98\x80 word list"}};
}

inline Locator SampleLocator() {
  Locator locator;
  locator.id = SampleId<LocatorId>(1);
  locator.descriptor = {LocatorStrategy::kTestId,
                        "button",
                        "data-qa",
                        "save",
                        {{ContextKind::kRow, "row", "Acme Co", std::nullopt},
                         {ContextKind::kDialog, "", std::nullopt, ""}},
                        3};
  locator.expression = "getByTestId('save')";
  locator.framework = "webdriver";
  locator.score = 0.85;
  locator.reason = "test id";
  locator.verified = true;
  locator.match_count = 1;
  locator.failure_count = 2;
  locator.last_verified_at = Timestamp{0};
  locator.scopes = {{ContextKind::kForm, "form", "", "Sign in"}};
  locator.identity = LocatorIdentity{true, false, true, false, true};
  locator.evidence = SampleEvidence();
  return locator;
}

inline TargetIdentity SampleTarget() {
  TargetIdentity target;
  target.scope = {"@entry", "/orders/#", {"main", "inner"}, {"x-app"}, "dialog Confirm"};
  target.ids = {{IdKind::kTestId, "data-testid", "save", 1}, {IdKind::kHref, "", "/a", 7}};
  target.role = "button";
  target.name = "Save";
  target.name_hash = 0xFFFFFFFFFFFFFFFF;
  target.masked_hash = 1;
  target.ancestry = {{"row", "Acme Co"}, {"table", std::nullopt}, {"main", ""}};
  target.row_key = "Acme Co";
  target.sibling = 1;
  target.region_order = 2;
  target.region = "list";
  target.identity_count = 3;
  target.matched_count = 4;
  target.state = {true, true, false, true, "submit"};
  target.verification = Verification::kPositional;
  target.verification_reason = "twins";
  return target;
}

inline Run SampleRun() {
  Run run;
  run.id = SampleId<RunId>(1);
  run.name = "nightly";
  run.schema_version = "0.3";
  run.artifact_version = "other";
  run.input_url = "http://h/?token=REDACTED";
  run.entry_url = "http://h/";
  run.generated_at = {1700000000123};
  run.engine_version = "1.2.3";
  run.mode = RunMode::kExplore;
  run.input_seed = "seed";
  run.input_fingerprint = SampleId<InputFingerprint>(2);
  run.runtime_context = {"chrome", "156",           {800, 600},
                         "de",     "Europe/Berlin", AuthContext::kAttached};
  run.site_base_url = "http://h";
  run.risk_policy_version = "topodb-risk-1";
  run.normalization_rule_version = "topodb-normalization-1";
  run.locator_scoring_version = "topodb-locators-1";
  run.status = RunStatus::kPartial;
  run.status_reason = "interrupted";
  run.counts = {1, 2, 3, 4, 5};
  run.budgets = {{"max-actions", 100, true}, {"max-time", 5000, false}};
  run.policy_hash = "abcd";
  run.clock = "virtual";
  run.guard = "mutations";
  run.id_scheme = IdScheme::kForeign;
  run.ended_at = {-1};
  run.protocol_commands = 99;
  run.warnings = {"one", ""};
  run.off_origin_hosts = {"cdn.test"};
  return run;
}

inline State SampleState() {
  State state;
  state.id = SampleId<StateId>(1);
  state.url = "http://h/a";
  state.route = "/a";
  state.url_canonical_key = "@entry/a";
  state.title = "A";
  state.language = "en";
  state.viewport = {320, 200};
  state.frame_context = {"inner"};
  state.modal_stack = {"Confirm", "Really?"};
  state.state_hash = "s";
  state.dom_hash = "d";
  state.visible_text_hash = "v";
  state.actionable_signature_hash = "a";
  state.template_key = "t";
  state.form_state_hash = "f";
  state.http_status = 0;
  state.lifecycle = Lifecycle::kConflicted;
  state.opened_by_edge_id = SampleId<EdgeId>(2);
  state.created_at = {1700000000456};
  state.identity_parts = {{"url", "@entry/a"}, {"structure", "00"}};
  state.unstable_parts = {{"heading", "News"}, {"title", ""}};
  state.evidence = SampleEvidence();
  return state;
}

inline Element SampleElement() {
  Element element;
  element.id = SampleId<ElementId>(1);
  element.state_id = SampleId<StateId>(2);
  element.anchor_key = SampleId<AnchorKey>(3);
  element.tag = "select";
  element.role = "combobox";
  element.accessible_name = "";
  element.name_source = NameSource::kInPage;
  element.text = "text";
  element.label = "Country";
  element.placeholder = "…";
  element.attributes = {{"data-qa", "country"}, {"id", ""}};
  element.bbox = {-1.5, 2.25, 1e6, 0};
  element.frame_path = {"inner"};
  element.shadow_path = {"x-app", "x-field"};
  element.interactability = {true, true, true, true, "div.overlay"};
  element.context = {{ContextKind::kForm, "form", "Address", "Address Country", std::nullopt},
                     {ContextKind::kRow, "row", std::nullopt, std::nullopt, "Acme Co"}};
  ParameterSurface surface;
  surface.name = "country";
  surface.input_type = "select-one";
  surface.required = surface.readonly = surface.disabled = surface.multiple = surface.secret = true;
  surface.pattern = "[a-z]+";
  surface.min = "0";
  surface.max = "9";
  surface.step = "any";
  surface.accept = "image/*";
  surface.autocomplete = "country";
  surface.min_length = 0;
  surface.max_length = -1;
  surface.options = {{"Germany", "de", false, true}, {"", "", true, false}};
  surface.form_method = "post";
  surface.form_action = "/save";
  element.parameter_surface = surface;
  Locator plain = SampleLocator();
  plain.framework = "playwright";
  element.locators = {SampleLocator(), plain, Locator{}};
  element.truncated = {"text"};
  element.unstable = true;
  element.evidence = SampleEvidence();
  return element;
}

inline std::vector<Effect> SampleEffects() {
  return {{EffectType::kNetwork, std::nullopt, "http://h/api", "POST", {{"status", "201"}}},
          {EffectType::kDom, "00", "", "changed", {}}};
}

inline ActionEdge SampleEdge() {
  ActionEdge edge;
  edge.id = SampleId<EdgeId>(1);
  edge.from_state_id = SampleId<StateId>(2);
  edge.to_state_id = SampleId<StateId>(3);
  edge.other_to_state_ids = {SampleId<StateId>(4), SampleId<StateId>(5)};
  edge.element_id = SampleId<ElementId>(6);
  edge.locator_id = SampleId<LocatorId>(7);
  edge.action_type = ActionType::kSelect;
  edge.action_params = {{"value", "de"}};
  edge.preconditions = {"visible"};
  edge.parameter_specs = {"country"};
  edge.effects = SampleEffects();
  edge.risk_level = RiskLevel::kMedium;
  edge.risk_category = RiskCategory::kInputEdit;
  edge.confidence = 0.5;
  edge.lifecycle = Lifecycle::kConflicted;
  edge.created_at = {1};
  edge.evidence = SampleEvidence();
  edge.target = SampleTarget();
  edge.settle = {true, "virtual", "quick", 12, 3000, {"fetch /api"}};
  return edge;
}

inline SkippedAction SampleSkip() {
  return {SampleId<SkipId>(1),   SampleId<StateId>(2), SampleId<ElementId>(3),
          ActionType::kPress,    RiskLevel::kMedium,   RiskCategory::kDestructive,
          "blocked:destructive", SampleEvidence(),     {7}};
}

inline FailedObservation SampleFailure() {
  return {SampleId<FailureId>(1), SampleId<StateId>(2),       SampleId<ElementId>(3),
          ActionType::kUpload,    FailureReason::kOutOfScope, "leads elsewhere",
          SampleEffects(),        SampleEvidence(),           {8}};
}

inline CompletionObservation SampleObservation() {
  return {SampleId<ObservationId>(1),
          SampleId<StateId>(2),
          SampleId<ElementId>(3),
          ActionType::kClick,
          "chatgpt",
          CompletionStatus::kComplete,
          "The answer",
          {"https://chat.test/c/1", "1", 4},
          {true, "m5", "conversation-turn-5", 4, "button"},
          {"no copy"},
          {"recovery"},
          1200,
          9000,
          true,
          "wait longer",
          "code",
          SampleEvidence(),
          {9}};
}

inline Landmark SampleLandmark() {
  return {SampleId<LandmarkId>(1), SampleId<StateId>(2), "heading", "Orders",
          SampleLocator(),         SampleTarget()};
}

}  // namespace topodb
