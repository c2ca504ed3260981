#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"

// How much two elements of two versions of a page are alike: a weighted share of what agrees.
//
// Weights after Nass, Alegroth, Feldt, Leotta and Ricca, "Similarity-based Web Element Localization
// for Robust Test Automation" (Similo; ACM TOSEM 32(3), 2023, doi 10.1145/3571855): what proved
// stable over releases weighs three times what did not. Neighbouring text stands between, as
// docs/adr/0014-diff-by-index-rows.md says.
namespace topodb::query {

enum class Trait : uint8_t {
  kRole,
  kName,         // accessible name
  kText,         // visible text, where it is not the name of both
  kType,         // type of a control
  kHref,         // link target
  kId,           // DOM id
  kTestId,       // any of the attributes for tests
  kAriaLabel,    // where it is not the name of both
  kControlName,  // name of a form control
  kPlaceholder,
  kNeighbours,  // names of the containers around it
  kTag,
  kPosition,
};

struct TraitWeight {
  Trait trait;
  double weight;
  // Whether it tells elements of one page apart; without one such trait in common two are not
  // alike.
  enum class Kind : uint8_t { kIdentifying, kSupporting } kind;
};

inline constexpr std::array kTraitWeights = {
    TraitWeight{Trait::kRole, 1.5, TraitWeight::Kind::kSupporting},
    TraitWeight{Trait::kName, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kText, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kType, 1.5, TraitWeight::Kind::kSupporting},
    TraitWeight{Trait::kHref, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kId, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kTestId, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kAriaLabel, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kControlName, 1.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kPlaceholder, 0.5, TraitWeight::Kind::kIdentifying},
    TraitWeight{Trait::kNeighbours, 1.0, TraitWeight::Kind::kSupporting},
    TraitWeight{Trait::kTag, 0.5, TraitWeight::Kind::kSupporting},
    TraitWeight{Trait::kPosition, 0.5, TraitWeight::Kind::kSupporting},
};

// So much two elements must agree to be one that changed …
inline constexpr double kLeastSimilarity = 0.6;
// … and so much more than with any other element of the page.
inline constexpr double kLeastSimilarityMargin = 0.1;
// An identifying trait agrees when its values are at least this much alike.
inline constexpr double kLeastTraitLikeness = 0.7;

// What is compared of an element, prepared once.
class Traits {
 public:
  explicit Traits(const Element& element);

  // 0 to 1; 0 when no identifying trait agrees. Symmetric. A trait that neither has says nothing.
  static double Similarity(const Traits& a, const Traits& b);

 private:
  struct Value {
    std::string text;                // masked; empty: there is none
    std::vector<uint32_t> features;  // sorted pairs of neighbouring bytes
    bool is_name = false;            // it says what the accessible name says
  };

  static std::optional<double> Likeness(const Traits& a, const Traits& b, Trait trait);

  std::array<Value, kTraitWeights.size()> values_;
  Rect box_;
};

// The value of an attribute; empty when it has none.
std::string_view AttributeOf(const Element& element, std::string_view attribute);

// The attributes that authors give to tests, best first.
inline constexpr std::array<std::string_view, 5> kTestIdAttributes = {
    "data-testid", "data-test-id", "data-test", "data-qa", "data-cy"};

}  // namespace topodb::query
