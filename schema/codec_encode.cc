#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/codec.h"
#include "schema/codec_layout.h"
#include "topodb_generated.h"

namespace topodb {
namespace {

using flatbuffers::Offset;
using flatbuffers::String;
template <class T>
using Tables = Offset<flatbuffers::Vector<Offset<T>>>;

template <class Tag>
fb::Id ToFb(const Id<Tag>& id) {
  return fb::Id(flatbuffers::span<const uint8_t, 16>(id.bytes));
}

fb::Viewport ToFb(const Viewport& viewport) { return {viewport.width, viewport.height}; }

template <class Enum>
uint8_t Number(Enum value) {
  return static_cast<uint8_t>(value);
}

// The reader refuses numbers that JSON cannot hold, so none is written.
double Finite(double value) { return std::isfinite(value) ? value : 0; }

// Builds one record. Children come before their table, so each function returns a finished offset;
// a null offset leaves the field out.
class Encoder {
 public:
  Offset<fb::Run> Put(const Run& run);
  Offset<fb::State> Put(const State& state);
  Offset<fb::Element> Put(const Element& element);
  Offset<fb::ActionEdge> Put(const ActionEdge& edge);
  Offset<fb::SkippedAction> Put(const SkippedAction& skip);
  Offset<fb::FailedObservation> Put(const FailedObservation& failure);
  Offset<fb::CompletionObservation> Put(const CompletionObservation& observation);
  Offset<fb::Landmark> Put(const Landmark& landmark);

  template <class Record>
  std::string Finish(const Record& record) {
    builder_.Finish(Put(record), codec::Kind<Record>::kIdentifier);
    return {reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize()};
  }

 private:
  // Equal strings of one record are stored once: locators repeat names and scopes.
  Offset<String> Present(std::string_view text) {
    return builder_.CreateSharedString(text.data(), text.size());
  }
  Offset<String> Text(const std::string& text) {
    return text.empty() ? Offset<String>() : Present(text);
  }
  Offset<String> Text(const std::optional<std::string>& text) {
    return text ? Present(*text) : Offset<String>();
  }
  // Several at once, stored in this order: list initialisation goes from left to right.
  template <class... Strings>
  std::array<Offset<String>, sizeof...(Strings)> Texts(const Strings&... texts) {
    return {Text(texts)...};
  }
  Tables<String> List(const std::vector<std::string>& texts) {
    if (texts.empty()) return {};
    std::vector<Offset<String>> offsets;
    offsets.reserve(texts.size());
    for (const auto& text : texts) offsets.push_back(Present(text));
    return builder_.CreateVector(offsets);
  }
  template <class Table, class Value>
  Tables<Table> List(const std::vector<Value>& values) {
    if (values.empty()) return {};
    std::vector<Offset<Table>> offsets;
    offsets.reserve(values.size());
    for (const auto& value : values) offsets.push_back(Item(value));
    return builder_.CreateVector(offsets);
  }
  // As List; a list that equals the one before is stored once.
  template <class Table, class Value>
  Tables<Table> RepeatedList(const std::vector<Value>& values,
                             std::pair<const std::vector<Value>*, Tables<Table>>& last) {
    if (last.first != nullptr && *last.first == values) return last.second;
    last = {&values, List<Table>(values)};
    return last.second;
  }
  Tables<fb::Evidence> EvidenceList(const std::vector<Evidence>& evidence) {
    return RepeatedList(evidence, last_evidence_);
  }

  Offset<fb::Evidence> Item(const Evidence& evidence) {
    const auto [source, description] = Texts(evidence.source, evidence.description);
    return fb::CreateEvidence(builder_, Number(evidence.level), source, description);
  }
  Offset<fb::NameValue> Item(const NameValue& pair) {
    const auto [name, value] = Texts(pair.first, pair.second);
    return fb::CreateNameValue(builder_, name, value);
  }
  Offset<fb::Budget> Item(const Budget& budget) {
    return fb::CreateBudget(builder_, Text(budget.name), budget.limit, budget.hit);
  }
  Offset<fb::ContextAnchor> Item(const ContextAnchor& anchor) {
    const auto [role, name, text, key] = Texts(anchor.role, anchor.name, anchor.text, anchor.key);
    return fb::CreateContextAnchor(builder_, Number(anchor.kind), role, name, text, key);
  }
  Offset<fb::LocatorScope> Item(const LocatorScope& scope) {
    const auto [role, name, text] = Texts(scope.role, scope.name, scope.text);
    return fb::CreateLocatorScope(builder_, Number(scope.kind), role, name, text);
  }
  Offset<fb::Locator> Item(const Locator& locator);
  Offset<fb::SelectOption> Item(const SelectOption& option) {
    const auto [label, value] = Texts(option.label, option.value);
    return fb::CreateSelectOption(builder_, label, value, option.disabled, option.selected);
  }
  Offset<fb::IdValue> Item(const IdValue& id) {
    const auto [attribute, value] = Texts(id.attribute, id.value);
    return fb::CreateIdValue(builder_, Number(id.kind), attribute, value, id.count);
  }
  Offset<fb::AncestryStep> Item(const AncestryStep& step) {
    const auto [role, name] = Texts(step.role, step.name);
    return fb::CreateAncestryStep(builder_, role, name);
  }
  Offset<fb::IdentityPart> Item(const IdentityPart& part) {
    const auto [kind, value] = Texts(part.kind, part.value);
    return fb::CreateIdentityPart(builder_, kind, value);
  }
  Offset<fb::UnstablePart> Item(const UnstablePart& part) {
    const auto [kind, key] = Texts(part.kind, part.key);
    return fb::CreateUnstablePart(builder_, kind, key);
  }
  Offset<fb::Effect> Item(const Effect& effect) {
    const auto [before, after, text] = Texts(effect.before, effect.after, effect.description);
    const auto details = List<fb::NameValue>(effect.details);
    return fb::CreateEffect(builder_, Number(effect.type), before, after, text, details);
  }
  Offset<fb::RuntimeContext> Put(const RuntimeContext& context);
  Offset<fb::ParameterSurface> Put(const ParameterSurface& surface);
  Offset<fb::TargetIdentity> Put(const TargetIdentity& target);
  Offset<fb::SettleReport> Put(const SettleReport& settle);

  flatbuffers::FlatBufferBuilder builder_{1024};
  std::pair<const std::vector<LocatorScope>*, Tables<fb::LocatorScope>> last_scopes_{};
  std::pair<const std::vector<Evidence>*, Tables<fb::Evidence>> last_evidence_{};
};

uint8_t IdentityBits(const LocatorIdentity& identity) {
  return static_cast<uint8_t>((identity.same_tag ? codec::kSameTag : 0) |
                              (identity.same_role ? codec::kSameRole : 0) |
                              (identity.same_accessible_name ? codec::kSameAccessibleName : 0) |
                              (identity.same_text ? codec::kSameText : 0) |
                              (identity.same_visibility ? codec::kSameVisibility : 0));
}

Offset<fb::Locator> Encoder::Item(const Locator& locator) {
  const auto [role, attribute, value] =
      Texts(locator.descriptor.role, locator.descriptor.attribute, locator.descriptor.value);
  const auto within = List<fb::LocatorScope>(locator.descriptor.within);
  const auto expression = Text(locator.expression);
  const auto framework =
      locator.framework == codec::kDefaultFramework ? Offset<String>() : Present(locator.framework);
  const auto reason = Text(locator.reason);
  const auto scopes = RepeatedList(locator.scopes, last_scopes_);
  const auto evidence = EvidenceList(locator.evidence);
  const fb::Id id = ToFb(locator.id);
  fb::LocatorBuilder table(builder_);
  table.add_id(&id);
  table.add_strategy(Number(locator.descriptor.strategy));
  table.add_role(role);
  table.add_attribute(attribute);
  table.add_value(value);
  table.add_within(within);
  if (locator.descriptor.nth) table.add_nth(*locator.descriptor.nth);
  table.add_expression(expression);
  table.add_framework(framework);
  table.add_score(Finite(locator.score));
  table.add_reason(reason);
  table.add_verified(locator.verified);
  table.add_match_count(locator.match_count);
  table.add_failure_count(locator.failure_count);
  if (locator.last_verified_at) table.add_last_verified_at(locator.last_verified_at->millis);
  table.add_scopes(scopes);
  if (locator.identity) table.add_identity(IdentityBits(*locator.identity));
  table.add_evidence(evidence);
  return table.Finish();
}

Offset<fb::RuntimeContext> Encoder::Put(const RuntimeContext& context) {
  const auto [browser_name, browser_version, locale, timezone_id] =
      Texts(context.browser_name, context.browser_version, context.locale, context.timezone_id);
  const fb::Viewport viewport = ToFb(context.viewport);
  return fb::CreateRuntimeContext(builder_, browser_name, browser_version, &viewport, locale,
                                  timezone_id, Number(context.auth_context));
}

Offset<fb::ParameterSurface> Encoder::Put(const ParameterSurface& surface) {
  const auto [name, input_type, pattern, min, max, step, accept, autocomplete] =
      Texts(surface.name, surface.input_type, surface.pattern, surface.min, surface.max,
            surface.step, surface.accept, surface.autocomplete);
  const auto options = List<fb::SelectOption>(surface.options);
  const auto [form_method, form_action] = Texts(surface.form_method, surface.form_action);
  fb::ParameterSurfaceBuilder table(builder_);
  table.add_name(name);
  table.add_input_type(input_type);
  table.add_required(surface.required);
  table.add_readonly(surface.readonly);
  table.add_disabled(surface.disabled);
  table.add_multiple(surface.multiple);
  table.add_secret(surface.secret);
  table.add_pattern(pattern);
  table.add_min(min);
  table.add_max(max);
  table.add_step(step);
  table.add_accept(accept);
  table.add_autocomplete(autocomplete);
  if (surface.min_length) table.add_min_length(*surface.min_length);
  if (surface.max_length) table.add_max_length(*surface.max_length);
  table.add_options(options);
  table.add_form_method(form_method);
  table.add_form_action(form_action);
  return table.Finish();
}

Offset<fb::TargetIdentity> Encoder::Put(const TargetIdentity& target) {
  const auto [origin, path_template] = Texts(target.scope.origin, target.scope.path_template);
  const auto frame_path = List(target.scope.frame_path);
  const auto shadow_path = List(target.scope.shadow_path);
  const auto top_layer = Text(target.scope.top_layer);
  const auto ids = List<fb::IdValue>(target.ids);
  const auto [role, name] = Texts(target.role, target.name);
  const auto ancestry = List<fb::AncestryStep>(target.ancestry);
  const auto [row_key, region, input_type, verification_reason] =
      Texts(target.row_key, target.region, target.state.input_type, target.verification_reason);
  fb::TargetIdentityBuilder table(builder_);
  table.add_origin(origin);
  table.add_path_template(path_template);
  table.add_frame_path(frame_path);
  table.add_shadow_path(shadow_path);
  table.add_top_layer(top_layer);
  table.add_ids(ids);
  table.add_role(role);
  table.add_name(name);
  table.add_name_hash(target.name_hash);
  table.add_masked_hash(target.masked_hash);
  table.add_ancestry(ancestry);
  table.add_row_key(row_key);
  table.add_sibling(target.sibling);
  table.add_region_order(target.region_order);
  table.add_region(region);
  table.add_identity_count(target.identity_count);
  table.add_matched_count(target.matched_count);
  table.add_disabled(target.state.disabled);
  table.add_editable(target.state.editable);
  if (target.state.checked) table.add_checked(*target.state.checked);
  if (target.state.expanded) table.add_expanded(*target.state.expanded);
  table.add_input_type(input_type);
  table.add_verification(Number(target.verification));
  table.add_verification_reason(verification_reason);
  return table.Finish();
}

Offset<fb::SettleReport> Encoder::Put(const SettleReport& settle) {
  const auto [clock, tier] = Texts(settle.clock, settle.tier);
  const auto still_busy = List(settle.still_busy);
  return fb::CreateSettleReport(builder_, settle.settled, clock, tier, settle.elapsed_ms,
                                settle.virtual_ms, still_busy);
}

Offset<fb::Run> Encoder::Put(const Run& run) {
  const auto [name, schema_version, artifact_version, input_url, entry_url, engine_version,
              input_seed] = Texts(run.name, run.schema_version, run.artifact_version, run.input_url,
                                  run.entry_url, run.engine_version, run.input_seed);
  const auto runtime_context = Put(run.runtime_context);
  const auto [site_base_url, risk_policy_version, normalization_rule_version,
              locator_scoring_version, status_reason] =
      Texts(run.site_base_url, run.risk_policy_version, run.normalization_rule_version,
            run.locator_scoring_version, run.status_reason);
  const auto budgets = List<fb::Budget>(run.budgets);
  const auto [policy_hash, clock, guard] = Texts(run.policy_hash, run.clock, run.guard);
  const auto warnings = List(run.warnings);
  const auto off_origin_hosts = List(run.off_origin_hosts);
  const fb::Id id = ToFb(run.id), fingerprint = ToFb(run.input_fingerprint);
  const fb::RunCounts counts(run.counts.states, run.counts.elements, run.counts.edges,
                             run.counts.skipped_actions, run.counts.failed_observations);
  fb::RunBuilder table(builder_);
  table.add_id(&id);
  table.add_name(name);
  table.add_schema_version(schema_version);
  table.add_artifact_version(artifact_version);
  table.add_input_url(input_url);
  table.add_entry_url(entry_url);
  table.add_generated_at(run.generated_at.millis);
  table.add_engine_version(engine_version);
  table.add_mode(Number(run.mode));
  table.add_input_seed(input_seed);
  table.add_input_fingerprint(&fingerprint);
  table.add_runtime_context(runtime_context);
  table.add_site_base_url(site_base_url);
  table.add_risk_policy_version(risk_policy_version);
  table.add_normalization_rule_version(normalization_rule_version);
  table.add_locator_scoring_version(locator_scoring_version);
  table.add_status(Number(run.status));
  table.add_status_reason(status_reason);
  table.add_counts(&counts);
  table.add_budgets(budgets);
  table.add_policy_hash(policy_hash);
  table.add_clock(clock);
  table.add_guard(guard);
  table.add_id_scheme(Number(run.id_scheme));
  table.add_ended_at(run.ended_at.millis);
  table.add_protocol_commands(run.protocol_commands);
  table.add_warnings(warnings);
  table.add_off_origin_hosts(off_origin_hosts);
  table.add_observations(run.counts.observations);
  return table.Finish();
}

Offset<fb::State> Encoder::Put(const State& state) {
  const auto [url, route, url_canonical_key, title, language] =
      Texts(state.url, state.route, state.url_canonical_key, state.title, state.language);
  const auto frame_context = List(state.frame_context);
  const auto modal_stack = List(state.modal_stack);
  const auto [state_hash, dom_hash, visible_text_hash, actionable_signature_hash, template_key,
              form_state_hash] =
      Texts(state.state_hash, state.dom_hash, state.visible_text_hash,
            state.actionable_signature_hash, state.template_key, state.form_state_hash);
  const auto identity_parts = List<fb::IdentityPart>(state.identity_parts);
  const auto unstable_parts = List<fb::UnstablePart>(state.unstable_parts);
  const auto evidence = EvidenceList(state.evidence);
  const fb::Id id = ToFb(state.id), opened_by = ToFb(state.opened_by_edge_id.value_or(EdgeId{}));
  const fb::Viewport viewport = ToFb(state.viewport);
  fb::StateBuilder table(builder_);
  table.add_id(&id);
  table.add_url(url);
  table.add_route(route);
  table.add_url_canonical_key(url_canonical_key);
  table.add_title(title);
  table.add_language(language);
  table.add_viewport(&viewport);
  table.add_frame_context(frame_context);
  table.add_modal_stack(modal_stack);
  table.add_state_hash(state_hash);
  table.add_dom_hash(dom_hash);
  table.add_visible_text_hash(visible_text_hash);
  table.add_actionable_signature_hash(actionable_signature_hash);
  table.add_template_key(template_key);
  table.add_form_state_hash(form_state_hash);
  if (state.http_status) table.add_http_status(*state.http_status);
  table.add_lifecycle(Number(state.lifecycle));
  if (state.opened_by_edge_id) table.add_opened_by_edge_id(&opened_by);
  table.add_created_at(state.created_at.millis);
  table.add_identity_parts(identity_parts);
  table.add_unstable_parts(unstable_parts);
  table.add_evidence(evidence);
  return table.Finish();
}

Offset<fb::Element> Encoder::Put(const Element& element) {
  const auto [tag, role, accessible_name, text, label, placeholder] =
      Texts(element.tag, element.role, element.accessible_name, element.text, element.label,
            element.placeholder);
  const auto attributes = List<fb::NameValue>(element.attributes);
  const auto frame_path = List(element.frame_path);
  const auto shadow_path = List(element.shadow_path);
  const auto blocker = Text(element.interactability.blocker);
  const auto context = List<fb::ContextAnchor>(element.context);
  const auto surface =
      element.parameter_surface ? Put(*element.parameter_surface) : Offset<fb::ParameterSurface>();
  const auto locators = List<fb::Locator>(element.locators);
  const auto truncated = List(element.truncated);
  const auto evidence = EvidenceList(element.evidence);
  const fb::Id id = ToFb(element.id), state_id = ToFb(element.state_id);
  const fb::Id anchor_key = ToFb(element.anchor_key);
  const fb::Rect bbox(Finite(element.bbox.x), Finite(element.bbox.y), Finite(element.bbox.width),
                      Finite(element.bbox.height));
  fb::ElementBuilder table(builder_);
  table.add_id(&id);
  table.add_state_id(&state_id);
  table.add_anchor_key(&anchor_key);
  table.add_tag(tag);
  table.add_role(role);
  table.add_accessible_name(accessible_name);
  table.add_name_source(Number(element.name_source));
  table.add_text(text);
  table.add_label(label);
  table.add_placeholder(placeholder);
  table.add_attributes(attributes);
  table.add_bbox(&bbox);
  table.add_frame_path(frame_path);
  table.add_shadow_path(shadow_path);
  table.add_visible(element.interactability.visible);
  table.add_enabled(element.interactability.enabled);
  table.add_editable(element.interactability.editable);
  table.add_receives_events(element.interactability.receives_events);
  table.add_blocker(blocker);
  table.add_context(context);
  table.add_parameter_surface(surface);
  table.add_locators(locators);
  table.add_truncated(truncated);
  table.add_unstable(element.unstable);
  table.add_evidence(evidence);
  return table.Finish();
}

Offset<fb::ActionEdge> Encoder::Put(const ActionEdge& edge) {
  std::vector<fb::Id> others;
  others.reserve(edge.other_to_state_ids.size());
  for (const StateId& other : edge.other_to_state_ids) others.push_back(ToFb(other));
  const auto other_to_state_ids = others.empty() ? Offset<flatbuffers::Vector<const fb::Id*>>()
                                                 : builder_.CreateVectorOfStructs(others);
  const auto action_params = List<fb::NameValue>(edge.action_params);
  const auto preconditions = List(edge.preconditions);
  const auto parameter_specs = List(edge.parameter_specs);
  const auto effects = List<fb::Effect>(edge.effects);
  const auto evidence = EvidenceList(edge.evidence);
  const auto target = Put(edge.target);
  const auto settle = Put(edge.settle);
  const fb::Id id = ToFb(edge.id), from = ToFb(edge.from_state_id);
  const fb::Id to = ToFb(edge.to_state_id.value_or(StateId{}));
  const fb::Id element = ToFb(edge.element_id);
  const fb::Id locator = ToFb(edge.locator_id.value_or(LocatorId{}));
  fb::ActionEdgeBuilder table(builder_);
  table.add_id(&id);
  table.add_from_state_id(&from);
  if (edge.to_state_id) table.add_to_state_id(&to);
  table.add_other_to_state_ids(other_to_state_ids);
  table.add_element_id(&element);
  if (edge.locator_id) table.add_locator_id(&locator);
  table.add_action_type(Number(edge.action_type));
  table.add_action_params(action_params);
  table.add_preconditions(preconditions);
  table.add_parameter_specs(parameter_specs);
  table.add_effects(effects);
  table.add_risk_level(Number(edge.risk_level));
  table.add_risk_category(Number(edge.risk_category));
  table.add_confidence(Finite(edge.confidence));
  table.add_lifecycle(Number(edge.lifecycle));
  table.add_created_at(edge.created_at.millis);
  table.add_evidence(evidence);
  table.add_target(target);
  table.add_settle(settle);
  return table.Finish();
}

Offset<fb::SkippedAction> Encoder::Put(const SkippedAction& skip) {
  const auto reason = Text(skip.reason);
  const auto evidence = EvidenceList(skip.evidence);
  const fb::Id id = ToFb(skip.id), state_id = ToFb(skip.state_id);
  const fb::Id element_id = ToFb(skip.element_id);
  return fb::CreateSkippedAction(builder_, &id, &state_id, &element_id, Number(skip.action_type),
                                 Number(skip.risk_level), Number(skip.risk_category), reason,
                                 evidence, skip.created_at.millis);
}

Offset<fb::FailedObservation> Encoder::Put(const FailedObservation& failure) {
  const auto message = Text(failure.message);
  const auto effects = List<fb::Effect>(failure.effects);
  const auto evidence = EvidenceList(failure.evidence);
  const fb::Id id = ToFb(failure.id);
  const fb::Id state_id = ToFb(failure.state_id.value_or(StateId{}));
  const fb::Id element_id = ToFb(failure.element_id.value_or(ElementId{}));
  fb::FailedObservationBuilder table(builder_);
  table.add_id(&id);
  if (failure.state_id) table.add_state_id(&state_id);
  if (failure.element_id) table.add_element_id(&element_id);
  if (failure.action_type) table.add_action_type(Number(*failure.action_type));
  table.add_reason(Number(failure.reason));
  table.add_message(message);
  table.add_effects(effects);
  table.add_evidence(evidence);
  table.add_created_at(failure.created_at.millis);
  return table.Finish();
}

Offset<fb::CompletionObservation> Encoder::Put(const CompletionObservation& observation) {
  const RegionBaseline& before = observation.baseline;
  const auto [url, conversation_id] = Texts(before.url, before.conversation_id);
  const auto baseline = fb::CreateRegionBaseline(builder_, url, conversation_id, before.item_count);
  const RegionProof& by = observation.proof;
  const auto [message_id, turn_id, control] = Texts(by.message_id, by.turn_id, by.control);
  const auto proof =
      fb::CreateRegionProof(builder_, by.finished, message_id, turn_id, by.turn_index, control);
  const auto [profile, text, retry_hint, error_code] =
      Texts(observation.profile, observation.text, observation.retry_hint, observation.error_code);
  const auto warnings = List(observation.warnings);
  const auto used_fallbacks = List(observation.used_fallbacks);
  const auto evidence = EvidenceList(observation.evidence);
  const fb::Id id = ToFb(observation.id);
  const fb::Id state_id = ToFb(observation.state_id.value_or(StateId{}));
  const fb::Id element_id = ToFb(observation.element_id.value_or(ElementId{}));
  fb::CompletionObservationBuilder table(builder_);
  table.add_id(&id);
  if (observation.state_id) table.add_state_id(&state_id);
  if (observation.element_id) table.add_element_id(&element_id);
  if (observation.action_type) table.add_action_type(Number(*observation.action_type));
  table.add_profile(profile);
  table.add_status(Number(observation.status));
  table.add_text(text);
  table.add_baseline(baseline);
  table.add_proof(proof);
  table.add_warnings(warnings);
  table.add_used_fallbacks(used_fallbacks);
  table.add_stable_ms(observation.stable_ms);
  table.add_elapsed_ms(observation.elapsed_ms);
  table.add_recoverable(observation.recoverable);
  table.add_retry_hint(retry_hint);
  table.add_error_code(error_code);
  table.add_evidence(evidence);
  table.add_created_at(observation.created_at.millis);
  return table.Finish();
}

Offset<fb::Landmark> Encoder::Put(const Landmark& landmark) {
  const auto [role, name] = Texts(landmark.role, landmark.name);
  const auto locator = landmark.locator ? Item(*landmark.locator) : Offset<fb::Locator>();
  const auto identity = Put(landmark.identity);
  const fb::Id id = ToFb(landmark.id), state_id = ToFb(landmark.state_id);
  return fb::CreateLandmark(builder_, &id, &state_id, role, name, locator, identity);
}

}  // namespace

std::string Encode(const Run& run) { return Encoder().Finish(run); }
std::string Encode(const State& state) { return Encoder().Finish(state); }
std::string Encode(const Element& element) { return Encoder().Finish(element); }
std::string Encode(const ActionEdge& edge) { return Encoder().Finish(edge); }
std::string Encode(const SkippedAction& skip) { return Encoder().Finish(skip); }
std::string Encode(const FailedObservation& failure) { return Encoder().Finish(failure); }
std::string Encode(const CompletionObservation& observation) {
  return Encoder().Finish(observation);
}
std::string Encode(const Landmark& landmark) { return Encoder().Finish(landmark); }

}  // namespace topodb
