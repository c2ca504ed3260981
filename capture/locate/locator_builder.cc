#include "capture/locate/locator_builder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capture/locate/features.h"
#include "schema/identity/build_identity.h"

namespace topodb::capture {
namespace {

constexpr double kRoleScore = 0.95;
constexpr double kScopedScore = 0.93;
constexpr double kLabelScore = 0.9;
constexpr double kTestIdScore = 0.88;
constexpr double kPlaceholderScore = 0.82;
constexpr double kTextScore = 0.7;
constexpr double kAltTextScore = 0.66;
constexpr double kTitleScore = 0.64;
constexpr double kCssIdScore = 0.5;
constexpr double kCssNameScore = 0.45;
constexpr double kPositionScore = 0.3;
constexpr double kTagScore = 0.2;

constexpr double kOtherIdentityPenalty = 0.2;  // one match, but another element
constexpr double kNotUniquePenalty = 0.35;     // none or several
constexpr double kFloor = 0.1;
constexpr size_t kMaxText = 80;  // longer text is content rather than a label

// Nearest first: the smaller the container, the less its name depends on the rest of the page.
constexpr std::array<ContextKind, 6> kScopeOrder = {ContextKind::kRow,     ContextKind::kListItem,
                                                    ContextKind::kDialog,  ContextKind::kForm,
                                                    ContextKind::kSection, ContextKind::kLandmark};

class Builder {
 public:
  Builder(const PageSnapshot& page, const SnapshotNode& node, Timestamp verified_at)
      : page_(page), node_(node), verified_at_(verified_at), scopes_(NamedScopes(node.element)) {}

  std::vector<Locator> Build();

 private:
  void AddFeatures();
  void AddIds();
  void AddScoped();
  void AddPositional();
  void AddTag();
  void AddFeature(LocatorStrategy strategy, uint32_t count, double score, std::string_view reason);
  void Add(LocatorDescriptor descriptor, uint32_t count, double score, std::string reason);
  bool AnyVerified() const;
  // A role query never finds what is not shown; its one match is then another element.
  bool FindsItself(const LocatorDescriptor& descriptor) const {
    return descriptor.strategy != LocatorStrategy::kRole || node_.element.interactability.visible;
  }

  const PageSnapshot& page_;
  const SnapshotNode& node_;
  const Timestamp verified_at_;
  const std::vector<LocatorScope> scopes_;
  std::vector<Locator> locators_;
};

void Builder::Add(LocatorDescriptor descriptor, uint32_t count, double score, std::string reason) {
  const bool positional = descriptor.nth.has_value();
  const bool unique = count == 1;
  const bool itself = FindsItself(descriptor);
  Locator locator;
  locator.expression = ToExpression(descriptor);
  locator.verified = unique && itself && !positional;
  locator.match_count = count;
  locator.last_verified_at = verified_at_;
  locator.scopes = scopes_;
  locator.score = score;
  locator.reason = std::move(reason);
  if (!unique) {
    locator.score = std::max(kFloor, score - kNotUniquePenalty);
    locator.failure_count = 1;
    locator.reason += fmt::format("; matches {} elements", count);
  } else if (!itself) {
    locator.score = std::max(kFloor, score - kOtherIdentityPenalty);
    locator.failure_count = 1;
    locator.reason += "; matches another element";
  } else {
    locator.identity = LocatorIdentity{.same_tag = true,
                                       .same_role = true,
                                       .same_accessible_name = true,
                                       .same_text = true,
                                       .same_visibility = true};
  }
  locator.evidence = {
      {EvidenceLevel::kDerived, "locator.generator", "built from the element's own features"},
      {locator.verified ? EvidenceLevel::kVerified : EvidenceLevel::kObserved, "locator.verify",
       fmt::format("matched {} element(s) in the page", count)}};
  locator.descriptor = std::move(descriptor);
  locators_.push_back(std::move(locator));
}

void Builder::AddFeature(LocatorStrategy strategy, uint32_t count, double score,
                         std::string_view reason) {
  auto value = FeatureOf(node_, strategy, "");
  if (!value) return;
  LocatorDescriptor descriptor;
  descriptor.strategy = strategy;
  descriptor.value = *std::move(value);
  if (strategy == LocatorStrategy::kRole) descriptor.role = *node_.element.role;
  Add(std::move(descriptor), count, score, std::string(reason));
}

void Builder::AddFeatures() {
  const LocatorCounts& counts = node_.counts;
  if (node_.element.role && !node_.element.role->empty()) {
    AddFeature(LocatorStrategy::kRole, counts.role, kRoleScore, "role and accessible name");
  }
  AddFeature(LocatorStrategy::kLabel, counts.label, kLabelScore, "associated label");
  AddFeature(LocatorStrategy::kPlaceholder, counts.placeholder, kPlaceholderScore, "placeholder");
  const auto text = FeatureOf(node_, LocatorStrategy::kText, "");
  if (text && text->size() <= kMaxText) {
    AddFeature(LocatorStrategy::kText, counts.text, kTextScore, "visible text");
  }
  AddFeature(LocatorStrategy::kAltText, counts.alt, kAltTextScore, "alternative text");
  AddFeature(LocatorStrategy::kTitle, counts.title, kTitleScore, "title");
}

void Builder::AddIds() {
  for (const auto& id : node_.identity.ids) {
    if (IsDemoted(id)) continue;
    LocatorDescriptor descriptor;
    switch (id.kind) {
      case IdKind::kTestId:
        descriptor.strategy = LocatorStrategy::kTestId;
        descriptor.attribute = id.attribute;
        descriptor.value = id.value;
        Add(std::move(descriptor), id.count, kTestIdScore, "test id");
        break;
      case IdKind::kDomId:
        descriptor.strategy = LocatorStrategy::kCss;
        descriptor.value = CssById(id.value);
        Add(std::move(descriptor), id.count, kCssIdScore, "id, as a fallback");
        break;
      case IdKind::kControlName:
        descriptor.strategy = LocatorStrategy::kCss;
        descriptor.value = CssByName(node_.element, id.value);
        Add(std::move(descriptor), node_.counts.name, kCssNameScore, "name, as a fallback");
        break;
      case IdKind::kHref:
        break;  // says where a link leads, not which link it is
    }
  }
}

void Builder::AddScoped() {
  const Element& element = node_.element;
  const LocatorCounts& counts = node_.counts;
  const auto name = FeatureOf(node_, LocatorStrategy::kRole, "");
  if (!name || !element.role || counts.role < 2) return;
  for (const ContextKind kind : kScopeOrder) {
    for (size_t i = 0; i < element.context.size(); ++i) {
      if (element.context[i].kind != kind) continue;
      if (i >= counts.containers.size() || i >= counts.role_in_context.size()) continue;
      const auto scope = ScopeOf(element.context[i]);
      if (!scope || counts.containers[i] != 1 || counts.role_in_context[i] != 1) continue;
      LocatorDescriptor descriptor;
      descriptor.strategy = LocatorStrategy::kRole;
      descriptor.role = *element.role;
      descriptor.value = *name;
      descriptor.within = {*scope};
      Add(std::move(descriptor), 1, kScopedScore,
          fmt::format("role and accessible name within its {}", scope->role));
      return;
    }
  }
}

bool Builder::AnyVerified() const {
  return std::any_of(locators_.begin(), locators_.end(),
                     [](const Locator& locator) { return locator.verified; });
}

void Builder::AddPositional() {
  const auto name = FeatureOf(node_, LocatorStrategy::kRole, "");
  if (AnyVerified() || !name || !node_.element.role || node_.counts.role < 2) return;
  LocatorDescriptor descriptor;
  descriptor.strategy = LocatorStrategy::kRole;
  descriptor.role = *node_.element.role;
  descriptor.value = *name;
  descriptor.nth = node_.counts.role_position;
  Add(std::move(descriptor), 1, kPositionScore,
      fmt::format("positional: number {} of {} of this role and name",
                  node_.counts.role_position + 1, node_.counts.role));
}

void Builder::AddTag() {
  if (!locators_.empty() || node_.element.tag.empty()) return;
  const auto count =
      std::count_if(page_.nodes.begin(), page_.nodes.end(), [&](const SnapshotNode& other) {
        return other.element.tag == node_.element.tag &&
               other.element.frame_path == node_.element.frame_path;
      });
  LocatorDescriptor descriptor;
  descriptor.strategy = LocatorStrategy::kCss;
  descriptor.value = node_.element.tag;
  Add(std::move(descriptor), static_cast<uint32_t>(count), kTagScore,
      "tag, for want of anything better");
  // The count is of actionable elements alone, so uniqueness in the page is not known.
  locators_.back().verified = false;
}

std::vector<Locator> Builder::Build() {
  AddFeatures();
  AddIds();
  AddScoped();
  AddPositional();
  AddTag();
  std::stable_sort(locators_.begin(), locators_.end(), [](const Locator& a, const Locator& b) {
    if (a.verified != b.verified) return a.verified;
    return a.score > b.score;
  });
  return std::move(locators_);
}

std::string ScopeExpression(const LocatorScope& scope) {
  const std::string role = Quote(scope.role);
  if (scope.name) {
    return fmt::format(".getByRole({}, {{ name: {}, exact: true }})", role, Quote(*scope.name));
  }
  return fmt::format(".getByRole({}).filter({{ has: page.getByText({}, {{ exact: true }}) }})",
                     role, Quote(scope.text.value_or("")));
}

std::string OwnExpression(const LocatorDescriptor& descriptor) {
  const std::string value = Quote(descriptor.value);
  const auto exact = [&](std::string_view method) {
    return fmt::format(".{}({}, {{ exact: true }})", method, value);
  };
  switch (descriptor.strategy) {
    case LocatorStrategy::kRole:
      return fmt::format(".getByRole({}, {{ name: {}, exact: true }})", Quote(descriptor.role),
                         value);
    case LocatorStrategy::kLabel:
      return exact("getByLabel");
    case LocatorStrategy::kTestId:
      if (descriptor.attribute.empty() || descriptor.attribute == "data-testid") {
        return fmt::format(".getByTestId({})", value);
      }
      return fmt::format(".locator({})",
                         Quote(fmt::format("[{}={}]", descriptor.attribute, value)));
    case LocatorStrategy::kPlaceholder:
      return exact("getByPlaceholder");
    case LocatorStrategy::kText:
      return exact("getByText");
    case LocatorStrategy::kAltText:
      return exact("getByAltText");
    case LocatorStrategy::kTitle:
      return exact("getByTitle");
    case LocatorStrategy::kCss:
      return fmt::format(".locator({})", value);
  }
  return "";
}

}  // namespace

std::vector<Locator> BuildLocators(const PageSnapshot& page, const SnapshotNode& node,
                                   Timestamp verified_at) {
  return Builder(page, node, verified_at).Build();
}

std::vector<LocatorScope> NamedScopes(const Element& element) {
  std::vector<LocatorScope> scopes;
  for (const auto& anchor : element.context) {
    if (auto scope = ScopeOf(anchor)) scopes.push_back(*std::move(scope));
  }
  return scopes;
}

std::string ToExpression(const LocatorDescriptor& descriptor) {
  std::string expression = "page";
  for (const auto& scope : descriptor.within) expression += ScopeExpression(scope);
  expression += OwnExpression(descriptor);
  if (descriptor.nth) expression += fmt::format(".nth({})", *descriptor.nth);
  return expression;
}

}  // namespace topodb::capture
