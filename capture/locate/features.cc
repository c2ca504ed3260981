#include "capture/locate/features.h"

#include <algorithm>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include "schema/base/text.h"

namespace topodb::capture {
namespace {

std::optional<std::string> Normalized(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::string normalized = NormalizeText(*text);
  if (normalized.empty()) return std::nullopt;
  return normalized;
}

std::optional<std::string> Attribute(const Element& element, std::string_view name) {
  const auto found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [&](const NameValue& entry) { return entry.first == name; });
  if (found == element.attributes.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> TestIdOf(const SnapshotNode& node, std::string_view attribute) {
  for (const auto& id : node.identity.ids) {
    if (id.kind == IdKind::kTestId && id.attribute == attribute) return id.value;
  }
  return std::nullopt;
}

std::string DefaultRole(ContextKind kind) {
  switch (kind) {
    case ContextKind::kDialog:
      return "dialog";
    case ContextKind::kForm:
      return "form";
    case ContextKind::kSection:
      return "region";
    case ContextKind::kRow:
      return "row";
    case ContextKind::kLandmark:
      return "region";
    case ContextKind::kListItem:
      return "listitem";
  }
  return "region";
}

}  // namespace

std::optional<std::string> FeatureOf(const SnapshotNode& node, LocatorStrategy strategy,
                                     std::string_view attribute) {
  const Element& element = node.element;
  switch (strategy) {
    case LocatorStrategy::kRole:
      return Normalized(element.accessible_name);
    case LocatorStrategy::kLabel:
      return Normalized(element.label);
    case LocatorStrategy::kTestId:
      return TestIdOf(node, attribute);
    case LocatorStrategy::kPlaceholder:
      return Normalized(element.placeholder);
    case LocatorStrategy::kText:
      return Normalized(element.text);
    case LocatorStrategy::kAltText:
      return Normalized(Attribute(element, "alt"));
    case LocatorStrategy::kTitle:
      return Normalized(node.hints.title);
    case LocatorStrategy::kCss:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string CssEscape(std::string_view identifier) {
  std::string escaped;
  for (size_t i = 0; i < identifier.size(); ++i) {
    const char c = identifier[i];
    const bool digit = c >= '0' && c <= '9';
    const bool plain = digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                       c == '_' || static_cast<unsigned char>(c) >= 0x80;
    if (digit && i == 0) {
      escaped += fmt::format("\\3{} ", c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      escaped += fmt::format("\\{:x} ", static_cast<unsigned>(c));
    } else {
      if (!plain) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string Quote(std::string_view text) {
  return boost::json::serialize(boost::json::string(text.data(), text.size()));
}

std::string CssById(std::string_view id) { return "#" + CssEscape(id); }

std::string CssByName(const Element& element, std::string_view name) {
  return fmt::format("{}[name={}]", element.tag, Quote(name));
}

std::vector<std::string> CssOf(const SnapshotNode& node) {
  std::vector<std::string> selectors = {node.element.tag};
  for (const auto& id : node.identity.ids) {
    switch (id.kind) {
      case IdKind::kTestId:
        selectors.push_back(fmt::format("[{}={}]", id.attribute, Quote(id.value)));
        break;
      case IdKind::kDomId:
        selectors.push_back(CssById(id.value));
        break;
      case IdKind::kControlName:
        selectors.push_back(CssByName(node.element, id.value));
        break;
      case IdKind::kHref:
        break;
    }
  }
  return selectors;
}

std::optional<LocatorScope> ScopeOf(const ContextAnchor& anchor) {
  LocatorScope scope{.kind = anchor.kind,
                     .role = anchor.role.empty() ? DefaultRole(anchor.kind) : anchor.role,
                     .name = std::nullopt,
                     .text = std::nullopt};
  if (auto key = Normalized(anchor.key)) {
    scope.text = std::move(key);
  } else if (auto name = Normalized(anchor.name)) {
    scope.name = std::move(name);
  } else {
    return std::nullopt;
  }
  return scope;
}

}  // namespace topodb::capture
