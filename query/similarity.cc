#include "query/similarity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb::query {
namespace {

// Longer texts are compared by their beginning.
constexpr size_t kComparedBytes = 160;
// Centres further apart than this are at different places.
constexpr double kFarPixels = 400;

std::string_view Beginning(std::string_view text) {
  return text.substr(0, std::min(text.size(), kComparedBytes));
}

// Pairs of neighbouring bytes: equal texts have equal ones, similar texts many in common.
std::vector<uint32_t> PairsOf(std::string_view text) {
  std::vector<uint32_t> pairs;
  uint8_t last = ' ';
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    pairs.push_back(static_cast<uint32_t>(last) << 8U | byte);
    last = byte;
  }
  std::ranges::sort(pairs);
  return pairs;
}

// Sørensen-Dice: twice what both have by what each has.
double ShareOf(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  if (a.empty() || b.empty()) return 0;
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common, ++i, ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

std::string_view Author(std::string_view id) { return LooksGenerated(id) ? "" : id; }

// Containers of the element, without what repeats its own name.
std::string NeighboursOf(const Element& element) {
  std::string names;
  for (const ContextAnchor& anchor : element.context) {
    for (const auto& name : {anchor.key, anchor.name}) {
      if (!name || name->empty() || name == element.accessible_name) continue;
      names += MaskVolatile(Beginning(*name)) + ' ';
    }
  }
  return names;
}

// Links that lead nowhere have no target that would tell them apart.
std::string HrefOf(const Element& element) {
  const std::string_view href = AttributeOf(element, "href");
  if (href == "#" || href.starts_with("javascript:")) return {};
  return MaskVolatile(Beginning(href.substr(0, href.find('?'))));
}

bool IsText(Trait trait) {
  switch (trait) {
    case Trait::kName:
    case Trait::kText:
    case Trait::kHref:
    case Trait::kAriaLabel:
    case Trait::kPlaceholder:
    case Trait::kNeighbours:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string_view AttributeOf(const Element& element, std::string_view attribute) {
  for (const auto& [name, value] : element.attributes) {
    if (name == attribute) return value;
  }
  return {};
}

Traits::Traits(const Element& element) : box_(element.bbox) {
  const auto set = [&](Trait trait, std::string text) {
    Value& value = values_.at(static_cast<size_t>(trait));
    if (IsText(trait)) value.features = PairsOf(text);
    value.text = std::move(text);
  };
  const std::string name = MaskVolatile(Beginning(element.accessible_name.value_or("")));
  const auto set_text = [&](Trait trait, std::string_view text) {
    set(trait, MaskVolatile(Beginning(text)));
    Value& value = values_.at(static_cast<size_t>(trait));
    value.is_name = value.text == name;
  };
  set(Trait::kRole, element.role.value_or(""));
  set(Trait::kName, name);
  set_text(Trait::kText, element.text.value_or(""));
  set(Trait::kHref, HrefOf(element));
  set(Trait::kId, std::string(Author(AttributeOf(element, "id"))));
  for (const std::string_view attribute : kTestIdAttributes) {
    const std::string_view id = Author(AttributeOf(element, attribute));
    if (id.empty()) continue;
    set(Trait::kTestId, std::string(id));
    break;
  }
  set_text(Trait::kAriaLabel, AttributeOf(element, "aria-label"));
  if (element.parameter_surface) {
    const ParameterSurface& surface = *element.parameter_surface;
    set(Trait::kType, surface.input_type);
    set(Trait::kControlName, surface.name.value_or(""));
  } else {
    set(Trait::kType, std::string(AttributeOf(element, "type")));
    set(Trait::kControlName, std::string(AttributeOf(element, "name")));
  }
  set_text(Trait::kPlaceholder, element.placeholder.value_or(""));
  set(Trait::kNeighbours, NeighboursOf(element));
  set(Trait::kTag, element.tag);
}

std::optional<double> Traits::Likeness(const Traits& a, const Traits& b, Trait trait) {
  if (trait == Trait::kPosition) {
    const auto middle = [](double start, double length) { return start + length / 2; };
    const double distance =
        std::hypot(middle(a.box_.x, a.box_.width) - middle(b.box_.x, b.box_.width),
                   middle(a.box_.y, a.box_.height) - middle(b.box_.y, b.box_.height));
    return std::max(0.0, 1 - distance / kFarPixels);
  }
  const Value& was = a.values_.at(static_cast<size_t>(trait));
  const Value& is = b.values_.at(static_cast<size_t>(trait));
  if (was.text.empty() && is.text.empty()) return std::nullopt;
  if (was.is_name && is.is_name) return std::nullopt;
  if (was.text == is.text) return 1;
  return IsText(trait) ? ShareOf(was.features, is.features) : 0;
}

double Traits::Similarity(const Traits& a, const Traits& b) {
  double sum = 0, weights = 0;
  bool identified = false;
  for (const TraitWeight& weight : kTraitWeights) {
    const auto likeness = Likeness(a, b, weight.trait);
    if (!likeness) continue;
    sum += weight.weight * *likeness;
    weights += weight.weight;
    identified |=
        weight.kind == TraitWeight::Kind::kIdentifying && *likeness >= kLeastTraitLikeness;
  }
  return identified ? sum / weights : 0;
}

}  // namespace topodb::query
