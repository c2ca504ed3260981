#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"
#include "schema/snapshot.h"

// The values by which a locator can find a node: one definition for building and for resolving.
// Internal to capture/locate.
namespace topodb::capture {

// The node's value under a strategy (accessible name, label, text, …), normalised; nullopt when it
// has none. kTestId wants the attribute's name; kCss has several values, see CssOf.
std::optional<std::string> FeatureOf(const SnapshotNode& node, LocatorStrategy strategy,
                                     std::string_view attribute);

// An identifier as CSS writes it ("4x" -> "\34 x").
std::string CssEscape(std::string_view identifier);
// A JSON and JavaScript string literal.
std::string Quote(std::string_view text);

std::string CssById(std::string_view id);
std::string CssByName(const Element& element, std::string_view name);
// Every selector of the forms that locators use which matches the node.
std::vector<std::string> CssOf(const SnapshotNode& node);

// How a locator names a container: by its key where it has one, else by its accessible name.
// nullopt when it has neither.
std::optional<LocatorScope> ScopeOf(const ContextAnchor& anchor);

}  // namespace topodb::capture
