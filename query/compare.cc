#include "query/compare.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "query/similarity.h"
#include "schema/fingerprint.h"
#include "schema/names.h"

namespace topodb::query {
namespace {

using Text = std::optional<std::string>;

class Changes {
 public:
  // Texts of a page: what is volatile in them does not count.
  void Text(std::string_view field, const query::Text& before, const query::Text& after) {
    if (before == after) return;
    if (before.value_or("").empty() && after.value_or("").empty()) return;
    if (before && after && MaskVolatile(*before) == MaskVolatile(*after)) return;
    Add(field, before, after);
  }

  void Exact(std::string_view field, const query::Text& before, const query::Text& after) {
    if (before.value_or("") != after.value_or("")) Add(field, before, after);
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  void Exact(std::string_view field, Enum before, Enum after) {
    Exact(field, query::Text(topodb::ToString(before)), query::Text(topodb::ToString(after)));
  }

  void Flag(std::string_view field, std::same_as<bool> auto before, std::same_as<bool> auto after) {
    if (before != after) Add(field, before ? "true" : "false", after ? "true" : "false");
  }

  template <class T>
  void Number(std::string_view field, const std::optional<T>& before,
              const std::optional<T>& after) {
    if (before == after) return;
    const auto text = [](const std::optional<T>& number) {
      return number ? query::Text(std::to_string(*number)) : std::nullopt;
    };
    Add(field, text(before), text(after));
  }

  std::vector<FieldChange> Take() { return std::move(changes_); }

 private:
  void Add(std::string_view field, const query::Text& before, const query::Text& after) {
    changes_.push_back({std::string(field), before, after});
  }

  std::vector<FieldChange> changes_;
};

// Whether `url` is `place` or below it.
bool StandsIn(std::string_view url, std::string_view place) {
  if (place.empty() || !url.starts_with(place)) return false;
  const std::string_view rest = url.substr(place.size());
  return rest.empty() || place.ends_with('/') ||
         std::string_view("/?#").find(rest.front()) != std::string_view::npos;
}

// "@entry" or, for what lies beside the entry's folder, "@origin" for the start of the site's URLs.
std::string Localized(std::string_view url, const Site& site) {
  if (StandsIn(url, site.folder)) {
    return fmt::format("@entry/{}", url.substr(site.folder.size()));
  }
  if (!StandsIn(url, site.origin)) return std::string(url);
  return fmt::format("{}{}", site.folder.empty() ? "@entry" : "@origin",
                     url.substr(site.origin.size()));
}

Text Localized(const Text& url, const Site& site) {
  return url ? Text(Localized(std::string_view(*url), site)) : std::nullopt;
}

Text AttributeText(const Element& element, std::string_view attribute) {
  const std::string_view value = AttributeOf(element, attribute);
  return value.empty() ? std::nullopt : Text(value);
}

// "a=Apple, b=Banana (disabled)". Which one is selected is the state of a form, not its shape.
Text OptionsText(const std::vector<SelectOption>& options) {
  if (options.empty()) return std::nullopt;
  std::string text;
  for (const SelectOption& option : options) {
    text += fmt::format("{}{}={}{}", text.empty() ? "" : ", ", option.value, option.label,
                        option.disabled ? " (disabled)" : "");
  }
  return text;
}

void CompareSurfaces(const ParameterSurface& before, const ParameterSurface& after,
                     const Sites& sites, Changes& changes) {
  const auto field = [](std::string_view name) { return fmt::format("parameterSurface.{}", name); };
  changes.Exact(field("name"), before.name, after.name);
  changes.Exact(field("inputType"), before.input_type, after.input_type);
  changes.Flag(field("required"), before.required, after.required);
  changes.Flag(field("readonly"), before.readonly, after.readonly);
  changes.Flag(field("multiple"), before.multiple, after.multiple);
  changes.Flag(field("secret"), before.secret, after.secret);
  changes.Exact(field("pattern"), before.pattern, after.pattern);
  changes.Text(field("min"), before.min, after.min);
  changes.Text(field("max"), before.max, after.max);
  changes.Exact(field("step"), before.step, after.step);
  changes.Exact(field("accept"), before.accept, after.accept);
  changes.Exact(field("autocomplete"), before.autocomplete, after.autocomplete);
  changes.Number(field("minLength"), before.min_length, after.min_length);
  changes.Number(field("maxLength"), before.max_length, after.max_length);
  changes.Text(field("options"), OptionsText(before.options), OptionsText(after.options));
  changes.Exact(field("formMethod"), before.form_method, after.form_method);
  changes.Text(field("formAction"), Localized(before.form_action, sites.before),
               Localized(after.form_action, sites.after));
}

// The texts of one kind of identity part that only `state` has.
std::vector<std::string> TextsOnlyIn(const State& state, const State& other, std::string_view kind,
                                     const UnstableParts& unstable) {
  const auto texts_of = [&](const State& of) {
    std::multiset<std::string> texts;
    for (const IdentityPart& part : of.identity_parts) {
      if (part.kind == kind && !unstable.Has(kind, part.value)) texts.insert(part.value);
    }
    return texts;
  };
  const auto texts = texts_of(state);
  const auto others = texts_of(other);
  std::vector<std::string> only;
  std::set_difference(texts.begin(), texts.end(), others.begin(), others.end(),
                      std::back_inserter(only));
  return only;
}

// Texts of both sides in order, a text that one side lacks against nothing.
void CompareTexts(std::string_view kind, const State& before, const State& after,
                  const UnstableParts& unstable, Changes& changes) {
  const auto removed = TextsOnlyIn(before, after, kind, unstable);
  const auto added = TextsOnlyIn(after, before, kind, unstable);
  for (size_t i = 0; i < std::max(removed.size(), added.size()); ++i) {
    changes.Text(kind, i < removed.size() ? Text(removed[i]) : std::nullopt,
                 i < added.size() ? Text(added[i]) : std::nullopt);
  }
}

std::string EffectsText(const std::vector<Effect>& effects, const UnstableParts& unstable) {
  std::set<EffectType> types;
  for (const Effect& effect : effects) types.insert(effect.type);
  // On a page with a clock these come and go by themselves.
  if (!unstable.empty()) {
    for (const EffectType by_itself :
         {EffectType::kDom, EffectType::kVisibleText, EffectType::kInventory}) {
      types.erase(by_itself);
    }
  }
  std::string text;
  for (const EffectType type : types) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", topodb::ToString(type));
  }
  return text;
}

}  // namespace

UnstableParts::UnstableParts(const std::vector<UnstablePart>& before,
                             const std::vector<UnstablePart>& after)
    : parts_(before) {
  parts_.insert(parts_.end(), after.begin(), after.end());
  std::sort(parts_.begin(), parts_.end());
}

bool UnstableParts::Has(std::string_view kind, std::string_view key) const {
  return std::binary_search(parts_.begin(), parts_.end(),
                            UnstablePart{std::string(kind), std::string(key)});
}

bool UnstableParts::HasKind(std::string_view kind) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const UnstablePart& part) { return part.kind == kind; });
}

std::vector<AnchorKey> UnstableParts::Anchors(std::string_view kind) const {
  std::vector<AnchorKey> anchors;
  for (const UnstablePart& part : parts_) {
    if (part.kind != kind) continue;
    if (const auto anchor = AnchorKey::Parse(part.key)) anchors.push_back(*anchor);
  }
  return anchors;
}

Site::Site(const Run& run) {
  const bool is_file = run.site_base_url == "file:";
  if (!is_file) origin = run.site_base_url;
  // An explicit seed says that the folder does not matter, see docs/format.md on URL keys.
  if (!is_file && run.input_seed == run.input_url) return;
  const std::string_view path =
      std::string_view(run.entry_url).substr(0, run.entry_url.find_first_of("?#"));
  folder = path.substr(0, path.rfind('/') + 1);
}

std::vector<FieldChange> CompareStates(const State& before, const State& after,
                                       const UnstableParts& unstable) {
  Changes changes;
  if (!unstable.HasKind("title")) changes.Text("title", before.title, after.title);
  changes.Exact("language", before.language, after.language);
  changes.Number("httpStatus", before.http_status, after.http_status);
  for (const std::string_view kind : {"modal", "heading", "status", "invalid"}) {
    CompareTexts(kind, before, after, unstable, changes);
  }
  return changes.Take();
}

std::vector<FieldChange> CompareElements(const Element& before, const Element& after,
                                         const Sites& sites) {
  Changes changes;
  changes.Exact("tag", before.tag, after.tag);
  changes.Exact("role", before.role, after.role);
  changes.Text("accessibleName", before.accessible_name, after.accessible_name);
  // What merely repeats the name changes with it.
  if (before.text != before.accessible_name || after.text != after.accessible_name) {
    changes.Text("text", before.text, after.text);
  }
  if (before.label != before.accessible_name || after.label != after.accessible_name) {
    changes.Text("label", before.label, after.label);
  }
  changes.Text("placeholder", before.placeholder, after.placeholder);
  changes.Text("href", Localized(AttributeText(before, "href"), sites.before),
               Localized(AttributeText(after, "href"), sites.after));
  changes.Exact("type", AttributeText(before, "type"), AttributeText(after, "type"));
  const Interactability& was = before.interactability;
  const Interactability& is = after.interactability;
  changes.Flag("interactability.visible", was.visible, is.visible);
  changes.Flag("interactability.enabled", was.enabled, is.enabled);
  if (before.parameter_surface && after.parameter_surface) {
    CompareSurfaces(*before.parameter_surface, *after.parameter_surface, sites, changes);
  } else {
    changes.Flag("parameterSurface", before.parameter_surface.has_value(),
                 after.parameter_surface.has_value());
  }
  return changes.Take();
}

bool SameContent(const Element& before, const Element& after) {
  static const Run kNowhere;
  return CompareElements(before, after, Sites(kNowhere, kNowhere)).empty();
}

std::vector<FieldChange> CompareEdges(const ActionEdge& before, const ActionEdge& after,
                                      const UnstableParts& unstable) {
  Changes changes;
  changes.Exact("riskLevel", before.risk_level, after.risk_level);
  changes.Exact("riskCategory", before.risk_category, after.risk_category);
  changes.Exact("effects", EffectsText(before.effects, unstable),
                EffectsText(after.effects, unstable));
  return changes.Take();
}

std::vector<FieldChange> CompareSkips(const SkippedAction& before, const SkippedAction& after) {
  Changes changes;
  changes.Exact("riskLevel", before.risk_level, after.risk_level);
  changes.Exact("riskCategory", before.risk_category, after.risk_category);
  changes.Exact("reason", before.reason, after.reason);
  return changes.Take();
}

}  // namespace topodb::query
