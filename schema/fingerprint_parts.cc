#include "schema/fingerprint_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "schema/base/text.h"
#include "schema/fingerprint.h"
#include "schema/identity/build_identity.h"

namespace topodb {
namespace {

using Mask = std::string (*)(std::string_view);

constexpr std::array<std::string_view, 5> kTestIdAttributes{"data-testid", "data-test-id",
                                                            "data-test", "data-qa", "data-cy"};
// Longer texts of identity parts are kept as their beginning and a hash.
constexpr size_t kMaxPartText = 160, kKeptPartText = 100;
// A nameless element is told by its text only when that is short: a long one is its content.
constexpr size_t kMaxNamingText = 80;

std::string Masked(Mask mask, std::string_view text) { return mask(NormalizeText(text)); }

bool HasText(const std::optional<std::string>& text) { return text && !text->empty(); }

std::string ShortText(const Element& element) {
  if (!HasText(element.text)) return {};
  std::string text = NormalizeText(*element.text);
  return text.size() <= kMaxNamingText ? text : std::string();
}

std::string_view ControlType(const Element& element) {
  return element.parameter_surface ? std::string_view(element.parameter_surface->input_type)
                                   : std::string_view();
}

// The role, or the tag where there is none.
void AddRole(const Element& element, Canonical& canonical) {
  if (HasText(element.role)) {
    canonical.Add("role").Add(*element.role);
  } else {
    canonical.Add("tag").Add(element.tag);
  }
}

void AddOptional(const std::optional<std::string>& text, Mask mask, Canonical& canonical) {
  if (text) {
    canonical.Add(Masked(mask, *text));
  } else {
    canonical.AddAbsent();
  }
}

// Containers by what keeps them apart. Sections are left out: their text is content. A nameless
// form or an unkeyed row says nothing; a dialog and a landmark do, even nameless.
void AddContainers(const std::vector<ContextAnchor>& context, Mask mask, Canonical& canonical) {
  for (const auto& anchor : context) {
    const auto kind = static_cast<uint64_t>(anchor.kind);
    switch (anchor.kind) {
      case ContextKind::kSection:
        break;
      case ContextKind::kDialog:
        AddOptional(anchor.name, mask, canonical.AddNumber(kind));
        break;
      case ContextKind::kForm:
        if (HasText(anchor.name)) AddOptional(anchor.name, mask, canonical.AddNumber(kind));
        break;
      case ContextKind::kRow:
      case ContextKind::kListItem: {
        const auto& key = HasText(anchor.key) ? anchor.key : anchor.name;
        if (HasText(key)) AddOptional(key, mask, canonical.AddNumber(kind));
        break;
      }
      case ContextKind::kLandmark:
        AddOptional(anchor.name, mask, canonical.AddNumber(kind).Add(anchor.role));
        break;
    }
  }
}

// What names an element: its accessible name; else the strongest of its author's ids, else the
// path of its link, else its text.
void AddNaming(const Element& element, Canonical& canonical) {
  using fingerprint::Attribute;
  if (HasText(element.accessible_name)) {
    canonical.Add("name").Add(Masked(MaskVolatile, *element.accessible_name));
    return;
  }
  for (const std::string_view attribute : kTestIdAttributes) {
    const std::string_view value = Attribute(element, attribute);
    if (value.empty()) continue;
    canonical.Add("testId").Add(attribute).Add(value);
    return;
  }
  const std::string_view id = Attribute(element, "id");
  const std::string_view name = Attribute(element, "name");
  if (!id.empty() && !LooksGenerated(id)) {
    canonical.Add("id").Add(id);
  } else if (!name.empty() && !LooksGenerated(name)) {
    canonical.Add("controlName").Add(name);
  } else if (HasText(element.placeholder)) {
    canonical.Add("placeholder").Add(Masked(MaskVolatile, *element.placeholder));
  } else if (const auto path = fingerprint::HrefPath(Attribute(element, "href")); !path.empty()) {
    canonical.Add("href").Add(MaskVolatile(path));
  } else if (const auto text = ShortText(element); !text.empty()) {
    canonical.Add("text").Add(MaskVolatile(text));
  } else {
    canonical.Add("nothing");
  }
}

// A text as identity parts and the keys of unstable parts hold it.
std::string PartText(std::string_view text) {
  std::string masked = Masked(MaskDigits, text);
  if (masked.size() <= kMaxPartText) return masked;
  return TruncateUtf8(masked, kKeptPartText) + " … " + ToHex(HashBytes(masked));
}

// The kind of identity part that a mark of this role is; empty for none.
std::string_view KindOfMark(std::string_view role) {
  if (role == "heading") return fingerprint::kHeading;
  if (role == "status" || role == "alert") return fingerprint::kStatus;
  return {};
}

}  // namespace

AnchorKey ComputeAnchorKey(const Element& element) {
  Canonical canonical("anchor");
  fingerprint::AddPath(element.frame_path, canonical);
  fingerprint::AddPath(element.shadow_path, canonical);
  AddRole(element, canonical);
  canonical.Add(ControlType(element));
  AddNaming(element, canonical);
  AddContainers(element.context, MaskVolatile, canonical);
  return {canonical.Hash()};
}

bool IsUnstableMark(std::string_view role, std::string_view name,
                    const std::vector<UnstablePart>& unstable) {
  const UnstablePart part{std::string(KindOfMark(role)), PartText(name)};
  return !part.kind.empty() && std::find(unstable.begin(), unstable.end(), part) != unstable.end();
}

namespace fingerprint {

void AddPath(const std::vector<std::string>& path, Canonical& canonical) {
  canonical.AddNumber(path.size());
  for (const auto& step : path) canonical.Add(Masked(MaskVolatile, step));
}

std::string_view Attribute(const Element& element, std::string_view attribute) {
  const auto found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [&](const NameValue& pair) { return pair.first == attribute; });
  return found == element.attributes.end() ? std::string_view() : found->second;
}

std::string HrefPath(std::string_view href) {
  std::string_view rest = href;
  const size_t colon = rest.find(':');
  const size_t first_delimiter = rest.find_first_of("/?#");
  if (colon != std::string_view::npos && colon < first_delimiter) {
    // mailto:, javascript: … have no path; the whole of it is what they lead to.
    if (rest.substr(colon + 1, 2) != "//") return std::string(href);
    rest.remove_prefix(colon + 1);
  }
  if (rest.starts_with("//")) {
    const size_t path = rest.find_first_of("/?#", 2);
    rest.remove_prefix(path == std::string_view::npos ? rest.size() : path);
  } else if (rest.starts_with("@entry")) {
    rest.remove_prefix(std::string_view("@entry").size());
  }
  const size_t hash = rest.find('#');
  std::string_view fragment = hash == std::string_view::npos ? "" : rest.substr(hash);
  rest = rest.substr(0, rest.find_first_of("?#"));
  // "#/route" and "#!route" are routes; a plain fragment counts where the link has nothing else.
  const bool is_route = fragment.starts_with("#/") || fragment.starts_with("#!");
  if (!is_route && !rest.empty()) fragment = {};
  return std::string(rest) + std::string(fragment.substr(0, fragment.find('?')));
}

std::vector<std::string> IdentityTexts(const PageSnapshot& snapshot, std::string_view kind) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view text) { texts.push_back(PartText(text)); };
  if (kind == kModal) {
    for (const auto& modal : snapshot.modal_stack) add(modal);
  } else if (kind == kInvalid) {
    for (const auto& name : snapshot.invalid) add(name);
  } else {
    for (const auto& mark : snapshot.marks) {
      if (KindOfMark(mark.role) == kind && HasText(mark.name)) add(*mark.name);
    }
  }
  return texts;
}

IdBytes StructureEntry(const SnapshotNode& node) {
  const Element& element = node.element;
  Canonical canonical("entry");
  AddPath(element.frame_path, canonical);
  AddPath(element.shadow_path, canonical);
  AddRole(element, canonical);
  canonical.Add(element.tag).Add(ControlType(element)).Add(Attribute(element, "type"));
  const std::string name =
      HasText(element.accessible_name) ? *element.accessible_name : ShortText(element);
  canonical.Add(Masked(MaskDigits, name));
  canonical.Add(MaskDigits(HrefPath(Attribute(element, "href"))));
  canonical.AddNumber(element.interactability.enabled ? 1 : 0);
  canonical.AddNumber(element.interactability.visible ? 1 : 0);
  // What is shown, not what is filled in: checked and selected belong to the form state.
  const auto& expanded = node.identity.state.expanded;
  canonical.Add(expanded ? (*expanded ? "true" : "false") : Attribute(element, "aria-expanded"));
  canonical.Add(Attribute(element, "aria-pressed")).Add(Attribute(element, "aria-current"));
  canonical.Add(element.role == "tab" ? Attribute(element, "aria-selected") : "");
  AddContainers(element.context, MaskDigits, canonical);
  if (element.parameter_surface) {
    canonical.AddNumber(element.parameter_surface->options.size());
    for (const auto& option : element.parameter_surface->options) {
      canonical.Add(Masked(MaskDigits, option.label));
    }
  }
  return canonical.Hash();
}

}  // namespace fingerprint
}  // namespace topodb
