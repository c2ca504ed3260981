#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "query/exchange/record_css.h"
#include "schema/model.h"
#include "schema/names.h"

// The JSON form of every record, said once: Describe(archive, record) names each field in the order
// in which it is written, and reading goes through the same table. First the fields of the
// "topology graph v0.2" shape, then our own.
//
// An archive has, besides `kWriting`:
//   Field(key, value)          may be missing when read: the value stays as it was
//   Required(key, value)       must be there when read
//   Volatile(key, value)       a Field that differs between two runs of an unchanged site
//   Computed(key, value)       written for readers of the shape, ignored when read
//   Names(key, pairs)          names and values as one object
//   Hash(key, number)          64 bits as 16 hex digits
//   Object(key, f)             an object whose fields f(archive) describes
//   Optional(key, value, f)    an object or null, described by f(archive, *value)
//   List(key, values, f)       an array of objects, each described by f(archive, item)
namespace topodb::query {

// T is Record or const Record: one function for reading and writing.
template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

template <class Archive, Is<Evidence> T>
void Describe(Archive& a, T& e) {
  a.Required("level", e.level);
  a.Field("source", e.source);
  a.Field("description", e.description);
}

template <class Archive, Is<Viewport> T>
void Describe(Archive& a, T& v) {
  a.Required("width", v.width);
  a.Required("height", v.height);
}

template <class Archive, Is<Rect> T>
void Describe(Archive& a, T& r) {
  a.Required("x", r.x);
  a.Required("y", r.y);
  a.Required("width", r.width);
  a.Required("height", r.height);
}

// ---- run ---------------------------------------------------------------------------------------

template <class Archive, Is<RuntimeContext> T>
void Describe(Archive& a, T& c) {
  a.Field("browserName", c.browser_name);
  a.Field("browserVersion", c.browser_version);
  a.Field("viewport", c.viewport);
  a.Field("locale", c.locale);
  a.Field("timezoneId", c.timezone_id);
  a.Field("authContext", c.auth_context);
}

template <class Archive, Is<Budget> T>
void Describe(Archive& a, T& b) {
  a.Required("name", b.name);
  a.Field("limit", b.limit);
  a.Field("hit", b.hit);
}

template <class Archive, Is<RunCounts> T>
void Describe(Archive& a, T& c) {
  a.Field("states", c.states);
  a.Field("elements", c.elements);
  a.Field("edges", c.edges);
  a.Field("skippedActions", c.skipped_actions);
  a.Field("failedObservations", c.failed_observations);
  a.Field("observations", c.observations);
}

// `metadata` of the document; its schemaVersion stands beside it.
template <class Archive, Is<Run> T>
void Describe(Archive& a, T& r) {
  a.Required("artifactVersion", r.artifact_version);
  a.Required("inputUrl", r.input_url);
  a.Field("entryUrl", r.entry_url);
  a.Volatile("generatedAt", r.generated_at);
  a.Field("engineVersion", r.engine_version);
  a.Required("mode", r.mode);
  a.Volatile("crawlSessionId", r.id);
  a.Field("inputSeed", r.input_seed);
  a.Field("inputFingerprint", r.input_fingerprint);
  a.Field("runtimeContext", r.runtime_context);
  a.Object("site", [&](auto& site) {
    site.Field("baseUrl", r.site_base_url);
    site.Computed("entryUrl", r.entry_url);
  });
  a.Field("riskPolicyVersion", r.risk_policy_version);
  a.Field("normalizationRuleVersion", r.normalization_rule_version);
  a.Field("locatorScoringVersion", r.locator_scoring_version);
  a.Volatile("name", r.name);
  a.Field("status", r.status);
  a.Field("statusReason", r.status_reason);
  a.Field("counts", r.counts);
  a.Field("budgets", r.budgets);
  a.Field("policyHash", r.policy_hash);
  a.Field("clock", r.clock);
  a.Field("guard", r.guard);
  a.Computed("idScheme", r.id_scheme);  // read before all else: it says how ids are read
  a.Volatile("endedAt", r.ended_at);
  a.Volatile("protocolCommands", r.protocol_commands);
  a.Field("warnings", r.warnings);
  a.Field("offOriginHosts", r.off_origin_hosts);
}

// ---- locator -----------------------------------------------------------------------------------

template <class Archive, Is<LocatorScope> T>
void Describe(Archive& a, T& s) {
  a.Required("kind", s.kind);
  a.Field("name", s.name);
  a.Field("text", s.text);
  a.Field("role", s.role);
}

template <class Archive, Is<LocatorIdentity> T>
void Describe(Archive& a, T& i) {
  a.Field("sameTag", i.same_tag);
  a.Field("sameRole", i.same_role);
  a.Field("sameAccessibleName", i.same_accessible_name);
  a.Field("sameText", i.same_text);
  a.Field("sameVisibility", i.same_visibility);
}

// The shape has one descriptor for test ids and selectors; ours stand beside it.
template <class Archive, Is<LocatorDescriptor> T>
void DescribeTestId(Archive& a, T& d) {
  a.Computed("kind", std::string("css"));
  if constexpr (Archive::kWriting) {
    a.Field("css", AttributeSelector(d.attribute, d.value));
    a.Field("testId", d.attribute == "data-testid" ? std::optional(d.value) : std::nullopt);
    a.Field("attribute", d.attribute);
    a.Field("value", d.value);
  } else {
    std::string css;
    std::optional<std::string> value;
    a.Field("css", css);
    a.Computed("testId", d.value);
    a.Field("attribute", d.attribute);
    a.Field("value", value);
    if (value) {
      d.value = *std::move(value);
    } else if (!ParseAttributeSelector(css, d.attribute, d.value)) {
      d.strategy = LocatorStrategy::kCss;
      d.value = std::move(css);
    }
  }
}

template <class Archive, Is<LocatorDescriptor> T>
void DescribeTarget(Archive& a, T& d) {
  if (d.strategy == LocatorStrategy::kTestId) return DescribeTestId(a, d);
  a.Computed("kind", d.strategy);
  switch (d.strategy) {
    case LocatorStrategy::kRole:
      a.Required("role", d.role);
      return a.Required("name", d.value);
    case LocatorStrategy::kCss:
      return a.Required("css", d.value);
    default:
      return a.Required("text", d.value);
  }
}

// `owner`: the element that the locator belongs to; none for those of landmarks.
template <class Archive, Is<Locator> T>
void DescribeLocator(Archive& a, T& l, const ElementId* owner) {
  a.Required("locatorId", l.id);
  if (owner != nullptr) a.Computed("elementId", *owner);
  a.Field("framework", l.framework);
  a.Required("strategy", l.descriptor.strategy);
  a.Object("descriptor", [&](auto& object) {
    DescribeTarget(object, l.descriptor);
    object.Field("within", l.descriptor.within);
    object.Field("nth", l.descriptor.nth);
  });
  a.Field("expression", l.expression);
  a.Field("score", l.score);
  a.Field("reason", l.reason);
  a.Field("verified", l.verified);
  a.Field("matchCount", l.match_count);
  a.Field("failureCount", l.failure_count);
  a.Volatile("lastVerifiedAt", l.last_verified_at);
  a.Field("scopes", l.scopes);
  a.Field("identity", l.identity);
  a.Field("evidence", l.evidence);
}

// ---- element -----------------------------------------------------------------------------------

template <class Archive, Is<Interactability> T>
void Describe(Archive& a, T& i) {
  a.Field("visible", i.visible);
  a.Field("enabled", i.enabled);
  a.Field("editable", i.editable);
  a.Field("receivesEvents", i.receives_events);
  a.Field("blocker", i.blocker);
}

template <class Archive, Is<ContextAnchor> T>
void Describe(Archive& a, T& c) {
  a.Computed("kind", c.kind);
  a.Field("name", c.name);
  a.Field("text", c.text);
  a.Field("role", c.role);
  a.Field("key", c.key);
}

template <class Archive, Is<SelectOption> T>
void Describe(Archive& a, T& o) {
  a.Field("label", o.label);
  a.Field("value", o.value);
  a.Field("disabled", o.disabled);
  a.Field("selected", o.selected);
}

template <class Archive, Is<ParameterSurface> T>
void Describe(Archive& a, T& p) {
  a.Field("name", p.name);
  a.Field("inputType", p.input_type);
  a.Field("required", p.required);
  a.Field("readonly", p.readonly);
  a.Field("disabled", p.disabled);
  a.Field("pattern", p.pattern);
  a.Field("min", p.min);
  a.Field("max", p.max);
  a.Field("maxLength", p.max_length);
  a.Field("options", p.options);
  a.Field("step", p.step);
  a.Field("minLength", p.min_length);
  a.Field("multiple", p.multiple);
  a.Field("accept", p.accept);
  a.Field("autocomplete", p.autocomplete);
  a.Field("formMethod", p.form_method);
  a.Field("formAction", p.form_action);
  a.Field("secret", p.secret);
}

inline constexpr ContextKind kContextKinds[] = {ContextKind::kDialog,   ContextKind::kForm,
                                                ContextKind::kSection,  ContextKind::kRow,
                                                ContextKind::kLandmark, ContextKind::kListItem};

// One key for each kind, null where there is no such container.
template <class Archive, Is<std::vector<ContextAnchor>> T>
void DescribeContext(Archive& a, T& anchors) {
  for (const ContextKind kind : kContextKinds) {
    std::optional<ContextAnchor> anchor;
    if constexpr (Archive::kWriting) {
      for (const ContextAnchor& candidate : anchors) {
        if (!anchor && candidate.kind == kind) anchor = candidate;
      }
      a.Field(ToString(kind), std::as_const(anchor));
    } else {
      a.Field(ToString(kind), anchor);
      if (!anchor) continue;
      anchor->kind = kind;
      anchors.push_back(*std::move(anchor));
    }
  }
}

template <class Archive, Is<Element> T>
void Describe(Archive& a, T& e) {
  a.Required("elementId", e.id);
  a.Required("stateId", e.state_id);
  a.Required("tag", e.tag);
  a.Field("role", e.role);
  a.Field("accessibleName", e.accessible_name);
  a.Field("text", e.text);
  a.Field("label", e.label);
  a.Field("placeholder", e.placeholder);
  a.Names("attributes", e.attributes);
  a.Field("bbox", e.bbox);
  a.Field("framePath", e.frame_path);
  a.Field("shadowPath", e.shadow_path);
  a.Field("interactability", e.interactability);
  a.Object("context", [&](auto& object) { DescribeContext(object, e.context); });
  a.Field("parameterSurface", e.parameter_surface);
  a.Field("evidence", e.evidence);
  a.List("locators", e.locators, [&](auto& item, auto& l) { DescribeLocator(item, l, &e.id); });
  a.Field("anchorKey", e.anchor_key);
  a.Field("nameSource", e.name_source);
  a.Field("truncated", e.truncated);
  a.Field("unstable", e.unstable);
}

// ---- identity ----------------------------------------------------------------------------------

template <class Archive, Is<TargetScope> T>
void Describe(Archive& a, T& s) {
  a.Field("origin", s.origin);
  a.Field("pathTemplate", s.path_template);
  a.Field("framePath", s.frame_path);
  a.Field("shadowPath", s.shadow_path);
  a.Field("topLayer", s.top_layer);
}

template <class Archive, Is<IdValue> T>
void Describe(Archive& a, T& i) {
  a.Required("kind", i.kind);
  a.Field("attribute", i.attribute);
  a.Field("value", i.value);
  a.Field("count", i.count);
}

template <class Archive, Is<AncestryStep> T>
void Describe(Archive& a, T& s) {
  a.Field("role", s.role);
  a.Field("name", s.name);
}

template <class Archive, Is<TargetControlState> T>
void Describe(Archive& a, T& s) {
  a.Field("disabled", s.disabled);
  a.Field("editable", s.editable);
  a.Field("checked", s.checked);
  a.Field("expanded", s.expanded);
  a.Field("inputType", s.input_type);
}

template <class Archive, Is<TargetIdentity> T>
void Describe(Archive& a, T& t) {
  a.Field("scope", t.scope);
  a.Field("ids", t.ids);
  a.Field("role", t.role);
  a.Field("name", t.name);
  a.Hash("nameHash", t.name_hash);
  a.Hash("maskedHash", t.masked_hash);
  a.Field("ancestry", t.ancestry);
  a.Field("rowKey", t.row_key);
  a.Field("sibling", t.sibling);
  a.Field("regionOrder", t.region_order);
  a.Field("region", t.region);
  a.Field("identityCount", t.identity_count);
  a.Field("matchedCount", t.matched_count);
  a.Field("state", t.state);
  a.Field("verification", t.verification);
  a.Field("verificationReason", t.verification_reason);
}

// ---- state -------------------------------------------------------------------------------------

template <class Archive, Is<IdentityPart> T>
void Describe(Archive& a, T& p) {
  a.Required("kind", p.kind);
  a.Required("value", p.value);
}

template <class Archive, Is<UnstablePart> T>
void Describe(Archive& a, T& p) {
  a.Required("kind", p.kind);
  a.Required("key", p.key);
}

template <class Archive, Is<Landmark> T>
void Describe(Archive& a, T& m) {
  a.Required("landmarkId", m.id);
  a.Required("stateId", m.state_id);
  a.Field("role", m.role);
  a.Field("name", m.name);
  a.Optional("locator", m.locator, [](auto& item, auto& l) { DescribeLocator(item, l, nullptr); });
  a.Field("identity", m.identity);
}

template <class Archive, Is<State> T, Is<std::vector<Landmark>> L>
void DescribeState(Archive& a, T& s, L& landmarks) {
  a.Required("stateId", s.id);
  a.Required("url", s.url);
  a.Field("route", s.route);
  a.Field("title", s.title);
  a.Field("frameContext", s.frame_context);
  a.Field("stateHash", s.state_hash);
  a.Field("domHash", s.dom_hash);
  a.Field("visibleTextHash", s.visible_text_hash);
  a.Field("actionableSignatureHash", s.actionable_signature_hash);
  a.Field("modalStack", s.modal_stack);
  a.Field("openedByEdgeId", s.opened_by_edge_id);
  a.Volatile("createdAt", s.created_at);
  a.Field("lifecycle", s.lifecycle);
  a.Field("urlCanonicalKey", s.url_canonical_key);
  a.Field("language", s.language);
  a.Field("viewport", s.viewport);
  a.Field("evidence", s.evidence);
  a.Field("httpStatus", s.http_status);
  a.Field("templateKey", s.template_key);
  a.Field("formStateHash", s.form_state_hash);
  a.Field("identityParts", s.identity_parts);
  a.Field("unstableParts", s.unstable_parts);
  a.Field("landmarks", landmarks);
}

// ---- edge, skip, failure -----------------------------------------------------------------------

inline constexpr std::string_view kInventoryChanged = "Actionable inventory changed after action";

// The shape knows no effect on the inventory: it stands there as "dom", and `part` says the rest.
template <class Archive, Is<Effect> T>
void Describe(Archive& a, T& e) {
  const std::string inventory(ToString(EffectType::kInventory));
  if constexpr (Archive::kWriting) {
    const bool is_inventory = e.type == EffectType::kInventory;
    a.Field("type", is_inventory ? EffectType::kDom : e.type);
    a.Field("before", e.before);
    a.Field("after", e.after);
    a.Field("description", e.description);
    a.Field("part", is_inventory ? std::optional(inventory) : std::nullopt);
  } else {
    std::optional<std::string> part;
    a.Required("type", e.type);
    a.Field("before", e.before);
    a.Field("after", e.after);
    a.Field("description", e.description);
    a.Field("part", part);
    const bool is_inventory = part == inventory || (!part && e.description == kInventoryChanged);
    if (e.type == EffectType::kDom && is_inventory) e.type = EffectType::kInventory;
  }
  a.Names("details", e.details);
}

template <class Archive, Is<SettleReport> T>
void Describe(Archive& a, T& s) {
  a.Field("settled", s.settled);
  a.Field("clock", s.clock);
  a.Field("tier", s.tier);
  a.Volatile("elapsedMs", s.elapsed_ms);
  a.Field("virtualMs", s.virtual_ms);
  a.Field("stillBusy", s.still_busy);
}

template <class Archive, Is<ActionEdge> T>
void Describe(Archive& a, T& e) {
  a.Required("edgeId", e.id);
  a.Required("fromStateId", e.from_state_id);
  a.Field("toStateId", e.to_state_id);
  a.Required("elementId", e.element_id);
  a.Field("locatorId", e.locator_id);
  a.Required("actionType", e.action_type);
  a.Names("actionParams", e.action_params);
  a.Field("preconditions", e.preconditions);
  a.Field("parameterSpecs", e.parameter_specs);
  a.Field("effects", e.effects);
  a.Field("riskLevel", e.risk_level);
  a.Field("riskCategory", e.risk_category);
  a.Field("confidence", e.confidence);
  a.Volatile("createdAt", e.created_at);
  a.Field("evidence", e.evidence);
  a.Field("otherToStateIds", e.other_to_state_ids);
  a.Field("lifecycle", e.lifecycle);
  a.Field("target", e.target);
  a.Field("settle", e.settle);
}

template <class Archive, Is<SkippedAction> T>
void Describe(Archive& a, T& s) {
  a.Required("skippedActionId", s.id);
  a.Required("stateId", s.state_id);
  a.Required("elementId", s.element_id);
  a.Required("actionType", s.action_type);
  a.Required("riskLevel", s.risk_level);
  a.Required("riskCategory", s.risk_category);
  a.Field("reason", s.reason);
  a.Field("evidence", s.evidence);
  a.Volatile("createdAt", s.created_at);
}

template <class Archive, Is<FailedObservation> T>
void Describe(Archive& a, T& f) {
  a.Required("failedObservationId", f.id);
  a.Required("stateId", f.state_id);
  a.Required("elementId", f.element_id);
  a.Required("actionType", f.action_type);
  a.Required("reason", f.reason);
  a.Required("message", f.message);
  a.Field("evidence", f.evidence);
  a.Volatile("createdAt", f.created_at);
  a.Field("effects", f.effects);
}

template <class Archive, Is<CompletionObservation> T>
void Describe(Archive& a, T& o) {
  a.Required("observationId", o.id);
  a.Field("stateId", o.state_id);
  a.Field("elementId", o.element_id);
  a.Field("actionType", o.action_type);
  a.Required("profile", o.profile);
  a.Required("status", o.status);
  a.Required("text", o.text);
  a.Object("baseline", [&](auto& baseline) {
    baseline.Field("url", o.baseline.url);
    baseline.Field("conversationId", o.baseline.conversation_id);
    baseline.Field("itemCount", o.baseline.item_count);
  });
  a.Object("proof", [&](auto& proof) {
    proof.Field("finished", o.proof.finished);
    proof.Field("messageId", o.proof.message_id);
    proof.Field("turnId", o.proof.turn_id);
    proof.Field("turnIndex", o.proof.turn_index);
    proof.Field("control", o.proof.control);
  });
  a.Field("warnings", o.warnings);
  a.Field("usedFallbacks", o.used_fallbacks);
  a.Volatile("stableMs", o.stable_ms);
  a.Volatile("elapsedMs", o.elapsed_ms);
  a.Field("recoverable", o.recoverable);
  a.Field("retryHint", o.retry_hint);
  a.Field("errorCode", o.error_code);
  a.Field("evidence", o.evidence);
  a.Volatile("createdAt", o.created_at);
}

}  // namespace topodb::query
