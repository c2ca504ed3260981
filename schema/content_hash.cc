#include <optional>
#include <string>
#include <vector>

#include "schema/base/hash.h"
#include "schema/codec.h"
#include "schema/fingerprint.h"
#include "schema/names.h"

// What two runs' records must share to say the same (docs/format.md): no ids of their own, no
// times, no positions, no evidence. Different hashes mean "compare the records", equal ones "no
// need to".
namespace topodb {
namespace {

class ContentHasher {
 public:
  explicit ContentHasher(std::string_view domain) : canonical_(domain) {}

  uint64_t Hash() const { return HashBytes64(canonical_.bytes()); }

  ContentHasher& Add(std::string_view text) {
    canonical_.Add(text);
    return *this;
  }
  ContentHasher& Add(const std::string& text) { return Add(std::string_view(text)); }
  ContentHasher& Add(bool flag) {
    canonical_.AddNumber(flag ? 1 : 0);
    return *this;
  }
  ContentHasher& Add(uint32_t number) {
    canonical_.AddNumber(number);
    return *this;
  }
  ContentHasher& Add(int64_t number) { return Add(std::string_view(std::to_string(number))); }
  template <class Tag>
  ContentHasher& Add(const Id<Tag>& id) {
    canonical_.AddId(id.bytes);
    return *this;
  }
  template <class Value>
  ContentHasher& Add(const std::optional<Value>& value) {
    if (value) return Add(*value);
    canonical_.AddAbsent();
    return *this;
  }
  template <class Value>
  ContentHasher& Add(const std::vector<Value>& values) {
    canonical_.AddNumber(values.size());
    for (const auto& value : values) Add(value);
    return *this;
  }
  ContentHasher& Add(const NameValue& pair) { return Add(pair.first).Add(pair.second); }

  // The container's text is left out: it holds whatever stands in it.
  ContentHasher& Add(const ContextAnchor& anchor) {
    return Add(ToString(anchor.kind)).Add(anchor.role).Add(anchor.name).Add(anchor.key);
  }
  // Score and counts are left out: they follow from the rest of the page.
  ContentHasher& Add(const Locator& locator) {
    Add(ToString(locator.descriptor.strategy)).Add(locator.expression).Add(locator.framework);
    return Add(locator.verified);
  }
  ContentHasher& Add(const SelectOption& option) {
    return Add(option.label).Add(option.value).Add(option.disabled).Add(option.selected);
  }
  ContentHasher& Add(const ParameterSurface& surface) {
    Add(surface.name).Add(surface.input_type);
    Add(surface.required).Add(surface.readonly).Add(surface.disabled);
    Add(surface.multiple).Add(surface.secret);
    Add(surface.pattern).Add(surface.min).Add(surface.max).Add(surface.step);
    Add(surface.accept).Add(surface.autocomplete);
    Add(surface.min_length).Add(surface.max_length).Add(surface.options);
    return Add(surface.form_method).Add(surface.form_action);
  }
  ContentHasher& Add(const Interactability& state) {
    Add(state.visible).Add(state.enabled).Add(state.editable).Add(state.receives_events);
    return Add(state.blocker);
  }
  ContentHasher& Add(const Effect& effect) {
    Add(ToString(effect.type)).Add(effect.description).Add(effect.details);
    switch (effect.type) {
      case EffectType::kDom:
      case EffectType::kVisibleText:
      case EffectType::kInventory:
      case EffectType::kFormState:
        // Before and after are hashes of whole pages, which any clock on them changes.
        return *this;
      default:
        return Add(effect.before).Add(effect.after);
    }
  }

 private:
  Canonical canonical_;
};

}  // namespace

uint64_t ContentHash(const State& state) {
  ContentHasher hasher("state");
  hasher.Add(state.url_canonical_key).Add(state.route).Add(state.title).Add(state.language);
  hasher.Add(state.frame_context).Add(state.modal_stack);
  hasher.Add(state.dom_hash).Add(state.visible_text_hash).Add(state.actionable_signature_hash);
  hasher.Add(state.template_key).Add(state.form_state_hash).Add(state.http_status);
  return hasher.Hash();
}

uint64_t ContentHash(const Element& element) {
  ContentHasher hasher("element");
  hasher.Add(element.tag).Add(element.role).Add(element.accessible_name);
  hasher.Add(element.text).Add(element.label).Add(element.placeholder).Add(element.attributes);
  hasher.Add(element.frame_path).Add(element.shadow_path).Add(element.interactability);
  hasher.Add(element.context).Add(element.parameter_surface).Add(element.locators);
  return hasher.Add(element.truncated).Hash();
}

uint64_t ContentHash(const ActionEdge& edge) {
  ContentHasher hasher("edge");
  hasher.Add(edge.to_state_id).Add(edge.other_to_state_ids).Add(ToString(edge.action_type));
  hasher.Add(edge.action_params).Add(edge.preconditions).Add(edge.parameter_specs);
  hasher.Add(edge.effects).Add(ToString(edge.risk_level)).Add(ToString(edge.risk_category));
  return hasher.Hash();
}

uint64_t ContentHash(const SkippedAction& skip) {
  ContentHasher hasher("skip");
  hasher.Add(ToString(skip.action_type)).Add(ToString(skip.risk_level));
  return hasher.Add(ToString(skip.risk_category)).Add(skip.reason).Hash();
}

uint64_t ContentHash(const FailedObservation& failure) {
  ContentHasher hasher("failure");
  hasher.Add(failure.action_type ? ToString(*failure.action_type) : "");
  // Messages name durations and counts.
  hasher.Add(ToString(failure.reason)).Add(MaskDigits(failure.message)).Add(failure.effects);
  return hasher.Hash();
}

uint64_t ContentHash(const CompletionObservation& observation) {
  ContentHasher hasher("observation");
  hasher.Add(observation.action_type ? ToString(*observation.action_type) : "");
  hasher.Add(observation.profile).Add(ToString(observation.status)).Add(observation.text);
  return hasher.Add(observation.error_code).Hash();
}

uint64_t ContentHash(const Landmark& landmark) {
  ContentHasher hasher("landmark");
  hasher.Add(landmark.role).Add(landmark.name).Add(landmark.locator);
  return hasher.Add(ToString(landmark.identity.verification)).Hash();
}

}  // namespace topodb
